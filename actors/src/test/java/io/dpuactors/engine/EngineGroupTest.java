package io.dpuactors.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.Census;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.SoftDpu;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.bridge.TaskBuffers;
import io.dpuactors.bridge.TaskBuffers.Pair;
import io.dpuactors.bridge.TaskCapabilities;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.loop.BreakableLoops;
import io.dpuactors.protocol.BatchReply;
import io.dpuactors.protocol.BufferOptions;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.CompressProtocol.Batch;
import io.dpuactors.protocol.CompressProtocol.Deflate;
import io.dpuactors.protocol.CompressProtocol.OpenFailed;
import io.dpuactors.protocol.CompressProtocol.OpenReply;
import io.dpuactors.protocol.CompressProtocol.Opened;
import io.dpuactors.protocol.EngineProtocol.Command;
import io.dpuactors.protocol.EngineProtocol.GetStatus;
import io.dpuactors.protocol.EngineProtocol.OpenCompress;
import io.dpuactors.protocol.EngineProtocol.Status;
import io.dpuactors.protocol.MemoryProtocol.BuffersFailed;
import io.dpuactors.protocol.MemoryProtocol.BuffersOpened;
import io.dpuactors.protocol.MemoryProtocol.BuffersReply;
import io.dpuactors.protocol.MemoryProtocol.CloseBuffers;
import io.dpuactors.protocol.MemoryProtocol.OpenBuffers;
import io.dpuactors.protocol.MemoryProtocol.OpenPool;
import io.dpuactors.protocol.MemoryProtocol.PoolClosed;
import io.dpuactors.protocol.MemoryProtocol.PoolFailed;
import io.dpuactors.protocol.MemoryProtocol.PoolReply;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import io.dpuactors.protocol.TaskReply.Failed;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ExpectedLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.util.ByteString;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests several engines behind one reference: routing, losses, refusals and the end. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class EngineGroupTest {
  private static final TaskOptions DEFLATE =
      TaskOptions.defaults()
          .withKinds(TaskKind.COMPRESS_DEFLATE)
          .withSupervision(SupervisorStrategy.stop());
  private static final Duration BOUND = Duration.ofSeconds(20);

  private final ActorTestKit kit =
      ActorTestKit.create(
          "group",
          ConfigFactory.load(
              ConfigFactory.parseString(BreakableLoops.CONFIG)
                  .withFallback(ConfigFactory.parseResources("application-test.conf"))));
  private final TestProbe<TaskReply> replies = kit.createTestProbe();

  @AfterEach
  void end() {
    kit.shutdownTestKit();
  }

  private ActorRef<Command> group(GroupOptions options) {
    return kit.spawn(EngineGroup.create(options), "group");
  }

  private OpenReply open(ActorRef<Command> group, String name, TaskOptions options) {
    TestProbe<OpenReply> probe = kit.createTestProbe();
    group.tell(new OpenCompress(name, options, probe.getRef()));
    return probe.receiveMessage();
  }

  private ActorRef<CompressProtocol.Command> opened(ActorRef<Command> group) {
    return ((Opened) open(group, "compress", DEFLATE)).context();
  }

  private BuffersReply openBuffers(ActorRef<Command> group, ActorRef<?> context, int pairs) {
    TestProbe<BuffersReply> probe = kit.createTestProbe();
    group.tell(new OpenBuffers(context, BufferOptions.of(pairs, 4096, 8192), probe.getRef()));
    return probe.receiveMessage();
  }

  private TaskBuffers buffers(ActorRef<Command> group, ActorRef<?> context, int pairs) {
    return ((BuffersOpened) openBuffers(group, context, pairs)).buffers();
  }

  private PoolClosed close(ActorRef<Command> group, TaskBuffers buffers) {
    TestProbe<PoolClosed> probe = kit.createTestProbe();
    group.tell(new CloseBuffers(buffers, probe.getRef()));
    return probe.receiveMessage();
  }

  private void stop(ActorRef<Command> group) {
    TestProbe<Stopped> probe = kit.createTestProbe();
    group.tell(new Stop(probe.getRef()));
    assertThat(probe.receiveMessage()).isEqualTo(Stopped.CLEAN);
    probe.expectTerminated(group);
  }

  private static Pair filled(TaskBuffers buffers) {
    Pair pair = requireNonNull(buffers.lease());
    fill(pair.src());
    return pair;
  }

  private static void fill(Buffer src) {
    src.bytes().put("hello".getBytes(UTF_8));
    src.length(5);
  }

  private Failed refused(ActorRef<CompressProtocol.Command> context, Buffer src, Buffer dst) {
    context.tell(new Deflate(src, dst, replies.getRef()));
    return replies.expectMessageClass(Failed.class);
  }

  @Test
  void tasksRunOnAllEngines() throws Exception {
    ActorRef<Command> group = group(GroupOptions.of(3).onDevices("03:00.0", "03:00.1"));
    HeapTasks<CompressProtocol.Command> deflate =
        get(
            HeapTasks.open(
                kit.system(),
                group,
                opened(group),
                Deflate::new,
                HeapTaskOptions.of(4096, 8192).withInFlight(2)));
    ByteString text = ByteString.fromArray("hello, group! ".repeat(100).getBytes(UTF_8));
    List<CompletionStage<ByteString>> results = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      results.add(deflate.run(text));
    }
    for (CompletionStage<ByteString> result : results) {
      assertThat(get(result).size()).isBetween(1, text.size() - 1);
    }
    TestProbe<Status> status = kit.createTestProbe();
    group.tell(new GetStatus(status.getRef()));
    Status sum = status.receiveMessage();
    assertThat(sum.open()).containsEntry(Census.Resource.BUFFER_POOL, 6);
    assertThat(sum.library()).isEqualTo("software DPU");
    get(deflate.close());
    stop(group);
  }

  @Test
  void aLeaseTakesTheEngineWithTheFewestPairsInUse() {
    ActorRef<Command> group = group(GroupOptions.of(3));
    TaskBuffers buffers = buffers(group, opened(group), 2);
    assertThat(buffers.capacity()).isEqualTo(6);
    List<Pair> pairs = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      pairs.add(filled(buffers));
    }
    assertThat(pairs).extracting(pair -> pair.src().pool()).doesNotHaveDuplicates();
    BufferPool second = pairs.get(1).src().pool();
    pairs.get(1).release();
    pairs.set(1, filled(buffers));
    assertThat(pairs.get(1).src().pool()).isSameAs(second);
    for (int i = 3; i < 6; i++) {
      pairs.add(filled(buffers));
    }
    assertThat(buffers.lease()).isNull();
    assertThat(close(group, buffers).failure().orElseThrow().code()).isEqualTo(DocaCode.IN_USE);
    pairs.forEach(Pair::release);
    assertThat(close(group, buffers).failure()).isEmpty();
    stop(group);
  }

  /** The device completes no task before its clock runs, and that is after the loss. */
  @Test
  @ExpectedLog({"has failed", "has lost its progress engine", "a turn of the device failed"})
  void aLostEngineFailsItsRequestsAndTheOthersContinue() {
    FreshSoftDpu.DEVICE.execution(SoftDpu.Execution.INLINE);
    ActorRef<Command> group = group(GroupOptions.of(2));
    ActorRef<CompressProtocol.Command> context = opened(group);
    TaskBuffers buffers = buffers(group, context, 2);
    BufferPool lost = buffers.parts().get(1).sources();
    FreshSoftDpu.DEVICE.manualClock(true);
    Set<Long> ofLost = new HashSet<>();
    for (long i = 0; i < 4; i++) {
      Pair pair = filled(buffers);
      if (pair.src().pool() == lost) {
        ofLost.add(i);
      }
      context.tell(new Deflate(pair.src(), pair.dst(), i, replies.getRef()));
    }
    assertThat(ofLost).hasSize(2);
    Awaitility.await()
        .atMost(BOUND)
        .until(() -> FreshSoftDpu.DEVICE.census().getOrDefault("tasksInFlight", 0L) == 4);
    BreakableLoops.breakTurns("group-1", 4);
    List<TaskReply> failed = replies.receiveSeveralMessages(2);
    assertThat(failed).hasOnlyElementsOfType(Failed.class);
    assertThat(RunningSystem.tags(failed)).isEqualTo(ofLost);
    FreshSoftDpu.DEVICE.manualClock(false);
    List<TaskReply> completed = replies.receiveSeveralMessages(2);
    assertThat(completed).hasOnlyElementsOfType(Completed.class);
    assertThat(RunningSystem.tags(completed)).doesNotContainAnyElementsOf(ofLost).hasSize(2);
    failed.forEach(RunningSystem::releaseBuffers);
    completed.forEach(RunningSystem::releaseBuffers);
    Awaitility.await().atMost(BOUND).until(() -> buffers.capacity() == 2);
    for (int i = 0; i < 20; i++) {
      Pair pair = filled(buffers);
      context.tell(new Deflate(pair.src(), pair.dst(), i, replies.getRef()));
      RunningSystem.releaseBuffers(replies.expectMessageClass(Completed.class));
    }
    assertThat(close(group, buffers).failure()).isEmpty();
    TaskBuffers again = buffers(group, context, 1);
    assertThat(again.parts()).hasSize(1);
    stop(group);
    replies.expectNoMessage(Duration.ZERO); // a second answer would be here
  }

  @Test
  @ExpectedLog("the context stopped by itself")
  void aLostDeviceCostsItsRequestsAndItsMemoryLendsNothing() {
    ActorRef<Command> group = group(GroupOptions.of(2).onDevices("03:00.0", "03:00.1"));
    ActorRef<CompressProtocol.Command> context = opened(group);
    TaskBuffers buffers = buffers(group, context, 1);
    Pair one = filled(buffers);
    Pair two = filled(buffers);
    FreshSoftDpu.DEVICE.faults("compress-deflate:lost:nth=1");
    context.tell(new Deflate(one.src(), one.dst(), 1, replies.getRef()));
    assertThat(replies.expectMessageClass(Failed.class).ownership())
        .isEqualTo(TaskReply.Ownership.RETURNED);
    Awaitility.await().atMost(BOUND).until(() -> buffers.capacity() == 1);
    assertThat(refused(context, one.src(), one.dst()).code()).isEqualTo(DocaCode.SHUTDOWN);
    context.tell(new Deflate(two.src(), two.dst(), 2, replies.getRef()));
    replies.expectMessageClass(Completed.class);
    one.release();
    two.release();
    stop(group);
  }

  @Test
  @ExpectedLog({"has failed", "has lost its progress engine", "a turn of the device failed"})
  void theGroupFailsWithItsLastEngine() {
    ActorRef<Command> group = group(GroupOptions.of(1));
    ActorRef<CompressProtocol.Command> context = opened(group);
    TestProbe<Object> watcher = kit.createTestProbe();
    BreakableLoops.breakTurns("group-0", 4);
    watcher.expectTerminated(context);
    watcher.expectTerminated(group);
  }

  @Test
  @ExpectedLog({"has failed", "it must be any, or a number", "has lost its progress engine"})
  void commandsToAGroupThatCannotStartAreRefused() {
    EngineOptions invalid = EngineOptions.defaults().withCpu(9999);
    TestProbe<OpenReply> probe = kit.createTestProbe();
    ActorRef<Command> group = group(GroupOptions.of(2).withSettings(invalid));
    group.tell(new OpenCompress("compress", DEFLATE, probe.getRef()));
    assertThat(((OpenFailed) probe.receiveMessage()).error().code()).isEqualTo(DocaCode.SHUTDOWN);
    probe.expectTerminated(group);
    group.tell(new OpenCompress("later", DEFLATE, probe.getRef()));
    assertThat(((OpenFailed) probe.receiveMessage()).error().code()).isEqualTo(DocaCode.SHUTDOWN);
  }

  @Test
  void aGroupThatEndsAnswersGetStatus() {
    ActorRef<Command> group = group(GroupOptions.of(2));
    TestProbe<Stopped> stopped = kit.createTestProbe();
    TestProbe<Status> status = kit.createTestProbe();
    group.tell(new Stop(stopped.getRef()));
    group.tell(new GetStatus(status.getRef()));
    status.receiveMessage();
    assertThat(stopped.receiveMessage()).isEqualTo(Stopped.CLEAN);
  }

  @Test
  void aBatchRunsOnTheEngineOfItsBuffers() {
    ActorRef<Command> group = group(GroupOptions.of(2));
    ActorRef<CompressProtocol.Command> context = opened(group);
    TaskBuffers buffers = buffers(group, context, 1);
    Pair one = filled(buffers);
    Pair two = filled(buffers);
    TestProbe<BatchReply> ended = kit.createTestProbe();
    TaskBatch batch = TaskBatch.of(List.of(one.src()), List.of(one.dst()));
    context.tell(new Batch(TaskKind.COMPRESS_DEFLATE, batch, 7, ended.getRef()));
    assertThat(ended.expectMessageClass(BatchReply.Ended.class).tag()).isEqualTo(7);
    batch.close();
    assertThat(refused(context, one.src(), two.dst()).code()).isEqualTo(DocaCode.INVALID_VALUE);
    one.release();
    two.release();
    stop(group);
  }

  @Test
  void contextsOfAGroupStopTogether() {
    ActorRef<Command> group = group(GroupOptions.of(2));
    ActorRef<CompressProtocol.Command> context = opened(group);
    TestProbe<TaskCapabilities> capabilities = kit.createTestProbe();
    context.tell(new CompressProtocol.GetCapabilities(capabilities.getRef()));
    assertThat(capabilities.receiveMessage().of(TaskKind.COMPRESS_DEFLATE).supported()).isTrue();
    TestProbe<Stopped> stopped = kit.createTestProbe();
    context.tell(new Stop(stopped.getRef()));
    assertThat(stopped.receiveMessage()).isEqualTo(Stopped.CLEAN);
    stopped.expectTerminated(context);
    assertThat(((BuffersFailed) openBuffers(group, context, 1)).error().code())
        .isEqualTo(DocaCode.NOT_FOUND);
    assertThat(open(group, "compress", DEFLATE)).isInstanceOf(Opened.class);
    stop(group);
  }

  @Test
  void aGroupRefusesUnsupportedRequests() {
    ActorRef<Command> group = group(GroupOptions.of(2));
    assertThat(((OpenFailed) open(group, "any", TaskOptions.defaults())).error().code())
        .isEqualTo(DocaCode.INVALID_VALUE);
    assertThat(((OpenFailed) open(group, "none", DEFLATE.onDevice("99:00.0"))).error().code())
        .isEqualTo(DocaCode.NOT_FOUND);
    opened(group);
    assertThat(((OpenFailed) open(group, "compress", DEFLATE)).error().code())
        .isEqualTo(DocaCode.ALREADY_EXIST);
    TestProbe<PoolReply> pool = kit.createTestProbe();
    group.tell(new OpenPool(PoolOptions.of(1, 64), pool.getRef()));
    assertThat(pool.expectMessageClass(PoolFailed.class).error().code())
        .isEqualTo(DocaCode.NOT_SUPPORTED);
    stop(group);
    assertThatThrownBy(() -> GroupOptions.of(1).onDevices("03:00.0", "03:00.1"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1 engines for 2 devices");
  }

  private static <T> T get(CompletionStage<T> stage) throws Exception {
    return stage.toCompletableFuture().get(BOUND.toSeconds(), TimeUnit.SECONDS);
  }
}
