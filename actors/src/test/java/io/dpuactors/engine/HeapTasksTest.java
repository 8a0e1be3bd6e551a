package io.dpuactors.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.bridge.Census;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.SoftDpu;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.DmaProtocol;
import io.dpuactors.protocol.EngineProtocol.OpenDma;
import io.dpuactors.protocol.EngineProtocol.OpenSha;
import io.dpuactors.protocol.ShaProtocol;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.testing.BlockPoint;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests tasks on data in the heap: results, waiting, refusals, deadlines and the end. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class HeapTasksTest {
  private static final int BYTES = 4096;

  @Test
  void deflatedDataInflatesToTheInput() throws Exception {
    try (RunningSystem system = RunningSystem.create()) {
      ActorRef<CompressProtocol.Command> compress =
          system.opened("compress", TaskOptions.defaults());
      HeapTasks<CompressProtocol.Command> deflate =
          tasks(system, compress, CompressProtocol.Deflate::new, options().withInFlight(2));
      HeapTasks<CompressProtocol.Command> inflate =
          tasks(system, compress, CompressProtocol.Inflate::new, options().withInFlight(2));
      List<CompletionStage<ByteString>> results = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        results.add(deflate.run(text(i)).thenCompose(inflate::run));
      }
      for (int i = 0; i < 100; i++) {
        assertThat(get(results.get(i))).isEqualTo(text(i));
      }
      get(deflate.close());
      get(inflate.close());
      assertEndsClean(system);
    }
  }

  @Test
  void aTaskThatTheContextRefusesWithBusyIsSentAgain() throws Exception {
    FreshSoftDpu.DEVICE.faults("compress-deflate:delay=2ms");
    try (RunningSystem system = RunningSystem.create()) {
      HeapTasks<CompressProtocol.Command> tasks =
          deflate(
              system, TaskOptions.defaults().withWindow(1).withQueue(1), options().withInFlight(8));
      List<CompletionStage<ByteBuffer>> results = new ArrayList<>();
      for (int i = 0; i < 16; i++) {
        results.add(tasks.run(ByteBuffer.wrap(new byte[] {(byte) i})));
      }
      for (CompletionStage<ByteBuffer> result : results) {
        assertThat(get(result).remaining()).isPositive();
      }
      assertThat(tasks.busyRetries()).isPositive();
      get(tasks.close());
      assertEndsClean(system);
    }
  }

  @Test
  void withoutRetriesABusyContextFailsTheTask() throws Exception {
    try (RunningSystem system = RunningSystem.create()) {
      HeapTasks<CompressProtocol.Command> tasks =
          deflate(
              system,
              TaskOptions.defaults().withWindow(1).withQueue(0),
              options().withInFlight(2).withoutBusyRetry());
      BlockPoint blockPoint = system.blockEngine();
      CompletionStage<ByteString> first = tasks.run(text(1));
      CompletionStage<ByteString> second = tasks.run(text(2));
      blockPoint.release();
      assertFails(second, DocaCode.FULL);
      assertThat(get(first).size()).isPositive();
      get(tasks.close());
      assertEndsClean(system);
    }
  }

  @Test
  void everyKindOfTaskRunsOnDataInTheHeap() throws Exception {
    ByteString block = ByteString.fromArray(new byte[] {0x50, 'h', 'e', 'l', 'l', 'o'});
    ByteString frame =
        ByteString.fromArray(new byte[] {6, 0, 0, 0})
            .concat(block)
            .concat(ByteString.fromArray(new byte[4]));
    try (RunningSystem system = RunningSystem.create()) {
      ActorRef<CompressProtocol.Command> compress =
          system.opened("compress", TaskOptions.defaults());
      assertThat(run(system, compress, CompressProtocol.Lz4Block::new, block).utf8String())
          .isEqualTo("hello");
      assertThat(
              run(
                      system,
                      compress,
                      (src, dst, replyTo) ->
                          new CompressProtocol.Lz4Stream(src, dst, false, true, 0, replyTo),
                      frame)
                  .utf8String())
          .isEqualTo("hello");
      assertThat(run(system, openDma(system), DmaProtocol.Copy::new, text(1))).isEqualTo(text(1));
      ByteString digest =
          run(
              system,
              openSha(system),
              (src, dst, replyTo) ->
                  new ShaProtocol.Hash(ShaProtocol.Algorithm.SHA256, src, dst, replyTo),
              text(1));
      assertThat(digest.toArray())
          .isEqualTo(MessageDigest.getInstance("SHA-256").digest(text(1).toArray()));
      assertEndsClean(system);
    }
  }

  private static ActorRef<DmaProtocol.Command> openDma(RunningSystem system) {
    TestProbe<DmaProtocol.OpenReply> probe = system.kit.createTestProbe();
    system.engine.tell(new OpenDma("dma", TaskOptions.defaults(), probe.getRef()));
    return ((DmaProtocol.Opened) probe.receiveMessage()).context();
  }

  private static ActorRef<ShaProtocol.Command> openSha(RunningSystem system) {
    TestProbe<ShaProtocol.OpenReply> probe = system.kit.createTestProbe();
    system.engine.tell(new OpenSha("sha", TaskOptions.defaults(), probe.getRef()));
    return ((ShaProtocol.Opened) probe.receiveMessage()).context();
  }

  private static <C> ByteString run(
      RunningSystem system, ActorRef<C> context, HeapTasks.Task<C> task, ByteString input)
      throws Exception {
    HeapTasks<C> tasks =
        get(HeapTasks.open(system.kit.system(), system.engine, context, task, options()));
    ByteString output = get(tasks.run(input));
    assertThat(get(tasks.run(input.asByteBuffer()))).isEqualTo(output.asByteBuffer());
    get(tasks.close());
    return output;
  }

  @Test
  void buffersNeedAContextOfTasks() throws Exception {
    try (RunningSystem system = RunningSystem.create()) {
      ActorRef<CompressProtocol.Command> unknown = system.kit.system().ignoreRef();
      assertFails(
          HeapTasks.open(
              system.kit.system(),
              system.engine,
              unknown,
              CompressProtocol.Deflate::new,
              options()),
          DocaCode.NOT_FOUND);
      assertEndsClean(system);
    }
  }

  @Test
  void anErrorOfTheDeviceFailsOneTask() throws Exception {
    try (RunningSystem system = RunningSystem.create()) {
      HeapTasks<CompressProtocol.Command> tasks =
          deflate(system, TaskOptions.defaults(), options().withInFlight(1));
      FreshSoftDpu.DEVICE.faults("compress-deflate:fail:nth=1");
      assertFails(tasks.run(text(1)), DocaCode.IO_FAILED);
      assertThat(get(tasks.run(text(1))).size()).isPositive();
      get(tasks.close());
      assertEndsClean(system);
    }
  }

  @Test
  void aTaskThatMissesItsDeadlineFailsAndItsBuffersServeTheNext() throws Exception {
    try (RunningSystem system = RunningSystem.create()) {
      HeapTasks<CompressProtocol.Command> tasks =
          deflate(
              system,
              TaskOptions.defaults(),
              options().withInFlight(1).withDeadline(Duration.ofMillis(300)));
      FreshSoftDpu.DEVICE.faults("compress-deflate:delay=2s:nth=1");
      assertFails(tasks.run(text(1)), DocaCode.TIME_OUT);
      assertFails(tasks.run(text(2)), DocaCode.TIME_OUT); // waits for buffers that never return
      FreshSoftDpu.DEVICE.clearFaults();
      ByteString output = null;
      for (int attempt = 0; output == null && attempt < 20; attempt++) {
        output =
            tasks
                .run(text(3))
                .exceptionally(late -> null)
                .toCompletableFuture()
                .get(10, TimeUnit.SECONDS);
      }
      assertThat(output).isNotNull();
      get(tasks.close());
      assertEndsClean(system);
    }
  }

  @Test
  void aTaskOfAContextThatHasStoppedFailsWithShutdown() throws Exception {
    try (RunningSystem system = RunningSystem.create()) {
      ActorRef<CompressProtocol.Command> compress =
          system.opened("compress", TaskOptions.defaults());
      HeapTasks<CompressProtocol.Command> tasks =
          tasks(system, compress, CompressProtocol.Deflate::new, options());
      TestProbe<Stopped> stopped = system.kit.createTestProbe();
      compress.tell(new Stop(stopped.getRef()));
      stopped.expectTerminated(compress);
      assertFails(tasks.run(text(1)), DocaCode.SHUTDOWN);
      get(tasks.close());
      assertEndsClean(system);
    }
  }

  @Test
  void closeWaitsForBuffersThatTheDeviceHolds() throws Exception {
    FreshSoftDpu.DEVICE.execution(SoftDpu.Execution.INLINE);
    try (RunningSystem system = RunningSystem.create()) {
      HeapTasks<CompressProtocol.Command> tasks =
          deflate(system, TaskOptions.defaults(), options().withDeadline(Duration.ofSeconds(1)));
      FreshSoftDpu.DEVICE.manualClock(true); // the device keeps its task
      CompletionStage<ByteString> late = tasks.run(text(1));
      CompletionStage<?> closed = tasks.close();
      assertFails(late, DocaCode.TIME_OUT);
      assertThat(closed.toCompletableFuture()).isNotDone();
      FreshSoftDpu.DEVICE.manualClock(false);
      get(closed);
      assertThat(system.open(Census.Resource.BUFFER_POOL)).isZero();
      assertEndsClean(system);
    }
  }

  /** The deadline is 2.2 s. Pauses that double without a limit would end after 4.1 s. */
  @Test
  void aCloseThatTheDeviceDelaysFailsAtItsDeadline() throws Exception {
    FreshSoftDpu.DEVICE.execution(SoftDpu.Execution.INLINE);
    try (RunningSystem system = RunningSystem.create()) {
      HeapTasks<CompressProtocol.Command> tasks =
          deflate(system, TaskOptions.defaults(), options().withDeadline(Duration.ofMillis(2200)));
      FreshSoftDpu.DEVICE.manualClock(true); // the device keeps its task
      CompletionStage<ByteString> late = tasks.run(text(1));
      CompletionStage<?> closed = tasks.close();
      assertFails(late, DocaCode.TIME_OUT);
      assertThat(closed.toCompletableFuture()).failsWithin(Duration.ofMillis(3900));
      assertFails(closed, DocaCode.IN_USE);
      FreshSoftDpu.DEVICE.manualClock(false);
      assertEndsClean(system);
    }
  }

  @Test
  void aMessageThatCannotBeMadeReturnsItsBuffers() throws Exception {
    try (RunningSystem system = RunningSystem.create()) {
      AtomicInteger calls = new AtomicInteger();
      HeapTasks<CompressProtocol.Command> tasks =
          tasks(
              system,
              system.opened("compress", TaskOptions.defaults()),
              (src, dst, replyTo) -> {
                if (calls.incrementAndGet() == 1) {
                  throw new IllegalStateException("thrown on purpose");
                }
                return new CompressProtocol.Deflate(src, dst, replyTo);
              },
              options().withInFlight(1).withDeadline(Duration.ofSeconds(5)));
      assertThatThrownBy(() -> get(tasks.run(text(1)))).hasRootCauseMessage("thrown on purpose");
      assertThat(get(tasks.run(text(2))).size()).isPositive();
      get(tasks.close());
      assertEndsClean(system);
    }
  }

  @Test
  void aTextInPartsIsCopiedInOrder() throws Exception {
    try (RunningSystem system = RunningSystem.create()) {
      ByteString parts = text(1).concat(text(2)).concat(text(3));
      assertThat(run(system, openDma(system), DmaProtocol.Copy::new, parts)).isEqualTo(parts);
      assertEndsClean(system);
    }
  }

  @Test
  void wrongCallsAreRefusedAtOnce() throws Exception {
    try (RunningSystem system = RunningSystem.create()) {
      HeapTasks<CompressProtocol.Command> tasks =
          deflate(system, TaskOptions.defaults(), options().withInFlight(1).withMaxWaiting(1));
      assertFails(tasks.run(ByteString.fromArray(new byte[BYTES + 1])), DocaCode.INVALID_VALUE);
      BlockPoint blockPoint = system.blockEngine();
      CompletionStage<ByteString> first = tasks.run(text(1));
      CompletionStage<ByteString> second = tasks.run(text(2));
      assertFails(tasks.run(text(3)), DocaCode.FULL);
      CompletionStage<?> closed = tasks.close();
      assertFails(tasks.run(text(4)), DocaCode.SHUTDOWN);
      blockPoint.release();
      assertThat(get(first).size()).isPositive();
      assertThat(get(second).size()).isPositive();
      get(closed);
      assertEndsClean(system);
    }
  }

  @Test
  void theDurationsMayBeForEver() throws Exception {
    try (RunningSystem system = RunningSystem.create()) {
      Duration forEver = ChronoUnit.FOREVER.getDuration();
      Duration longest = Duration.ofDays(24);
      HeapTaskOptions options = options().withDeadline(forEver).withBusyRetry(forEver, forEver);
      assertThat(List.of(options.deadline(), options.busyDelay(), options.maxBusyDelay()))
          .containsExactly(longest, longest, longest);
      HeapTasks<CompressProtocol.Command> tasks = deflate(system, TaskOptions.defaults(), options);
      assertThat(get(tasks.run(text(1))).size()).isPositive();
      get(tasks.close());
      assertEndsClean(system);
    }
  }

  private static HeapTaskOptions options() {
    return HeapTaskOptions.of(BYTES, 2 * BYTES);
  }

  private static HeapTasks<CompressProtocol.Command> deflate(
      RunningSystem system, TaskOptions context, HeapTaskOptions options) throws Exception {
    return tasks(
        system, system.opened("compress", context), CompressProtocol.Deflate::new, options);
  }

  private static HeapTasks<CompressProtocol.Command> tasks(
      RunningSystem system,
      ActorRef<CompressProtocol.Command> context,
      HeapTasks.Task<CompressProtocol.Command> task,
      HeapTaskOptions options)
      throws Exception {
    return get(HeapTasks.open(system.kit.system(), system.engine, context, task, options));
  }

  private static ByteString text(int number) {
    return ByteString.fromArray(("text " + number + " ").repeat(100).getBytes(UTF_8));
  }

  private static <T> T get(CompletionStage<T> stage) throws Exception {
    return stage.toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  private static void assertFails(CompletionStage<?> stage, DocaCode code) {
    assertThatThrownBy(() -> get(stage))
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOfSatisfying(
            DocaException.class, thrown -> assertThat(thrown.error().code()).isEqualTo(code));
  }

  private static void assertEndsClean(RunningSystem system) {
    assertThat(system.stopEngine().census()).isEqualTo("empty");
  }
}
