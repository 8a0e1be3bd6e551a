package io.dpuactors.loop;

/** A moment in the life of an actor of the library. */
public enum ActorMoment {
  /** The actor has done all work of its start. */
  START,
  /** The actor begins to end. */
  STOP,
  /** The actor has failed, and begins to end for its next incarnation. */
  RESTART,
  /**
   * The context of the actor submits the entries of its engine, because it ends. The next turn of
   * the engine fails, and not the actor.
   */
  SUBMIT
}
