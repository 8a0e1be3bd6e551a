package io.dpuactors.bridge.internal;

import static io.dpuactors.bridge.TaskKind.COMCH_CONSUMER_RECV;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.Census;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.internal.Rig.Answer;
import io.dpuactors.bridge.internal.Rig.Event;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests a producer of the server that fills buffers posted by a consumer of the client. */
class ComchDataTest {
  private static final int ROOM = 1 << 20;
  private static final int TASKS = 8;
  private static final int IMMEDIATE = 32;
  private static final long USER_DATA = 3L << 40;

  private final ComchRig rig = ComchRig.started();
  private final ProgressEngine engine = rig.rig.engine;
  private final SubmissionRing ring = engine.submissions();
  private final DocaContext client = rig.client();
  private final int connection = rig.connect(client);
  private final BufferPool sources = rig.pool(rig.card, 8, ROOM);
  private final BufferPool targets = rig.pool(rig.host, 8, ROOM);
  private final DocaContext producer = producer();
  private final DocaContext consumer = consumer(IMMEDIATE);
  private final int id = rig.await(RecordType.CONSUMER_NEW, 1).get(0).consumer();

  private DocaContext producer() {
    DocaContext made =
        rig.rig.add(
            Comch.producer(engine, connection, USER_DATA), TASKS, TaskKind.COMCH_PRODUCER_SEND);
    assertThat(made.start()).isEqualTo(DocaCode.SUCCESS);
    return made;
  }

  private DocaContext consumer(int immediateBytes) {
    DocaContext made =
        rig.rig.add(
            Comch.consumer(
                engine,
                Comch.connection(client),
                RegisteredPool.mapOf(targets),
                immediateBytes,
                USER_DATA + 1),
            TASKS,
            TaskKind.COMCH_CONSUMER_RECV);
    assertThat(made.start()).isEqualTo(DocaCode.IN_PROGRESS);
    rig.rig.until(() -> made.state() == ContextState.RUNNING);
    return made;
  }

  @AfterEach
  void end() {
    rig.close();
  }

  private long post(Buffer dst) {
    return rig.rig.offer(
        task -> ring.offer(task, consumer.handle(), COMCH_CONSUMER_RECV, null, dst, 0));
  }

  private long produce(@Nullable Buffer src, byte[] immediate, int to) {
    long address = immediate.length == 0 ? 0 : rig.immediate(immediate);
    return rig.rig.offer(
        task -> ring.offerProduce(task, producer.handle(), src, address, immediate.length, to));
  }

  private void assertAnswer(long task, RecordType type, DocaCode code) {
    Answer answer = rig.rig.await(task);
    assertThat(answer.type()).as(answer.toString()).isEqualTo(type);
    assertThat(answer.code()).isEqualTo(code);
  }

