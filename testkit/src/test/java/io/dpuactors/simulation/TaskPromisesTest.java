package io.dpuactors.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaLibrary;
import io.dpuactors.bridge.LibraryChoice;
import io.dpuactors.bridge.SoftDpu;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import io.dpuactors.testkit.HeapBuffers;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the checks of the time and the order of answers. */
class TaskPromisesTest {
  private static final long DEADLINE_NS = 5_000;

  private final BufferPool pool = HeapBuffers.pool(2, 64);
  private final Buffer src = Objects.requireNonNull(pool.lease());
  private final Buffer dst = Objects.requireNonNull(pool.lease());
  private final Run run =
      new Run(
          1,
          Reduction.NONE,
          new SplittableRandom(1),
          Pace.NONE,
          SoftDpu.of(DocaLibrary.load(LibraryChoice.SOFTDPU)),
          new Trace(null, Map::of),
          () -> 0);

  @AfterEach
  void closePool() {
    src.release();
    dst.release();
    pool.close();
  }

  private TaskPromises window(int tasks) {
    return new TaskPromises(
        run, TaskOptions.defaults().withWindow(tasks).withDeadline(Duration.ofNanos(DEADLINE_NS)));
  }

  private TaskReply completed(long tag) {
    return new Completed(tag, src, dst, 0, 0);
  }

  @Test
  void anAnswerAfterTheDeadlineFailsTheRun() {
    TaskPromises promises = window(2);
    promises.answered("copy", completed(0), DEADLINE_NS + Pace.NONE.slackNs());
    assertThat(run.problem()).isNull();
    promises.answered("copy", completed(1), DEADLINE_NS + Pace.NONE.slackNs() + 1);
    assertThat(run.problem()).contains("request 1").contains("after its deadline of 5000 ns");
  }

  @Test
  void aDisturbedContextMayBeLate() {
    TaskPromises promises = window(2);
    promises.disturbed();
    promises.answered("copy", completed(0), Long.MAX_VALUE);
    assertThat(run.problem()).isNull();
  }

  @Test
  void aWindowOfOneKeepsTheOrderOfEachKind() {
    TaskPromises promises = window(1);
    promises.answered("copy", completed(1), 0);
    promises.answered("hash", completed(0), 0);
    assertThat(run.problem()).isNull();
    promises.answered("copy", completed(0), 0);
    assertThat(run.problem()).contains("request 0 completed after 1");
  }

  @Test
  void aLargerWindowHasNoOrder() {
    TaskPromises promises = window(2);
    promises.answered("copy", completed(1), 0);
    promises.answered("copy", completed(0), 0);
    assertThat(run.problem()).isNull();
  }
}
