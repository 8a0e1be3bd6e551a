package io.dpuactors.benchmarks.load;

import io.dpuactors.protocol.ConnectionEvent;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.Grant;
import io.dpuactors.protocol.ConnectionProtocol.Send;
import io.dpuactors.protocol.ConnectionProtocol.Subscribe;
import io.dpuactors.wire.PingPong;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/** An actor that sends pings over a connection and waits for each pong. */
public final class PingLoop {
  private static final int CREDIT = 16;

  /** Starts a run with a number of round trips. */
  public record Run(long count, ActorRef<Outcome> replyTo) {}

  private final ActorRef<ConnectionProtocol.Command> connection;
  private final byte[] ping;
  private @Nullable Run run;
  private long left;
  private Stopwatch watch = Stopwatch.start();

  private PingLoop(ActorRef<ConnectionProtocol.Command> connection, int size) {
    this.connection = connection;
    this.ping = PingPong.ping(size);
  }

  /** Creates an actor that subscribes to a connection to a server of the ping service. */
  public static Behavior<Object> create(ActorRef<ConnectionProtocol.Command> connection, int size) {
    return Behaviors.setup(
        context -> {
          PingLoop loop = new PingLoop(connection, size);
          loop.subscribe(context);
          return Behaviors.receiveMessage(loop::onMessage);
        });
  }

  private void subscribe(ActorContext<Object> context) {
    connection.tell(new Subscribe(context.getSelf().narrow(), CREDIT));
  }

  private Behavior<Object> onMessage(Object message) {
    if (message instanceof ConnectionEvent.Message) {
      connection.tell(new Grant(1));
      onPong();
    } else if (message instanceof Run next) {
      run = next;
      left = next.count();
      watch = Stopwatch.start();
      connection.tell(Send.orFail(ping));
    } else if (message instanceof ConnectionEvent.Closed closed) {
      answer(new Outcome.Broken("the connection has ended: " + closed.error()));
    }
    return Behaviors.same();
  }

  private void onPong() {
    if (--left > 0) {
      connection.tell(Send.orFail(ping));
    } else if (run != null) {
      answer(watch.stop(run.count()));
    }
  }

  private void answer(Outcome outcome) {
    Run asked = run;
    run = null;
    if (asked != null) {
      asked.replyTo().tell(outcome);
    }
  }
}