  @Test
  void bothSidesAreNamedByTheirIds() {
    Event fresh = rig.events(RecordType.CONSUMER_NEW).get(0);
    assertThat(fresh.connection()).isEqualTo(connection);
    assertThat(fresh.userData()).isEqualTo(ComchRig.SERVER);
    assertThat(fresh.context()).isEqualTo(rig.server.handle());
    assertThat(id).isNotZero().isEqualTo(Comch.id(consumer));
    assertThat(Comch.id(producer)).isNotZero();
    assertThat(producer.name())
        .isEqualTo("comch producer on connection 0x" + Integer.toHexString(connection));
    assertThat(consumer.name()).startsWith("comch consumer on connection 0x");
    assertThatThrownBy(() -> Comch.maxMessageBytes(consumer))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 63, 64, 4095, 4096, 4097, ROOM - 1, ROOM})
  void aPostedBufferIsFilled(int bytes) {
    Buffer src = Rig.lease(sources, Inputs.random(bytes));
    Buffer dst = Rig.lease(targets);
    long received = post(dst);
    byte[] immediate = Inputs.random(bytes % (IMMEDIATE + 1));

    long sent = produce(src, immediate, id);
    assertAnswer(sent, RecordType.TASK_DONE, DocaCode.SUCCESS);
    Answer answer = rig.rig.await(received);

    assertThat(answer.type()).isEqualTo(RecordType.TASK_DONE);
    assertThat(answer.kind()).isEqualTo(TaskKind.COMCH_CONSUMER_RECV);
    assertThat(answer.produced()).isEqualTo(bytes);
    assertThat(answer.producer()).isEqualTo(Comch.id(producer));
    assertThat(answer.immediate()).isEqualTo(immediate);
    dst.length(bytes);
    assertThat(Rig.content(dst)).isEqualTo(Rig.content(src));
    src.release();
    dst.release();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 31, IMMEDIATE})
  void immediateDataArrivesWithoutABuffer(int bytes) {
    Buffer dst = Rig.lease(targets);
    long received = post(dst);
    byte[] immediate = Inputs.random(bytes);
    assertAnswer(produce(null, immediate, id), RecordType.TASK_DONE, DocaCode.SUCCESS);
    Answer answer = rig.rig.await(received);
    assertThat(answer.type()).isEqualTo(RecordType.TASK_DONE);
    assertThat(answer.produced()).isZero();
    assertThat(answer.immediate()).isEqualTo(immediate);
    dst.release();
  }

  /** A reused task reports nothing of its earlier transfer. */
  @Test
  void nothingOfAnEarlierTransferIsLeft() {
    Buffer src = Rig.lease(sources, Inputs.text(100));
    Buffer dst = Rig.lease(targets);
    long first = post(dst);
    produce(null, Inputs.random(IMMEDIATE), id);
    assertThat(rig.rig.await(first).immediate()).hasSize(IMMEDIATE);
    long second = post(dst);
    produce(src, new byte[0], id);
    assertThat(rig.rig.await(second).immediate()).isEmpty();
    assertThat(rig.rig.await(second).produced()).isEqualTo(100);
    src.release();
    dst.release();
  }

  @Test
  void sendingNothingIsRefused() {
    assertAnswer(produce(null, new byte[0], id), RecordType.REFUSED, DocaCode.INVALID_VALUE);
  }

  @Test
  void aSendWaitsUntilABufferIsPosted() {
    Buffer src = Rig.lease(sources, Inputs.text(10));
    long first = produce(src, new byte[] {1}, id);
    long second = produce(src, new byte[] {2}, id);
    rig.rig.until(() -> engine.retryNs() > 0);
    assertThat(producer.reclaim(first)).as("the first of its key").isFalse();
    assertThat(producer.reclaim(second)).isTrue();
    Buffer dst = Rig.lease(targets);
    long received = post(dst);
    assertAnswer(first, RecordType.TASK_DONE, DocaCode.SUCCESS);
    assertThat(rig.rig.await(received).immediate()).containsExactly((byte) 1);
    src.release();
    dst.release();
  }

  @Test
  void manyTransfersKeepTheirOrder() {
    int transfers = 500;
    ArrayDeque<Buffer> dsts = new ArrayDeque<>();
    ArrayDeque<Long> receives = new ArrayDeque<>();
    List<Integer> seen = new ArrayList<>();
    Buffer src = Rig.lease(sources);
    for (int i = 0; i < TASKS; i++) {
      Buffer dst = Rig.lease(targets);
      dsts.add(dst);
      receives.add(post(dst));
    }
    for (int i = 0; i < transfers; i++) {
      src.bytes().putInt(0, i);
      src.length(4 + i % 100);
      assertAnswer(produce(src, new byte[] {(byte) i}, id), RecordType.TASK_DONE, DocaCode.SUCCESS);
      Answer answer = rig.rig.await(receives.remove());
      Buffer dst = dsts.remove();
      assertThat(answer.produced()).isEqualTo(4 + i % 100);
      assertThat(answer.immediate()).containsExactly((byte) i);
      seen.add(dst.bytes().getInt(0));
      dsts.add(dst);
      receives.add(post(dst));
    }
    assertThat(seen).isSorted().hasSize(transfers).endsWith(transfers - 1);
    rig.rig.end(consumer);
    dsts.forEach(Buffer::release);
    src.release();
  }

  @Test
  void anUnknownConsumerIsRefused() {
    Buffer src = Rig.lease(sources, Inputs.text(10));
    Answer answer = rig.rig.await(produce(src, new byte[0], id + 1000));
    assertThat(answer.type()).isIn(RecordType.REFUSED, RecordType.TASK_FAILED);
    assertThat(answer.code()).isEqualTo(DocaCode.NOT_CONNECTED);
    src.release();
  }

  @Test
  void postedBuffersReturnWhenTheConsumerStops() {
    Buffer dst = Rig.lease(targets);
    long received = post(dst);
    rig.rig.until(() -> consumer.inflight() == 1);
    rig.rig.end(consumer);
    assertAnswer(received, RecordType.TASK_FAILED, DocaCode.IO_FAILED);
    Event expired = rig.await(RecordType.CONSUMER_EXPIRED, 1).get(0);
    assertThat(expired.consumer()).isEqualTo(id);
    assertThat(expired.connection()).isEqualTo(connection);
    assertThat(expired.userData()).isEqualTo(ComchRig.SERVER);
    dst.release();
  }

  @Test
  void aConnectionInUseIsNotEnded() {
    assertThat(Comch.disconnect(rig.server, connection)).isEqualTo(DocaCode.IN_USE);
    assertThat(client.stop()).isEqualTo(DocaCode.IN_USE);
    rig.rig.end(producer);
    assertThat(Comch.disconnect(rig.server, connection)).isEqualTo(DocaCode.SUCCESS);
    rig.rig.end(consumer);
    rig.rig.until(() -> client.state() == ContextState.IDLE);
  }

  @Test
  void aConsumerTakesImmediateDataOfItsLengthOnly() {
    DocaContext strict = consumer(0);
    int to = rig.await(RecordType.CONSUMER_NEW, 2).get(1).consumer();
    Buffer dst = Rig.lease(targets);
    long received =
        rig.rig.offer(task -> ring.offer(task, strict.handle(), COMCH_CONSUMER_RECV, null, dst, 0));
    rig.rig.until(() -> strict.inflight() == 1);
    Answer answer = rig.rig.await(produce(null, new byte[1], to));
    assertThat(answer.code()).isEqualTo(DocaCode.INVALID_VALUE);
    rig.rig.end(strict);
    assertAnswer(received, RecordType.TASK_FAILED, DocaCode.IO_FAILED);
    dst.release();
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 33})
  void immediateDataHasALength(int bytes) {
    int clientsEnd = Comch.connection(client);
    assertThatThrownBy(
            () -> Comch.consumer(engine, clientsEnd, RegisteredPool.mapOf(targets), bytes, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(bytes + " bytes of immediate data");
  }

  @Test
  void aConsumersMemoryMustBeWritableFromTheBus() {
    int clientsEnd = Comch.connection(client);
    try (MemoryMap local = MemoryMap.allocate(engine, rig.host, 4096)) {
      assertThatThrownBy(() -> Comch.consumer(engine, clientsEnd, local, 0, 0))
          .isInstanceOf(DocaException.class)
          .hasMessageStartingWith("doca_comch_consumer_create: DOCA_ERROR_");
    }
    assertThat(engine.census().count(Census.Resource.CONTEXT)).isEqualTo(4);
  }
}
