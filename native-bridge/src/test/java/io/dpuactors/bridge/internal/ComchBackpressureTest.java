package io.dpuactors.bridge.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.DocaCode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests a sender of more messages than the engine has cells. */
class ComchBackpressureTest {
  private static final int CELLS = 4;
  private static final int MESSAGES = 200;
  private static final int LATE = 50;
  private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(20);

  private final ComchRig rig = new ComchRig(CELLS, 4096);

  @AfterEach
  void end() {
    rig.close();
  }

  /** The receiver reads so late that all cells fill repeatedly. */
  @Test
  void messagesWaitForCellsAndKeepTheirOrder() {
    assertThat(rig.server.start()).isEqualTo(DocaCode.SUCCESS);
    DocaContext client = rig.client();
    rig.connect(client);
    List<String> received = new ArrayList<>();
    int sent = 0;
    int answered = 0;
    int most = 0;
    long deadline = System.nanoTime() + LIMIT_NS;
    while (received.size() < MESSAGES) {
      assertThat(System.nanoTime() - deadline).isNegative();
      for (; sent < MESSAGES && sent - answered < ComchRig.TASKS; sent++) {
        rig.fromClient(client, ("message " + sent).getBytes(StandardCharsets.UTF_8));
      }
      for (int turn = 0; turn < LATE; turn++) {
        rig.rig.engine.enter(Rig.BUDGET);
      }
      int before = received.size();
      answered += drain(received);
      most = Math.max(most, received.size() - before);
    }
    assertThat(received).containsExactlyElementsOf(ComchTest.names("message ", MESSAGES));
    assertThat(most).isEqualTo(CELLS);
    assertThat(rig.rig.engine.counter(Counter.STALLED)).isPositive();
  }

  /** Returns the number of answered tasks. */
  private int drain(List<String> received) {
    int[] answered = new int[1];
    rig.rig
        .engine
        .completions()
        .drain(
            record -> {
              if (record.type() == RecordType.MESSAGE) {
                received.add(StandardCharsets.UTF_8.decode(record.message()).toString());
              } else {
                assertThat(record.type()).isEqualTo(RecordType.TASK_DONE);
                answered[0]++;
              }
            },
            Integer.MAX_VALUE);
    return answered[0];
  }
}
