package io.dpuactors.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import io.dpuactors.loop.LosslessMailbox;
import io.dpuactors.protocol.EngineProtocol.Command;
import io.dpuactors.protocol.EngineProtocol.GetStatus;
import io.dpuactors.protocol.EngineProtocol.Status;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.pekko.actor.LocalActorRef;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.dispatch.MessageQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests that an engine works in full as the guardian of its actor system. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class EngineGuardianTest {
  private static final long LIMIT_S = 20;

  private final ActorSystem<Command> engine =
      ActorSystem.create(
          Engine.create(), "guardian", ConfigFactory.load("application-test.conf"), Engine.props());

  private <R> R ask(Function<ActorRef<R>, Command> command) throws Exception {
    CompletionStage<R> answer =
        AskPattern.ask(engine, command::apply, Duration.ofSeconds(LIMIT_S), engine.scheduler());
    return answer.toCompletableFuture().get(LIMIT_S, TimeUnit.SECONDS);
  }

  @Test
  void theGuardianHasTheThreadAndTheMailboxOfAnEngine() throws Exception {
    Status status = ask(GetStatus::new);
    assertThat(status).isNotEqualTo(Status.ENDED);
    MessageQueue messages =
        ((LocalActorRef) Adapter.toClassic((ActorRef<?>) engine))
            .underlying()
            .mailbox()
            .messageQueue();
    assertThat(messages.getClass().getEnclosingClass()).isEqualTo(LosslessMailbox.class);
    assertThat(ask((ActorRef<Stopped> me) -> new Stop(me)).census()).isEqualTo("empty");
    engine.getWhenTerminated().toCompletableFuture().get(LIMIT_S, TimeUnit.SECONDS);
  }
}
