package io.dpuactors.bridge.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.bridge.jna.RingLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests message cells in memory of this test, which writes them in place of the bridge. */
class MessageCellsTest {
  private static final int RECORDS = 8;
  private static final int CELLS = 4;
  private static final int CELL_BYTES = 64;
  private static final int RECORDS_AT = RingLayout.HEADER_BYTES;
  private static final int CELLS_AT = RECORDS_AT + RECORDS * RingLayout.RECORD_BYTES;

  private final Rig rig = new Rig();
  private final ByteBuffer memory =
      ByteBuffer.allocateDirect(CELLS_AT + CELLS * CELL_BYTES).order(ByteOrder.nativeOrder());

  @BeforeEach
  void layOut() {
    memory.putInt(RingLayout.HEADER_MESSAGE_CELLS, CELLS);
    memory.putInt(RingLayout.HEADER_MESSAGE_BYTES, CELL_BYTES);
  }

  @AfterEach
  void end() {
    rig.close();
  }

  private CompletionRing ring() {
    return new CompletionRing(rig.engine, memory, RECORDS_AT, RECORDS);
  }

  /** Writes a record, and the cell of a message. */
  private void put(RecordType type, int connection, int number) {
    int tail = memory.getInt(RingLayout.COMPLETION_TAIL);
    int at = RECORDS_AT + (tail & (RECORDS - 1)) * RingLayout.RECORD_BYTES;
    memory.put(at + RingLayout.RECORD_TYPE, (byte) type.value());
    memory.putInt(at + RingLayout.RECORD_STATES, connection);
    memory.putLong(at + RingLayout.RECORD_PRODUCED, number);
    memory.putInt(RingLayout.COMPLETION_TAIL, tail + 1);
    if (type == RecordType.MESSAGE) {
      int cell = memory.getInt(RingLayout.MESSAGE_TAIL);
      for (int i = 0; i < number; i++) {
        memory.put(CELLS_AT + (cell & (CELLS - 1)) * CELL_BYTES + i, (byte) cell);
      }
      memory.putInt(RingLayout.MESSAGE_TAIL, cell + 1);
    }
  }

  private int head() {
    return memory.getInt(RingLayout.MESSAGE_HEAD);
  }

  @Test
  void aMessageIsReadFromItsCell() {
    put(RecordType.CONNECTED, 0x8001_0000, 0);
    put(RecordType.MESSAGE, 0x8001_0000, 3);
    put(RecordType.MESSAGE, 0x8001_0001, CELL_BYTES);
    List<String> seen = new ArrayList<>();
    ring()
        .drain(
            record -> {
              String bytes =
                  record.type() == RecordType.MESSAGE
                      ? record.messageLength() + ": " + record.message()
                      : "";
              seen.add(record.type() + " " + Integer.toHexString(record.connection()) + bytes);
              if (record.type() == RecordType.MESSAGE) {
                assertThat(record.message().order()).isEqualTo(ByteOrder.nativeOrder());
                assertThat(record.message().get(record.messageLength() - 1))
                    .isEqualTo((byte) head());
              }
            },
            10);
    assertThat(seen.get(0)).isEqualTo("CONNECTED 80010000");
    assertThat(seen.get(1)).startsWith("MESSAGE 800100003: ").contains("pos=0 lim=3 cap=64");
    assertThat(seen.get(2)).startsWith("MESSAGE 8001000164: ").contains("pos=0 lim=64 cap=64");
    assertThat(head()).isEqualTo(2);
  }

  @Test
  void consumersComeWithTheirIds() {
    put(RecordType.CONSUMER_NEW, 5, 17);
    put(RecordType.CONSUMER_EXPIRED, 5, 17);
    List<Integer> ids = new ArrayList<>();
    ring().drain(record -> ids.add(record.consumer()), 10);
    assertThat(ids).containsExactly(17, 17);
    assertThat(head()).isZero();
  }

  @Test
  void cellsWrapAndPositionsWrap() {
    memory.putInt(RingLayout.MESSAGE_HEAD, -3);
    memory.putInt(RingLayout.MESSAGE_TAIL, -3);
    CompletionRing ring = ring();
    List<Byte> seen = new ArrayList<>();
    for (int lap = 0; lap < 3; lap++) {
      put(RecordType.MESSAGE, 1, 1);
      put(RecordType.MESSAGE, 1, 1);
      ring.drain(record -> seen.add(record.message().get(0)), 10);
    }
    assertThat(seen).containsExactly((byte) -3, (byte) -2, (byte) -1, (byte) 0, (byte) 1, (byte) 2);
    assertThat(head()).isEqualTo(3);
  }

  @Test
  void anUnreadMessageFreesItsCell() {
    put(RecordType.MESSAGE, 1, 1);
    put(RecordType.MESSAGE, 1, 2);
    CompletionRing ring = ring();
    ring.drain(record -> {}, 1);
    assertThat(head()).isEqualTo(1);
    ring.drain(record -> assertThat(record.message().get(1)).isEqualTo((byte) 1), 1);
    assertThat(head()).isEqualTo(2);
  }

  @Test
  void aMessageWhoseHandlerThrowsFreesItsCell() {
    put(RecordType.MESSAGE, 1, 1);
    put(RecordType.MESSAGE, 1, 2);
    CompletionRing ring = ring();
    assertThatThrownBy(
            () ->
                ring.drain(
                    record -> {
                      throw new UnsupportedOperationException("handler");
                    },
                    2))
        .hasMessage("handler");
    assertThat(head()).isEqualTo(1);
    assertThat(ring.drain(record -> assertThat(record.messageLength()).isEqualTo(2), 2))
        .isEqualTo(1);
    assertThat(head()).isEqualTo(2);
  }

  @Test
  void aMessageCannotBeWrittenTo() {
    put(RecordType.MESSAGE, 1, 1);
    ring()
        .drain(
            record ->
                assertThatThrownBy(() -> record.message().put(0, (byte) 1))
                    .isInstanceOf(ReadOnlyBufferException.class),
            1);
  }

  @Test
  void aMessageIsValidDuringItsHandlerOnly() {
    put(RecordType.MESSAGE, 1, 1);
    CompletionRing ring = ring();
    ring.drain(record -> {}, 1);
    assertThatThrownBy(ring::message).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(ring::immediate).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void viewsAreMadeOncePerCell() {
    Set<ByteBuffer> views = Collections.newSetFromMap(new IdentityHashMap<>());
    CompletionRing ring = ring();
    for (int i = 0; i < 5 * CELLS; i++) {
      put(RecordType.MESSAGE, 1, 1 + i);
      ring.drain(record -> views.add(record.message()), 1);
    }
    assertThat(views).hasSize(CELLS);
  }
}
