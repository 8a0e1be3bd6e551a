package io.dpuactors.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.EngineProtocol.OpenComchServer;
import io.dpuactors.protocol.EngineProtocol.OpenCompress;
import io.dpuactors.protocol.ServerOptions;
import io.dpuactors.protocol.ServerProtocol;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import java.util.Set;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests that one actor can adapt the answers of two contexts without a mix-up. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class ReplyAdapterTest {
  private sealed interface Command {}

  private record CompressReply(CompressProtocol.OpenReply reply) implements Command {}

  private record ServerReply(ServerProtocol.OpenReply reply) implements Command {}

  @Test
  void eachAnswerReachesTheAdapterOfItsContext() {
    try (RunningSystem system = RunningSystem.create()) {
      TestProbe<Command> seen = system.kit.createTestProbe();
      Behavior<Command> opener =
          Behaviors.setup(
              context -> {
                system.engine.tell(
                    new OpenCompress(
                        "compress",
                        TaskOptions.defaults(),
                        context.messageAdapter(
                            CompressProtocol.OpenReply.class, CompressReply::new)));
                system.engine.tell(
                    new OpenComchServer(
                        "server",
                        ServerOptions.of("test-adapter", connection -> Behaviors.empty()),
                        context.messageAdapter(ServerProtocol.OpenReply.class, ServerReply::new)));
                return Behaviors.receiveMessage(
                    message -> {
                      seen.getRef().tell(message);
                      return Behaviors.same();
                    });
              });
      system.kit.spawn(opener);
      Set<Command> both = Set.copyOf(seen.receiveSeveralMessages(2));
      assertThat(both)
          .anyMatch(one -> one instanceof CompressReply r && r.reply().name().equals("compress"))
          .anyMatch(one -> one instanceof ServerReply r && r.reply().name().equals("server"));
      assertThat(system.stopEngine().census()).isEqualTo("empty");
    }
  }
}
