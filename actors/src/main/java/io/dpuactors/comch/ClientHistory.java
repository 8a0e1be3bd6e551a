package io.dpuactors.comch;

import io.dpuactors.protocol.comch.ConnectionProtocol.Stop;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.BehaviorInterceptor;
import org.apache.pekko.actor.typed.TypedActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * What a client's incarnations leave to the next one, and how to stop it between two of them: while
 * a back-off strategy waits, Pekko keeps messages for the next incarnation, Stop among them.
 */
final class ClientHistory {
  private long connects;
  private boolean waits;

  /** An incarnation begins. */
  void begun() {
    waits = false;
  }

  /** It is connected; returns how often that has happened. */
  long connected() {
    return ++connects;
  }

  /** It fails, and its strategy may wait before the next one. */
  void failed() {
    waits = true;
  }

  /** The behavior, supervised already, made to obey Stop while it waits. */
  Behavior<Object> stoppable(Behavior<Object> supervised) {
    return Behaviors.intercept(StopsWhileWaiting::new, supervised);
  }

  private final class StopsWhileWaiting extends BehaviorInterceptor<Object, Object> {
    StopsWhileWaiting() {
      super(Object.class);
    }

    @Override
    public Behavior<Object> aroundReceive(
        TypedActorContext<Object> context, Object message, ReceiveTarget<Object> target) {
      return waits && message == Stop.INSTANCE
          ? Behaviors.stopped()
          : target.apply(context, message);
    }
  }
}
