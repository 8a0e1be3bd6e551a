package io.dpuactors.rdma;

import io.dpuactors.protocol.RdmaConnectionProtocol.Closed;
import io.dpuactors.protocol.RdmaConnectionProtocol.Command;
import io.dpuactors.protocol.RdmaConnectionProtocol.Event;
import io.dpuactors.protocol.RdmaConnectionProtocol.Grant;
import io.dpuactors.protocol.RdmaProtocol.PeerBehavior;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.BehaviorInterceptor;
import org.apache.pekko.actor.typed.TypedActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * Interceptor around the behavior on a connection. The interceptor grants new messages for handled
 * ones, and stops the behavior when the connection ends.
 */
final class ServedPeer extends BehaviorInterceptor<Event, Event> {
  private final ActorRef<Command> connection;

  /** Messages per grant. The other half of the credit is available while a grant is in transit. */
  private final int batch;

  private int handled;

  private ServedPeer(ActorRef<Command> connection, int credit) {
    super(Event.class);
    this.connection = connection;
    this.batch = Math.max(1, credit / 2);
  }

  static Behavior<Event> of(PeerBehavior served, int credit, ActorRef<Command> connection) {
    return Behaviors.intercept(
        () -> new ServedPeer(connection, credit),
        Behaviors.setup(context -> served.serve(connection)));
  }

  @Override
  public Behavior<Event> aroundReceive(
      TypedActorContext<Event> context, Event event, ReceiveTarget<Event> target) {
    Behavior<Event> next = target.apply(context, event);
    if (event instanceof Closed) {
      return Behaviors.stopped();
    }
    if (++handled == batch) {
      connection.tell(new Grant(handled));
      handled = 0;
    }
    return next;
  }
}
