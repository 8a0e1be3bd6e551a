package io.dpuactors.context;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.dpuactors.bridge.Census;
import io.dpuactors.bridge.TaskCapabilities;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.protocol.CompressProtocol.Deflate;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.protocol.TaskProtocol.CapabilityQuery;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Failed;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.ManualEngine;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.apache.pekko.actor.testkit.typed.javadsl.BehaviorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the actor of a context message by message, on an engine whose turns the test runs. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class TaskContextTest {
  @Test
  void aContextThatFailsDuringItsStopDoesNotRestart() {
    ManualEngine engine = ManualEngine.create(2);
    BehaviorTestKit<Object> actor = BehaviorTestKit.create(supervised(engine));
    turnUntil(engine, () -> actor.selfInbox().hasMessages());
    actor.runOne(); // the context runs
    TestInbox<TaskReply> replies = TestInbox.create();
    FreshSoftDpu.DEVICE.faults("compress-deflate:lost");
    actor.run(new Deflate(engine.buffer((byte) 1), engine.buffer(), replies.getRef()));
    turnUntil(engine, () -> actor.selfInbox().hasMessages());

    actor.run(new Stop()); // arrives before the failure, which is next in the mailbox
    actor.runOne();
    turnUntil(engine, () -> actor.selfInbox().hasMessages());
    actor.runOne(); // no native resource is left

    assertThat(actor.isAlive()).isFalse();
    Failed failed = (Failed) replies.receiveMessage();
    failed.src().release();
    failed.dst().release();
    engine.close();
  }

  /** A context that throws after Stop must not run again: its engine waits for its end. */
  @Test
  void aContextThatThrowsDuringItsStopDoesNotRestart() {
    ManualEngine engine = ManualEngine.create(2);
    BehaviorTestKit<Object> actor = BehaviorTestKit.create(supervised(engine));
    turnUntil(engine, () -> actor.selfInbox().hasMessages());
    actor.runOne(); // the context runs
    TestInbox<Stopped> stopped = TestInbox.create();

    actor.run(new Stop(stopped.getRef()));
    actor.run(new ThrowingQuery());

    assertThat(actor.isAlive()).isFalse();
    assertThat(stopped.getAllReceived()).hasSize(1);
    engine.settle();
    engine.close();
  }

  /** The actor restarts at once, and its native half waits. */
  @Test
  void aContextThatThrowsOpensAfterItsBackOff() {
    ManualEngine engine = ManualEngine.create(2);
    TaskOptions options =
        TaskOptions.defaults()
            .withSupervision(
                SupervisorStrategy.restartWithBackoff(
                    Duration.ofSeconds(1), Duration.ofSeconds(1), 0));
    BehaviorTestKit<Object> actor = BehaviorTestKit.create(supervised(engine, options));
    turnUntil(engine, () -> actor.selfInbox().hasMessages());
    actor.runOne(); // the context runs

    actor.run(new ThrowingQuery());
    turnUntil(engine, () -> contexts(engine) == 0);
    engine.advance(ManualEngine.SECOND - 1);
    engine.settle();
    assertThat(contexts(engine)).isZero();
    engine.advance(1);
    turnUntil(engine, () -> contexts(engine) == 1);

    actor.run(new Stop());
    turnUntil(engine, () -> contexts(engine) == 0);
    while (actor.selfInbox().hasMessages()) {
      actor.runOne();
    }
    assertThat(actor.isAlive()).isFalse();
    engine.close();
  }

  private static int contexts(ManualEngine engine) {
    return engine.core.progressEngine().census().count(Census.Resource.CONTEXT);
  }

  private record ThrowingQuery() implements CapabilityQuery {
    @Override
    public ActorRef<TaskCapabilities> replyTo() {
      throw new IllegalStateException("thrown on purpose");
    }
  }

  private static Behavior<Object> supervised(ManualEngine engine) {
    return supervised(engine, TaskOptions.defaults());
  }

  private static Behavior<Object> supervised(ManualEngine engine, TaskOptions options) {
    Config root =
        ConfigFactory.load(
            ConfigFactory.parseResources("application-test.conf")
                .withFallback(ConfigFactory.defaultReference()));
    TestInbox<ContextEvent> parent = TestInbox.create();
    return TaskContext.supervised(
        TaskLibrary.COMPRESS, root, engine.core, options, parent.getRef());
  }

  private static void turnUntil(ManualEngine engine, BooleanSupplier done) {
    long limit = System.nanoTime() + Duration.ofSeconds(10).toNanos();
    while (!done.getAsBoolean() && System.nanoTime() < limit) {
      engine.turn();
    }
    assertThat(done.getAsBoolean()).as("it happened in time").isTrue();
  }
}
