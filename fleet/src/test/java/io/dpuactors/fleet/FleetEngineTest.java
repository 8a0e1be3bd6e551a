package io.dpuactors.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigValueFactory;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.OpenCompress;
import io.dpuactors.protocol.Request;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.TaskOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSelection;
import org.apache.pekko.actor.PoisonPill;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.pattern.Patterns;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Tests contexts of a client that find no node, or end early. */
class FleetEngineTest extends FleetFixture {
  private static final String NAME = "one";
  private static final Duration POLL = Duration.ofSeconds(1);

  @Test
  void aContextWithoutANodeLeavesNoContextBehind() {
    ActorSystem<EngineProtocol.Command> engine = engine("1s");
    assertThat(failure(open(engine))).isEqualTo(DocaCode.NOT_FOUND);
    DocaCode again;
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_S);
    do { // the context of the first attempt is ending
      assertThat(System.nanoTime() - deadline).isNegative();
      again = failure(open(engine));
    } while (again == DocaCode.ALREADY_EXIST);
    assertThat(again).isEqualTo(DocaCode.NOT_FOUND);
  }

  @Test
  void aContextThatEndsWhileItSearchesIsRefused() {
    ActorSystem<EngineProtocol.Command> engine = engine(LIMIT_S + "s");
    CompletableFuture<CompressProtocol.OpenReply> reply = open(engine);
    ActorSelection context = Adapter.toClassic(engine).actorSelection("/user/" + NAME);
    Awaitility.await() // until the context exists, which then ends
        .atMost(Duration.ofSeconds(LIMIT_S))
        .until(
            () -> {
              context.tell(PoisonPill.getInstance(), null);
              return reply.isDone();
            });
    assertThat(failure(reply)).isEqualTo(DocaCode.SHUTDOWN);
  }

  /**
   * A report may wait in the mailbox while its context ends. The signal of the end is behind it.
   */
  @Test
  void aContextThatEndsAfterItsReportIsRefused() throws Exception {
    ActorSystem<EngineProtocol.Command> engine = engine(LIMIT_S + "s");
    CompletableFuture<CompressProtocol.OpenReply> reply = open(engine);
    ActorRef context = child(engine);
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch released = new CountDownLatch(1);
    engine.<Object>unsafeUpcast().tell(new Blocker(entered, released));
    assertThat(entered.await(LIMIT_S, TimeUnit.SECONDS)).isTrue();
    try {
      engine.<Object>unsafeUpcast().tell(new FleetEngine.Found(NAME, null));
      assertThat(Patterns.gracefulStop(context, Duration.ofSeconds(LIMIT_S)).toCompletableFuture())
          .succeedsWithin(LIMIT_S, TimeUnit.SECONDS);
    } finally {
      released.countDown();
    }
    assertThat(failure(reply)).isEqualTo(DocaCode.SHUTDOWN);
  }

  /** A request that an engine refuses, which takes until the test permits it. */
  private record Blocker(CountDownLatch entered, CountDownLatch released) implements Request {
    @Override
    public void refuse(DocaError error) {
      entered.countDown();
      try {
        assertThat(released.await(LIMIT_S, TimeUnit.SECONDS)).isTrue();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  /** Waits until the context exists. */
  private static ActorRef child(ActorSystem<EngineProtocol.Command> engine) {
    ActorSelection context = Adapter.toClassic(engine).actorSelection("/user/" + NAME);
    return Awaitility.await()
        .atMost(Duration.ofSeconds(LIMIT_S))
        .ignoreExceptions()
        .until(() -> context.resolveOne(POLL).toCompletableFuture().get(), one -> true);
  }

  @Test
  void anEngineThatStopsAnswersTheCommandThatSearches() throws Exception {
    ActorSystem<EngineProtocol.Command> engine = engine(LIMIT_S + "s");
    CompletableFuture<CompressProtocol.OpenReply> reply = open(engine);
    engine.tell(new Stop());
    assertThat(failure(reply)).isEqualTo(DocaCode.SHUTDOWN);
    engine.getWhenTerminated().toCompletableFuture().get(LIMIT_S, TimeUnit.SECONDS);
  }

  private ActorSystem<EngineProtocol.Command> engine(String joinDeadline) {
    Config config =
        config()
            .withValue(
                "dpu.fleet.client.join-deadline", ConfigValueFactory.fromAnyRef(joinDeadline));
    List<HostPort> nobody = List.of(new HostPort("127.0.0.1", 1));
    ActorSystem<EngineProtocol.Command> engine =
        ActorSystem.create(
            FleetEngine.create(tally),
            "dpu",
            FleetConfig.client(FleetConfig.withSeeds(config, nobody)));
    systems.add(engine);
    return engine;
  }

  private static CompletableFuture<CompressProtocol.OpenReply> open(
      ActorSystem<EngineProtocol.Command> engine) {
    TaskOptions options = TaskOptions.defaults().withKinds(TaskKind.COMPRESS_DEFLATE);
    return AskPattern.<EngineProtocol.Command, CompressProtocol.OpenReply>ask(
            engine,
            me -> new OpenCompress(NAME, options, me),
            Duration.ofSeconds(LIMIT_S),
            engine.scheduler())
        .toCompletableFuture();
  }

  private static DocaCode failure(CompletableFuture<CompressProtocol.OpenReply> reply) {
    return ((CompressProtocol.OpenFailed) reply.join()).error().code();
  }
}
