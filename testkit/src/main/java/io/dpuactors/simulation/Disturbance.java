package io.dpuactors.simulation;

/** A disturbance of a scenario at a random time. */
enum Disturbance {
  /** Stops a context in order. */
  STOP_CONTEXT,
  /** A context throws while it handles a message. */
  BREAK_CONTEXT,
  /** Stops the actor of a context without its help. */
  KILL_CONTEXT,
  /** The next actors of the library that start throw at the end of their start, at most six. */
  FAIL_START,
  /** The next actors of the library that end throw, at most six. */
  FAIL_STOP,
  /** The next actors of the library that restart throw before that, at most six. */
  FAIL_RESTART,
  /** The next contexts that end cannot submit their tasks first, at most six. */
  FAIL_SUBMIT,
  /** Stops an engine in order. */
  STOP_ENGINE,
  /** An engine throws while it handles a message. */
  BREAK_ENGINE,
  /** The parent of an engine stops it without its help. */
  KILL_ENGINE,
  /** The host of an engine dies; see {@link WorldLoop#kill}. Only in programs of several hosts. */
  KILL_HOST,
  /**
   * The actor system ends in order: Pekko's coordinated shutdown stops the engines, and then all
   * actors end. Not in programs of users.
   */
  STOP_SYSTEM,
  /** The next turns of the engines' devices fail, at most six. */
  FAIL_TURNS,
  /** The next waits of the engines' devices fail, at most six. An idle engine waits. */
  FAIL_WAITS,
  /** The next step takes up to a second. */
  JUMP_CLOCK,
  /** Replaces the fault plan of the device. */
  FAULTS
}
