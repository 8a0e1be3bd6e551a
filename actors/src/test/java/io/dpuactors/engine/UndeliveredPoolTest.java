package io.dpuactors.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.Census;
import io.dpuactors.protocol.EngineProtocol.GetStatus;
import io.dpuactors.protocol.EngineProtocol.Status;
import io.dpuactors.protocol.MemoryProtocol.OpenPool;
import io.dpuactors.protocol.MemoryProtocol.OpenWindows;
import io.dpuactors.protocol.MemoryProtocol.PoolReply;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import java.time.Duration;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The engine closes a pool whose answer reaches no receiver; it keeps all other pools. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class UndeliveredPoolTest {
  private static final Duration BOUND = Duration.ofSeconds(20);

  private RunningSystem system;
  private BufferPool delivered;

  @BeforeEach
  void open() {
    system = RunningSystem.create("pekko.log-dead-letters = off");
    delivered = system.pool(2, 4096);
  }

  @AfterEach
  void onlyTheDeliveredPoolIsOpen() {
    try {
      Awaitility.await().atMost(BOUND).until(() -> openPools() == 1);
      assertThat(delivered.isClosed()).isFalse();
      assertThat(system.stopEngine().clean()).isTrue();
    } finally {
      system.close();
    }
  }

  private int openPools() {
    TestProbe<Status> probe = system.kit.createTestProbe();
    system.engine.tell(new GetStatus(probe.getRef()));
    return probe.receiveMessage().open().getOrDefault(Census.Resource.BUFFER_POOL, 0);
  }

  private void openPool(ActorRef<PoolReply> replyTo) {
    system.engine.tell(new OpenPool(PoolOptions.of(4, 4096), replyTo));
  }

  private static ActorRef<PoolReply> ended(ActorTestKit kit) {
    ActorRef<PoolReply> actor = kit.spawn(Behaviors.stopped());
    kit.createTestProbe().expectTerminated(actor);
    return actor;
  }

  @Test
  void theReceiverHasEnded() {
    ActorRef<PoolReply> dead = ended(system.kit);
    openPool(dead);
    system.engine.tell(new OpenWindows(delivered, 3, dead));
  }

  @Test
  void theReceiverIgnoresEverything() {
    openPool(system.kit.system().ignoreRef());
  }

  /** The actor ends at its first message, with all answers in its mailbox or on their way. */
  @Test
  void theReceiverEndsBeforeItTakesTheAnswers() {
    ActorRef<Object> receiver =
        system.kit.spawn(
            Behaviors.setup(
                context -> {
                  context.getSelf().tell("end");
                  ActorRef<PoolReply> adapter =
                      context.messageAdapter(PoolReply.class, reply -> reply);
                  for (int i = 0; i < 8; i++) {
                    openPool(i % 2 == 0 ? adapter : context.getSelf().narrow());
                  }
                  return Behaviors.receiveMessage(message -> Behaviors.stopped());
                }));
    system.kit.createTestProbe().expectTerminated(receiver);
  }

  @Test
  void theReceiverIsInAnotherActorSystem() {
    ActorTestKit other = ActorTestKit.create("other");
    try {
      openPool(ended(other));
      ActorRef<Object> receiver =
          other.spawn(Behaviors.receiveMessage(message -> Behaviors.stopped()));
      receiver.tell("end");
      openPool(receiver.narrow());
      Awaitility.await().atMost(BOUND).until(() -> openPools() == 1);
    } finally {
      other.shutdownTestKit();
    }
  }
}
