package io.dpuactors.simulation;

import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Terminated;

/**
 * The end of an actor without a name: the receiver throws when it asks for the name. Engines,
 * contexts of all kinds, listeners and connections handle ends of other actors, so the signal
 * breaks each.
 */
final class PoisonSignal extends Terminated {
  static final PoisonSignal NOW = new PoisonSignal();

  private PoisonSignal() {
    super(null);
  }

  @Override
  public ActorRef<Void> getRef() {
    throw new IllegalStateException(Poison.TEXT);
  }

  @Override
  public String toString() {
    return "PoisonSignal";
  }
}
