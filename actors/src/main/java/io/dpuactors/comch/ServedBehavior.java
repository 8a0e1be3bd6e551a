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
 * What goes around the behavior that serves a connection: the messages that it has handled let as
 * many come, and the end of the connection is its end.
 */
final class ServedBehavior extends BehaviorInterceptor<ConnectionEvent, ConnectionEvent> {
  private final ActorRef<ConnectionProtocol.Command> connection;

  /** Half of the credit: the other half is there while a grant is on its way. */
  private final int batch;

  private int handled;

  private ServedBehavior(ActorRef<ConnectionProtocol.Command> connection, int credit) {
    super(ConnectionEvent.class);
    this.connection = connection;
    this.batch = Math.max(1, credit / 2);
  }

  static Behavior<ConnectionEvent> of(
      ConnectionBehavior served,
      ConnectionOptions options,
      int credit,
      ActorRef<ConnectionProtocol.Command> connection) {
    Behavior<ConnectionEvent> fresh = Behaviors.setup(context -> served.serve(connection));
    return Behaviors.intercept(
        () -> new ServedBehavior(connection, credit),
        Behaviors.supervise(fresh).onFailure(Exception.class, options.supervision()));
  }

  @Override
  public Behavior<ConnectionEvent> aroundReceive(
      TypedActorContext<ConnectionEvent> context,
      ConnectionEvent event,
      ReceiveTarget<ConnectionEvent> target) {
    Behavior<ConnectionEvent> next = target.apply(context, event);
    if (event instanceof Message && ++handled == batch) {
      connection.tell(new Grant(handled));
      handled = 0;
    }
    return event instanceof Closed ? Behaviors.stopped() : next;
  }
}
