package io.dpuactors.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.protocol.AesGcmProtocol.KeyRefused;
import io.dpuactors.protocol.BatchReply.BatchFailed;
import io.dpuactors.protocol.ConnectionEvent.Closed;
import io.dpuactors.protocol.MemoryProtocol.PoolFailed;
import io.dpuactors.protocol.RdmaEventProtocol.RemoteEventRefused;
import io.dpuactors.protocol.RdmaReceiveProtocol.ReceiveFailed;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.SyncEventProtocol;
import io.dpuactors.protocol.TaskReply.Ownership;
import io.dpuactors.testkit.HeapBuffers;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.pekko.actor.ActorRef;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests which codes of failed answers the faults and disturbances of a run explain. */
class ExplanationsTest {
  private final List<String> problems = new ArrayList<>();
  private final Set<String> fired = new HashSet<>();
  private final Set<String> named = new HashSet<>();
  private final Set<String> reached = new HashSet<>();
  private final Explanations explanations =
      new Explanations(problems::add, () -> fired, () -> named, () -> reached);

  @BeforeEach
  void begin() {
    explanations.begin();
  }

  private static DocaError error(DocaCode code) {
    return DocaError.of("doca_task", code.value(), "why");
  }

  private void receive(Object message) {
    explanations.handled(ActorRef.noSender(), message);
  }

  private void key(DocaCode code) {
    receive(new KeyRefused(error(code)));
  }

  @Test
  void aCodeWithoutACauseFailsTheRun() {
    key(DocaCode.NO_MEMORY);
    assertThat(problems)
        .containsExactly(
            "no cause explains " + error(DocaCode.NO_MEMORY) + "; causes: [PROGRAM] []");
  }

  @Test
  void aFaultThatHasHappenedExplainsItsCode() {
    fired.add("alloc-key");
    key(DocaCode.NO_MEMORY);
    fired.add("fail");
    explanations.check(FailedAnswers.TASKS, error(DocaCode.IO_FAILED));
    assertThat(problems).isEmpty();
    key(DocaCode.CONNECTION_RESET);
    assertThat(problems).hasSize(1).first().asString().endsWith("[alloc-key, fail]");
  }

  @Test
  void aFaultThatNamesAnErrorExplainsIt() {
    named.add("DRIVER");
    key(DocaCode.DRIVER);
    assertThat(problems).isEmpty();
    key(DocaCode.TOO_BIG);
    assertThat(problems).hasSize(1);
  }

  @Test
  void aDisturbanceExplainsItsCode() {
    reached.add("busy");
    key(DocaCode.SHUTDOWN);
    assertThat(problems).hasSize(1);
    reached.add(Disturbance.KILL_CONTEXT.name());
    key(DocaCode.SHUTDOWN);
    assertThat(problems).hasSize(1);
  }

  @Test
  void aStopExplainsTheCodesOfEnds() {
    receive(new Stop());
    key(DocaCode.SHUTDOWN);
    receive(new PoolFailed(error(DocaCode.SHUTDOWN)));
    assertThat(problems).isEmpty();
  }

  @Test
  void theEndOfASyncEventExplainsAFailedExport() {
    SyncEventProtocol.NotExported answer =
        new SyncEventProtocol.NotExported(error(DocaCode.BAD_STATE));
    receive(answer);
    assertThat(problems).hasSize(1);
    problems.clear();
    receive(new Stop());
    receive(answer);
    assertThat(problems).isEmpty();
  }

  /** Tasks of an ended event are answered with SHUTDOWN, and exports have no deadline. */
  @Test
  void theCodesOfExportsAreNotThoseOfTasks() {
    receive(new Stop());
    receive(new SyncEventProtocol.Failed(1, error(DocaCode.BAD_STATE)));
    assertThat(problems).hasSize(1);
    receive(new SyncEventProtocol.NotExported(error(DocaCode.TIME_OUT)));
    assertThat(problems).hasSize(2);
  }

  @Test
  void theLibraryOfABatchExplainsItsCode() {
    BatchBuffer batch = new BatchBuffer();
    fired.add("down");
    receive(batch.failed(error(DocaCode.CONNECTION_RESET)));
    assertThat(problems).hasSize(1);
    problems.clear();
    explanations.batchesAreOf(FailedAnswers.RDMA);
    receive(batch.failed(error(DocaCode.CONNECTION_RESET)));
    assertThat(problems).isEmpty();
    batch.close();
  }

  /** A batch of one message. */
  private static final class BatchBuffer {
    private final BufferPool pool = HeapBuffers.pool(1, 8);
    private final Buffer buffer = Objects.requireNonNull(pool.lease());
    private final TaskBatch batch = TaskBatch.ofSends(List.of(buffer));

    BatchFailed failed(DocaError error) {
      return new BatchFailed(1, error, batch, Ownership.RETURNED);
    }

    void close() {
      batch.close();
      buffer.release();
      pool.close();
    }
  }

  /** Only a request for a message has a limit of the program. */
  @Test
  void theProgramExplainsThatNoMessageHasArrived() {
    receive(new ReceiveFailed(error(DocaCode.TIME_OUT)));
    assertThat(problems).isEmpty();
    receive(new RemoteEventRefused(error(DocaCode.TIME_OUT)));
    assertThat(problems).hasSize(1);
  }

  /** A sync event of a peer ends with the context that has opened it. */
  @Test
  void theEndOfAContextExplainsARequestOnItsEvent() {
    receive(new RemoteEventRefused(error(DocaCode.INVALID_VALUE)));
    assertThat(problems).hasSize(1);
    problems.clear();
    fired.add("fail");
    receive(new RemoteEventRefused(error(DocaCode.INVALID_VALUE)));
    assertThat(problems).isEmpty();
  }

  @Test
  void theProgramExplainsOnlyCodesOfItsLimits() {
    receive(new SyncEventProtocol.Failed(1, error(DocaCode.TIME_OUT)));
    key(DocaCode.INVALID_VALUE);
    assertThat(problems).isEmpty();
    explanations.check(FailedAnswers.TASKS, error(DocaCode.INVALID_VALUE));
    assertThat(problems).hasSize(1);
  }

  /** A limit of the program ends a connection, and with it its other requests. */
  @Test
  void theEndOfAConnectionExplainsTheCodesOfEnds() {
    key(DocaCode.SHUTDOWN);
    assertThat(problems).hasSize(1);
    problems.clear();
    receive(new Closed(Optional.of(error(DocaCode.CONNECTION_RESET))));
    receive(new Closed(Optional.empty()));
    key(DocaCode.SHUTDOWN);
    assertThat(problems).isEmpty();
  }

  @Test
  void theProgramOfAUserIsNotChecked() {
    Explanations ofUser = new Explanations(problems::add, () -> fired, () -> named, () -> reached);
    ofUser.handled(ActorRef.noSender(), new KeyRefused(error(DocaCode.DRIVER)));
    ofUser.check(FailedAnswers.TASKS, error(DocaCode.DRIVER));
    assertThat(problems).isEmpty();
  }

  @Test
  void eachDisturbanceAndEachFaultHasARow() {
    for (Disturbance what : Disturbance.values()) {
      assertThat(FailureCause.isKnown(what.name())).as(what.name()).isTrue();
    }
    for (long seed = 1; seed <= 300; seed++) {
      for (String row : Coverage.rows(FaultPlans.draw(Runs.of(new StillControl(), seed)))) {
        assertThat(FailureCause.isKnown(row)).as(row).isTrue();
      }
    }
  }
}
