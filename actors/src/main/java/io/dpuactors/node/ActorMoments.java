package io.dpuactors.node;

import io.dpuactors.loop.ActorMoment;
import java.util.function.Consumer;

/** The moments in the lives of an engine's actors. Engine's thread. */
public final class ActorMoments {
  private Consumer<ActorMoment> listener = moment -> {};

  ActorMoments() {}

  /** Sets the listener. A listener that throws fails the actor. */
  public void listen(Consumer<ActorMoment> next) {
    listener = next;
  }

  /** Notifies the listener. */
  public void pass(ActorMoment moment) {
    listener.accept(moment);
  }
}
