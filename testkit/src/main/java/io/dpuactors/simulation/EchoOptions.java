package io.dpuactors.simulation;

import io.dpuactors.protocol.ClientOptions;
import io.dpuactors.protocol.ConnectionEvent;
import io.dpuactors.protocol.ConnectionOptions;
import io.dpuactors.simulation.FailingBehavior.Moment;
import java.time.Duration;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * Random options of an {@link EchoClient}.
 *
 * @param hasBehavior whether a behavior receives the events of the connection and passes them on;
 *     otherwise the client subscribes
 * @param pace of the subscriber
 * @param mostBackoff longest wait before the client connects again; zero: it never does
 */
record EchoOptions(
    ConnectionOptions connection, boolean hasBehavior, ConsumerPace pace, Duration mostBackoff) {
  /** A client without a server ends after this number of attempts, so that each run ends. */
  private static final int MAX_RESTARTS = 3;

  /** Longer than all attempts of a client without a server. */
  private static final Duration RESET = Duration.ofMinutes(1);

  static EchoOptions draw(Run run, ConnectionOptions connection) {
    return new EchoOptions(
        connection,
        run.chance(30),
        ConsumerPace.draw(run),
        Duration.ofMillis(run.chance(30) ? run.oneOf(1, 100) : 0));
  }

  /** Returns whether the client connects again after a loss. */
  boolean connectsAgain() {
    return !mostBackoff.isZero();
  }

  /** Returns the options of the client that this actor uses. */
  ClientOptions of(Run run, boolean isCalm, ActorRef<Object> self) {
    ClientOptions options =
        ClientOptions.of(ComchProgram.SERVICE)
            .withConnection(connection)
            .withListener(self.narrow());
    if (hasBehavior) {
      options =
          options.withBehavior(
              connected ->
                  FailingBehavior.of(
                      run, isCalm, ConnectionEvent.class, Moment.OF_SERVICES, forwarding(self)));
    }
    return connectsAgain() ? options.withSupervision(again(mostBackoff)) : options;
  }

  /** Returns a strategy that connects again a few times. */
  static SupervisorStrategy again(Duration mostBackoff) {
    return SupervisorStrategy.restartWithBackoff(Duration.ofMillis(1), mostBackoff, 0.2)
        .withMaxRestarts(MAX_RESTARTS)
        .withResetBackoffAfter(RESET)
        .withLoggingEnabled(false);
  }

  private static Behavior<ConnectionEvent> forwarding(ActorRef<Object> to) {
    return Behaviors.receiveMessage(
        event -> {
          to.tell(event);
          return Behaviors.same();
        });
  }
}
