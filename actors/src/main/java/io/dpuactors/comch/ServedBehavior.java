package io.dpuactors.comch;

import io.dpuactors.protocol.comch.ConnectionBehavior;
import io.dpuactors.protocol.comch.ConnectionEvent;
import io.dpuactors.protocol.comch.ConnectionEvent.Closed;
import io.dpuactors.protocol.comch.ConnectionEvent.Message;
import io.dpuactors.protocol.comch.ConnectionOptions;
import io.dpuactors.protocol.comch.ConnectionProtocol;
import io.dpuactors.protocol.comch.ConnectionProtocol.Grant;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.BehaviorInterceptor;
import org.apache.pekko.actor.typed.TypedActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * What goes around the behavior that serves a connection: each message that it has handled lets the
 * next one come, and the end of the connection is its end.
 */
final class ServedBehavior extends BehaviorInterceptor<ConnectionEvent, ConnectionEvent> {
  private static final Grant ONE_MORE = new Grant(1);

  private final ActorRef<ConnectionProtocol.Command> connection;

  private ServedBehavior(ActorRef<ConnectionProtocol.Command> connection) {
    super(ConnectionEvent.class);
    this.connection = connection;
  }

  static Behavior<ConnectionEvent> of(
      ConnectionBehavior served,
      ConnectionOptions options,
      ActorRef<ConnectionProtocol.Command> connection) {
    Behavior<ConnectionEvent> fresh = Behaviors.setup(context -> served.serve(connection));
    return Behaviors.intercept(
        () -> new ServedBehavior(connection),
        Behaviors.supervise(fresh).onFailure(Exception.class, options.supervision()));
  }

  @Override
  public Behavior<ConnectionEvent> aroundReceive(
      TypedActorContext<ConnectionEvent> context,
      ConnectionEvent event,
      ReceiveTarget<ConnectionEvent> target) {
    Behavior<ConnectionEvent> next = target.apply(context, event);
    if (event instanceof Message) {
      connection.tell(ONE_MORE);
    }
    return event instanceof Closed ? Behaviors.stopped() : next;
  }
}
