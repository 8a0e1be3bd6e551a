package io.dpuactors.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.Census;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.TaskBuffers;
import io.dpuactors.bridge.TaskBuffers.Pair;
import io.dpuactors.bridge.TaskCapabilities;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.engine.HeapTaskOptions;
import io.dpuactors.engine.HeapTasks;
import io.dpuactors.protocol.BufferOptions;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.CompressProtocol.Deflate;
import io.dpuactors.protocol.CompressProtocol.GetCapabilities;
import io.dpuactors.protocol.CompressProtocol.OpenFailed;
import io.dpuactors.protocol.CompressProtocol.Opened;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.GetStatus;
import io.dpuactors.protocol.EngineProtocol.OpenCompress;
import io.dpuactors.protocol.EngineProtocol.Status;
import io.dpuactors.protocol.MemoryProtocol.BuffersFailed;
import io.dpuactors.protocol.MemoryProtocol.BuffersOpened;
import io.dpuactors.protocol.MemoryProtocol.CloseBuffers;
import io.dpuactors.protocol.MemoryProtocol.ClosePool;
import io.dpuactors.protocol.MemoryProtocol.LeasesOwned;
import io.dpuactors.protocol.MemoryProtocol.LeasesRefused;
import io.dpuactors.protocol.MemoryProtocol.OpenBuffers;
import io.dpuactors.protocol.MemoryProtocol.OpenPool;
import io.dpuactors.protocol.MemoryProtocol.OwnLeases;
import io.dpuactors.protocol.MemoryProtocol.PoolClosed;
import io.dpuactors.protocol.MemoryProtocol.PoolFailed;
import io.dpuactors.protocol.MemoryProtocol.PoolOpened;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import io.dpuactors.protocol.TaskOptions;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.util.ByteString;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that an engine and a scripted engine answer alike. */
class EngineConformanceTest {
  private static final ByteString TEXT =
      ByteString.fromArray("hello, engine! ".repeat(100).getBytes(UTF_8));

  @RegisterExtension static final EngineTestKit DPU = EngineTestKit.create();

  private TestProbe<Object> answers;

  @BeforeEach
  void createProbe() {
    answers = DPU.actors().createTestProbe();
  }

  private static ActorRef<EngineProtocol.Command> engine(Subject.Kind kind) {
    return kind == Subject.Kind.REAL ? DPU.engine() : ScriptedEngine.create(DPU.actors()).ref();
  }

  private <R> R answer(Class<R> type) {
    return answers.expectMessageClass(type);
  }

  private ActorRef<CompressProtocol.Command> compress(ActorRef<EngineProtocol.Command> engine) {
    engine.tell(new OpenCompress("compress", TaskOptions.defaults(), answers.getRef().narrow()));
    return answer(Opened.class).context();
  }

  private BufferPool pool(ActorRef<EngineProtocol.Command> engine) {
    engine.tell(new OpenPool(PoolOptions.of(2, 64), answers.getRef().narrow()));
    return answer(PoolOpened.class).pool();
  }

  private TaskBuffers buffers(ActorRef<EngineProtocol.Command> engine, ActorRef<?> context) {
    BufferOptions options = BufferOptions.of(1, 64, 128);
    engine.tell(new OpenBuffers(context, options, answers.getRef().narrow()));
    return answer(BuffersOpened.class).buffers();
  }

  private Optional<DocaCode> closed() {
    return answer(PoolClosed.class).failure().map(error -> error.code());
  }

  private void refusesBuffers(
      ActorRef<EngineProtocol.Command> engine, ActorRef<?> context, int pairs, DocaCode code) {
    BufferOptions options = BufferOptions.of(pairs, 64, 128);
    engine.tell(new OpenBuffers(context, options, answers.getRef().narrow()));
    assertThat(answer(BuffersFailed.class).error().code()).isEqualTo(code);
  }

