package io.dpuactors.comch;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.protocol.ConnectionBehavior;
import io.dpuactors.protocol.ConnectionEvent;
import io.dpuactors.protocol.ConnectionEvent.Closed;
import io.dpuactors.protocol.ConnectionEvent.Message;
import io.dpuactors.protocol.ConnectionOptions;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.Send;
import io.dpuactors.protocol.Stop;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ExpectedLog;
import io.dpuactors.testing.FreshSoftDpu;
import java.io.IOException;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests behaviors of connections that throw while they end. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class BehaviorEndTest {
  @ParameterizedTest
  @ValueSource(strings = {"stop", "restart"})
  @ExpectedLog("throwing at the end")
  void aBehaviorThatThrowsAtTheEndStillEnds(String strategy) {
    assertEnds(
        strategy,
        connection ->
            Behaviors.receive(ConnectionEvent.class)
                .onMessage(Message.class, message -> echo(message, connection))
                .onMessage(
                    Closed.class,
                    closed -> {
                      throw new IOException("throwing at the end");
                    })
                .build());
  }

  /** A supervisor started such a behavior again and again, until the stack overflowed. */
  @ParameterizedTest
  @ValueSource(strings = {"stop", "restart"})
  @ExpectedLog(value = "the behavior of a connection fails at its stop", most = 1)
  void aBehaviorThatThrowsAtItsStopStillEnds(String strategy) {
    assertEnds(
        strategy,
        connection ->
            Behaviors.setup(
                context -> {
                  context.spawn(Behaviors.empty(), "child");
                  return Behaviors.receive(ConnectionEvent.class)
                      .onMessage(Message.class, message -> echo(message, connection))
                      .onSignal(
                          PostStop.class,
                          signal -> {
                            throw new IOException("throwing at the stop");
                          })
                      .build();
                }));
  }

  private static Behavior<ConnectionEvent> echo(
      Message message, ActorRef<ConnectionProtocol.Command> connection) {
    connection.tell(Send.orFail(message.text()));
    return Behaviors.same();
  }

  /**
   * Stops the client of a server with this behavior. A client is connected before the server's
   * actor has accepted it: the echo shows that the behavior serves.
   */
  private static void assertEnds(String strategy, ConnectionBehavior behavior) {
    SupervisorStrategy chosen =
        strategy.equals("stop") ? SupervisorStrategy.stop() : SupervisorStrategy.restart();
    ConnectionOptions options = ConnectionOptions.defaults().withSupervision(chosen);
    try (BehaviorRig rig = BehaviorRig.of(behavior, options, "")) {
      rig.send("hello");
      assertThat(rig.receive()).isEqualTo("hello");
      rig.client().tell(new Stop());
      rig.assertEnds();
    }
  }
}
