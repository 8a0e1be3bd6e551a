package io.dpuactors.simulation;

import io.dpuactors.loop.ActorMoment;

/** The clock of a run, and the devices of its engines. */
interface RunControl {
  /** Sets the only observer of this run, which runs after each step. */
  void observe(Runnable afterStep);

  /** Returns the virtual time, nanoseconds. */
  long nowNs();

  /** Moves an engine that has not started to another host, whose clock differs. */
  void moveEngine(String name);

  /** Kills the host of an engine. */
  void killHost(String name);

  /** Lets the next step take this time in addition, nanoseconds. */
  void jump(long ns);

  /** Fails the next turns of the engines' devices. */
  void failTurns(int turns);

  /** Fails the next waits of the engines' devices. */
  void failWaits(int waits);

  /** Fails the next actors of the library that pass a moment of their lives. */
  void failAt(ActorMoment moment, int actors);

  /** Returns whether a step of an engine waits while the caller runs. */
  boolean isEngineWaiting();
}