  private static <T> T get(CompletionStage<T> stage) throws Exception {
    return stage.toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  @ParameterizedTest
  @EnumSource(Subject.Kind.class)
  void heapTasksRunAndClose(Subject.Kind kind) throws Exception {
    ActorRef<EngineProtocol.Command> engine = engine(kind);
    ActorRef<CompressProtocol.Command> context = compress(engine);
    context.tell(new GetCapabilities(answers.getRef().narrow()));
    assertThat(answer(TaskCapabilities.class).of(TaskKind.COMPRESS_DEFLATE).supported()).isTrue();
    HeapTaskOptions options = HeapTaskOptions.of(4096, 4096);
    HeapTasks<CompressProtocol.Command> deflate =
        get(HeapTasks.open(DPU.actors().system(), engine, context, Deflate::new, options));
    HeapTasks<CompressProtocol.Command> inflate =
        get(
            HeapTasks.open(
                DPU.actors().system(), engine, context, CompressProtocol.Inflate::new, options));
    ByteString deflated = get(deflate.run(TEXT));
    assertThat(deflated.size()).isLessThan(TEXT.size());
    assertThat(get(inflate.run(deflated))).isEqualTo(TEXT);
    get(deflate.close());
    get(inflate.close());
    TestProbe<Status> status = DPU.actors().createTestProbe();
    engine.tell(new GetStatus(status.getRef()));
    assertThat(status.receiveMessage().open())
        .containsEntry(Census.Resource.CONTEXT, 1)
        .doesNotContainKey(Census.Resource.BUFFER_POOL);
  }

  @ParameterizedTest
  @EnumSource(Subject.Kind.class)
  void memoryIsRefusedWithTheSameCodes(Subject.Kind kind) {
    ActorRef<EngineProtocol.Command> engine = engine(kind);
    ActorRef<CompressProtocol.Command> context = compress(engine);
    refusesBuffers(engine, answers.getRef(), 1, DocaCode.NOT_FOUND);
    refusesBuffers(engine, context, 0, DocaCode.INVALID_VALUE);
    engine.tell(new OpenPool(PoolOptions.of(1, 0), answers.getRef().narrow()));
    assertThat(answer(PoolFailed.class).error().code()).isEqualTo(DocaCode.INVALID_VALUE);
    TaskBuffers buffers = buffers(engine, context);
    Pair pair = requireNonNull(buffers.lease());
    engine.tell(new CloseBuffers(buffers, answers.getRef().narrow()));
    assertThat(closed()).contains(DocaCode.IN_USE);
    pair.release();
    engine.tell(new CloseBuffers(buffers, answers.getRef().narrow()));
    assertThat(closed()).isEmpty();
    BufferPool pool = pool(engine);
    engine.tell(new ClosePool(pool, answers.getRef().narrow()));
    assertThat(closed()).isEmpty();
    engine.tell(new OwnLeases(answers.getRef(), pool, answers.getRef().narrow()));
    assertThat(answer(LeasesRefused.class).error().code()).isEqualTo(DocaCode.BAD_STATE);
  }

  @ParameterizedTest
  @EnumSource(Subject.Kind.class)
  void leasesReturnWithTheRestartAndTheEndOfTheirOwner(Subject.Kind kind) {
    ActorRef<EngineProtocol.Command> engine = engine(kind);
    BufferPool pool = pool(engine);
    ActorRef<Object> owner = DPU.actors().spawn(Behaviors.receiveMessage(m -> Behaviors.stopped()));
    engine.tell(new OwnLeases(owner, pool, answers.getRef().narrow()));
    requireNonNull(answer(LeasesOwned.class).leases().lease());
    engine.tell(new OwnLeases(owner, pool, answers.getRef().narrow()));
    var leases = answer(LeasesOwned.class).leases();
    assertThat(pool.available()).isEqualTo(2);
    requireNonNull(leases.lease());
    owner.tell("end");
    Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> pool.available() == 2);
    assertThat(leases.isEnded()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(Subject.Kind.class)
  void aNameIsFreeAfterItsContext(Subject.Kind kind) {
    ActorRef<EngineProtocol.Command> engine = engine(kind);
    ActorRef<CompressProtocol.Command> context = compress(engine);
    engine.tell(new OpenCompress("compress", TaskOptions.defaults(), answers.getRef().narrow()));
    assertThat(answer(OpenFailed.class).error().code()).isEqualTo(DocaCode.ALREADY_EXIST);
    context.tell(new Stop(answers.getRef().narrow()));
    assertThat(answer(Stopped.class)).isEqualTo(Stopped.CLEAN);
    answers.expectTerminated(context);
    Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> isOpened(engine));
    refusesBuffers(engine, context, 1, DocaCode.NOT_FOUND);
  }

  private boolean isOpened(ActorRef<EngineProtocol.Command> engine) {
    TestProbe<CompressProtocol.OpenReply> opened = DPU.actors().createTestProbe();
    engine.tell(new OpenCompress("compress", TaskOptions.defaults(), opened.getRef()));
    return opened.receiveMessage() instanceof Opened;
  }

  @ParameterizedTest
  @EnumSource(Subject.Kind.class)
  void stopWaitsForLeasesAndEndsTheContexts(Subject.Kind kind) {
    ActorRef<EngineProtocol.Command> engine = engine(kind);
    ActorRef<CompressProtocol.Command> context = compress(engine);
    TaskBuffers buffers = buffers(engine, context);
    Pair pair = requireNonNull(buffers.lease());
    engine.tell(new Stop(answers.getRef().narrow()));
    answers.expectTerminated(context);
    assertThat(buffers.lease()).isNull();
    refusesBuffers(engine, context, 1, DocaCode.SHUTDOWN);
    pair.release();
    assertThat(answer(Stopped.class)).isEqualTo(Stopped.CLEAN);
    answers.expectTerminated(engine);
    engine.tell(new Stop(answers.getRef().narrow()));
    assertThat(answer(Stopped.class)).isEqualTo(Stopped.CLEAN);
  }
}
