package io.dpuactors.testkit;

import io.dpuactors.bridge.DocaCode;
import java.time.Duration;

/** The reaction of a {@link ScriptedContext} to one request. */
public sealed interface Reaction {
  /** Executes the request at once, with the result of the JDK. */
  static Reaction complete() {
    return new After(Duration.ZERO);
  }

  /** Executes the request after a time. A manual time of Pekko's testkit controls it. */
  static Reaction completeAfter(Duration delay) {
    return new After(delay);
  }

  /** Executes the request at {@link ScriptedContext#proceed}. */
  static Reaction hold() {
    return Held.HOLD;
  }

  /**
   * Answers the request as a context does at its deadline: {@code DOCA_ERROR_TIME_OUT}, and the
   * device keeps the buffers. {@link ScriptedContext#proceed} returns them to their pool.
   */
  static Reaction expire() {
    return Held.EXPIRE;
  }

  /** Answers that the device has failed the task. The sender owns the buffers again. */
  static Reaction fail(DocaCode code) {
    return new Fail(code);
  }

  /** Answers that the queue of the context is full. */
  static Reaction busy() {
    return Refuse.BUSY;
  }

  /** Executes after a time. */
  record After(Duration delay) implements Reaction {}

  /** Answers with an error. */
  record Fail(DocaCode code) implements Reaction {}

  /** Answers {@code Busy}. */
  enum Refuse implements Reaction {
    BUSY
  }

  /** Waits for {@link ScriptedContext#proceed}. */
  enum Held implements Reaction {
    HOLD,
    EXPIRE
  }
}
