package io.dpuactors.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.protocol.DmaProtocol;
import io.dpuactors.protocol.EngineProtocol.OpenDma;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.testing.BlockPoint;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests tasks whose caller accesses the memory of the device. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class HeapTasksInPlaceTest {
  private static final int BYTES = 4096;

  @Test
  void theInputIsThatOfTheFirstFunctionAndTheOutputGoesToTheSecond() throws Exception {
    try (RunningSystem system = RunningSystem.create()) {
      HeapTasks<DmaProtocol.Command> tasks = copies(system, BYTES);
      for (String text : new String[] {"one", "twenty-two", "3"}) {
        String copy =
            get(
                tasks.run(
                    src -> src.put(text.getBytes(UTF_8)), dst -> UTF_8.decode(dst).toString()));
        assertThat(copy).isEqualTo(text);
      }
      assertEndsClean(system, tasks);
    }
  }

  @Test
  void noFunctionRunsOnTheThreadOfTheEngine() throws Exception {
    try (RunningSystem system = RunningSystem.create()) {
      HeapTasks<DmaProtocol.Command> tasks = copies(system, BYTES);
      Queue<String> threads = new ConcurrentLinkedQueue<>();
      List<CompletionStage<Boolean>> results = new ArrayList<>();
      for (int i = 0; i < 20; i++) { // most of them wait for one of two buffers
        results.add(
            tasks.run(
                src -> threads.add(Thread.currentThread().getName() + src.putInt(7).limit()),
                dst -> threads.add(Thread.currentThread().getName())));
      }
      for (CompletionStage<Boolean> result : results) {
        get(result);
      }
      assertThat(threads).hasSize(40).noneMatch(name -> name.contains("dpu-engine"));
      assertEndsClean(system, tasks);
    }
  }

  @Test
  void longDataIsNotCopiedByTheEngine() throws Exception {
    try (RunningSystem system = RunningSystem.create()) {
      int bytes = 1 << 20;
      HeapTasks<DmaProtocol.Command> tasks = copies(system, bytes);
      CompletionStage<String> thread =
          tasks
              .run(ByteString.fromArray(new byte[bytes]))
              .thenApply(output -> Thread.currentThread().getName());
      assertThat(get(thread)).doesNotContain("dpu-engine");
      assertEndsClean(system, tasks);
    }
  }

  /** The stages of an ask start a thread per step, on a machine with two processors. */
  @Test
  void tasksStartNoThreads() throws Exception {
    try (RunningSystem system = RunningSystem.create()) {
      HeapTasks<DmaProtocol.Command> tasks = copies(system, BYTES);
      ThreadMXBean threads = ManagementFactory.getThreadMXBean();
      long before = threads.getTotalStartedThreadCount();
      for (int i = 0; i < 500; i++) {
        get(tasks.run(src -> src.putInt(1), ByteBuffer::remaining));
      }
      assertThat(threads.getTotalStartedThreadCount() - before).isLessThan(100);
      assertEndsClean(system, tasks);
    }
  }

  @Test
  void anExceptionOfAFunctionFailsItsTaskAndReturnsTheBuffers() throws Exception {
    try (RunningSystem system = RunningSystem.create()) {
      HeapTasks<DmaProtocol.Command> tasks = copies(system, BYTES);
      for (int i = 0; i < 8; i++) {
        assertFails(
            tasks.run(
                src -> {
                  throw new ArithmeticException("write");
                },
                ByteBuffer::remaining),
            ArithmeticException.class);
        assertFails(
            tasks.run(
                src -> src.putInt(1),
                dst -> {
                  throw new IllegalStateException("read");
                }),
            IllegalStateException.class);
        assertFails(
            tasks.run(src -> src.put(new byte[BYTES + 1]), ByteBuffer::remaining),
            BufferOverflowException.class);
      }
      assertThat(get(tasks.run(src -> src.putInt(1), ByteBuffer::remaining))).isEqualTo(4);
      assertEndsClean(system, tasks);
    }
  }

  /** The second task waits for the buffers of the first, and needs the executor for both steps. */
  @Test
  void aStepThatTheExecutorRejectsReturnsTheBuffers() throws Exception {
    try (RunningSystem system = RunningSystem.create()) {
      HeapTasks<DmaProtocol.Command> tasks = copies(system, BYTES);
      for (int i = 0; i < 4; i++) {
        assertFails(
            tasks.run(src -> src.putInt(1), ByteBuffer::remaining, HeapTasksInPlaceTest::reject),
            RejectedExecutionException.class);
      }
      BlockPoint blockPoint = system.blockEngine();
      CompletionStage<Integer> first = tasks.run(src -> src.putInt(1), ByteBuffer::remaining);
      CompletionStage<Integer> second = tasks.run(src -> src.putInt(1), ByteBuffer::remaining);
      List<CompletionStage<Integer>> waiting = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        waiting.add(
            tasks.run(src -> src.putInt(1), ByteBuffer::remaining, HeapTasksInPlaceTest::reject));
      }
      blockPoint.release();
      assertThat(get(first)).isEqualTo(4);
      assertThat(get(second)).isEqualTo(4);
      for (CompletionStage<Integer> each : waiting) {
        assertFails(each, RejectedExecutionException.class);
      }
      assertThat(get(tasks.run(src -> src.putInt(1), ByteBuffer::remaining))).isEqualTo(4);
      assertEndsClean(system, tasks);
    }
  }

  private static void reject(Runnable step) {
    throw new RejectedExecutionException("the queue of the executor is full");
  }

  private static HeapTasks<DmaProtocol.Command> copies(RunningSystem system, int bytes)
      throws Exception {
    TestProbe<DmaProtocol.OpenReply> probe = system.kit.createTestProbe();
    system.engine.tell(new OpenDma("dma", TaskOptions.defaults(), probe.getRef()));
    return get(
        HeapTasks.open(
            system.kit.system(),
            system.engine,
            ((DmaProtocol.Opened) probe.receiveMessage()).context(),
            DmaProtocol.Copy::new,
            HeapTaskOptions.of(bytes, bytes).withInFlight(2).withMaxWaiting(20)));
  }

  private static void assertFails(CompletionStage<?> stage, Class<? extends Throwable> cause) {
    assertThatThrownBy(() -> get(stage)).cause().isInstanceOf(cause);
  }

  private static <T> T get(CompletionStage<T> stage) throws Exception {
    return stage.toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  private static void assertEndsClean(RunningSystem system, HeapTasks<?> tasks) throws Exception {
    get(tasks.close());
    assertThat(system.stopEngine().census()).isEqualTo("empty");
  }
}
