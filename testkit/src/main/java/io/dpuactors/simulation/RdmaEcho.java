package io.dpuactors.simulation;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.protocol.RdmaConnectionProtocol;
import io.dpuactors.protocol.RdmaConnectionProtocol.Completed;
import io.dpuactors.protocol.RdmaConnectionProtocol.Message;
import io.dpuactors.protocol.RdmaConnectionProtocol.Reply;
import io.dpuactors.protocol.RdmaConnectionProtocol.Send;
import io.dpuactors.protocol.RdmaConnectionProtocol.Written;
import io.dpuactors.protocol.RdmaProtocol.PeerBehavior;
import io.dpuactors.simulation.FailingBehavior.Moment;
import java.util.function.IntConsumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * The behaviors of a server's connections. Each message returns. World's thread.
 *
 * <p>The immediate data of a message or a write is its number: see {@link #immediate}. A connection
 * receives its messages and writes in the order of their numbers.
 */
final class RdmaEcho {
  private static final int CLIENT_SHIFT = 16;

  private final Run run;
  private final boolean isCalm;
  private final BufferPool room;
  private final IntConsumer written;
  private int connections;

  /**
   * Creates the behaviors.
   *
   * @param isCalm whether nothing disturbs the run
   * @param room for messages that return
   * @param written accepts the immediate data of each write
   */
  RdmaEcho(Run run, boolean isCalm, BufferPool room, IntConsumer written) {
    this.run = run;
    this.isCalm = isCalm;
    this.room = room;
    this.written = written;
  }

  /** Returns the immediate data of a request of a client. */
  static int immediate(int client, int number) {
    return (client << CLIENT_SHIFT) | number;
  }

  /** Returns the client of a request with immediate data. */
  static int client(int immediate) {
    return immediate >>> CLIENT_SHIFT;
  }

  /** Returns the number of a request with immediate data. */
  static int number(int immediate) {
    return immediate & ((1 << CLIENT_SHIFT) - 1);
  }

  /** Returns the number of open connections. */
  int connections() {
    return connections;
  }

  PeerBehavior behavior() {
    return PeerBehavior.of(
        Object.class::cast,
        connection ->
            FailingBehavior.of(
                run,
                isCalm,
                Object.class,
                Moment.OF_ACTORS,
                Behaviors.setup(me -> new Served(me, connection).behavior())));
  }

  /** One connection. */
  private final class Served {
    private final ActorContext<Object> me;
    private final ActorRef<RdmaConnectionProtocol.Command> connection;
    private int last = -1;

    Served(ActorContext<Object> me, ActorRef<RdmaConnectionProtocol.Command> connection) {
      this.me = me;
      this.connection = connection;
      connections++;
    }

    Behavior<Object> behavior() {
      return Behaviors.receive(Object.class)
          .onMessage(Message.class, this::onMessage)
          .onMessage(Written.class, this::onWritten)
          .onMessage(Reply.class, this::onReturned)
          .onAnyMessage(event -> Behaviors.same())
          .onSignal(PostStop.class, signal -> onEnd())
          .build();
    }

    private Behavior<Object> onEnd() {
      connections--;
      return Behaviors.same();
    }

    private Behavior<Object> onMessage(Message message) {
      mayThrow();
      if (EchoMessage.isIntact(message.bytes())) {
        arrived(EchoMessage.number(message.bytes()));
      }
      Buffer src = room.isClosed() ? null : room.lease();
      run.check(!isCalm || src != null, "no room for a message");
      if (src != null) {
        src.bytes().clear().put(message.bytes());
        src.length(message.bytes().length);
        connection.tell(new Send(src, message.immediate(), 0, me.getSelf().narrow()));
      }
      return Behaviors.same();
    }

    private Behavior<Object> onWritten(Written event) {
      mayThrow();
      run.check(event.length() == RdmaProgram.BYTES, "a write of %d bytes arrived", event.length());
      arrived(number(event.immediate()));
      written.accept(event.immediate());
      return Behaviors.same();
    }

    private void mayThrow() {
      if (!isCalm && run.chance(1)) {
        run.reached(FailureCause.THROWN);
        throw new IllegalStateException(Poison.TEXT);
      }
    }

    /** Checks the order. A fault may delay some receives. */
    private void arrived(int number) {
      run.check(
          number > last || run.faultCount("delayed") > 0,
          "request %d arrived after %d at %s",
          number,
          last,
          me.getSelf());
      last = number;
    }

    private Behavior<Object> onReturned(Reply reply) {
      run.check(!isCalm || reply instanceof Completed, "not sent: " + reply);
      RdmaTraffic.release(reply);
      return Behaviors.same();
    }
  }
}
