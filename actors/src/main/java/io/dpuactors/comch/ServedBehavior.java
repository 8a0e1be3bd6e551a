package io.dpuactors.comch;

import io.dpuactors.protocol.ConnectionBehavior;
import io.dpuactors.protocol.ConnectionEvent;
import io.dpuactors.protocol.ConnectionEvent.Closed;
import io.dpuactors.protocol.ConnectionEvent.ConsumerJoined;
import io.dpuactors.protocol.ConnectionEvent.ConsumerLeft;
import io.dpuactors.protocol.ConnectionEvent.Message;
import io.dpuactors.protocol.ConnectionOptions;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.Grant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.BehaviorInterceptor;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Signal;
import org.apache.pekko.actor.typed.TypedActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * Interceptors around the behavior that serves a connection. The interceptors grant one new message
 * for each handled one, and stop the behavior when the connection ends.
 *
 * <pre>
 *   Ending ( supervisor ( Handling ( behavior ) ) )
 * </pre>
 *
 * <p>Messages that a supervisor stashes for the behavior's next incarnation are not handled yet.
 * The credit therefore bounds the stash.
 */
final class ServedBehavior {
  private final ActorRef<ConnectionProtocol.Command> connection;

  /**
   * Messages per grant. Half of the credit: the other half is available while a grant is in
   * transit.
   */
  private final int batch;

  private int handled;

  /** Consumers of the peer that the behavior has been notified of. */
  private final Set<Integer> consumers = new LinkedHashSet<>();

  private ServedBehavior(ActorRef<ConnectionProtocol.Command> connection, int credit) {
    this.connection = connection;
    this.batch = Math.max(1, credit / 2);
  }

  static Behavior<ConnectionEvent> of(
      ConnectionBehavior served,
      ConnectionOptions options,
      int credit,
      ActorRef<ConnectionProtocol.Command> connection) {
    ServedBehavior around = new ServedBehavior(connection, credit);
    Behavior<ConnectionEvent> fresh = Behaviors.setup(context -> served.serve(connection));
    return Behaviors.intercept(
        Ending::new,
        Behaviors.supervise(Behaviors.intercept(() -> around.new Handling(), fresh))
            .onFailure(Exception.class, options.supervision()));
  }

  private void note(ConnectionEvent event) {
    if (event instanceof ConsumerJoined joined) {
      consumers.add(joined.consumer());
    } else if (event instanceof ConsumerLeft left) {
      consumers.remove(left.consumer());
    }
  }

  private void oneMore() {
    if (++handled == batch) {
      connection.tell(new Grant(handled));
      handled = 0;
    }
  }

  /**
   * One incarnation of the behavior. A message is handled when the behavior returns from it, even
   * by an exception. A new incarnation first receives the known consumers of the peer.
   */
  private final class Handling extends BehaviorInterceptor<ConnectionEvent, ConnectionEvent> {
    Handling() {
      super(ConnectionEvent.class);
    }

    /**
     * Starts the behavior and replays the known consumers. An exception in the replay counts as a
     * failed start, so the replay does not repeat forever.
     */
    @Override
    public Behavior<ConnectionEvent> aroundStart(
        TypedActorContext<ConnectionEvent> context, PreStartTarget<ConnectionEvent> target) {
      Behavior<ConnectionEvent> behavior = target.start(context);
      for (int id : List.copyOf(consumers)) {
        if (Behavior.isAlive(behavior)) {
          Behavior<ConnectionEvent> next =
              Behavior.interpretMessage(behavior, context, new ConsumerJoined(id));
          behavior = Behavior.canonicalize(next, behavior, context);
        }
      }
      return behavior;
    }

    @Override
    public Behavior<ConnectionEvent> aroundReceive(
        TypedActorContext<ConnectionEvent> context,
        ConnectionEvent event,
        ReceiveTarget<ConnectionEvent> target) {
      note(event);
      try {
        return target.apply(context, event);
      } finally {
        if (event instanceof Message) {
          oneMore();
        }
      }
    }

    /**
     * {@inheritDoc} An exception at the stop is only logged. A supervisor would start the behavior
     * again in the actor that ends, where each attempt to spawn a child fails.
     */
    @Override
    public Behavior<ConnectionEvent> aroundSignal(
        TypedActorContext<ConnectionEvent> context,
        Signal signal,
        SignalTarget<ConnectionEvent> target) {
      if (!(signal instanceof PostStop)) {
        return target.apply(context, signal);
      }
      try {
        return target.apply(context, signal);
      } catch (Exception e) {
        context.asJava().getLog().error("the behavior of a connection fails at its stop", e);
        return Behaviors.stopped();
      }
    }
  }

  private static final class Ending extends BehaviorInterceptor<ConnectionEvent, ConnectionEvent> {
    Ending() {
      super(ConnectionEvent.class);
    }

    @Override
    public Behavior<ConnectionEvent> aroundReceive(
        TypedActorContext<ConnectionEvent> context,
        ConnectionEvent event,
        ReceiveTarget<ConnectionEvent> target) {
      Behavior<ConnectionEvent> next = target.apply(context, event);
      return event instanceof Closed ? Behaviors.stopped() : next;
    }
  }
}
