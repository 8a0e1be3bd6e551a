package io.dpuactors.engine;

import io.dpuactors.node.EngineCore;
import io.dpuactors.protocol.LocalMessage;
import org.apache.pekko.actor.DeadLetterSuppression;

/** A message of the engine package to an engine. */
sealed interface EngineMessage extends LocalMessage {
  /** Log text for an engine that {@code resume} has kept after its failure. */
  String NO_RESUME =
      "SupervisorStrategy.resume() cannot supervise an engine: its progress engine is gone after a"
          + " failure; use restart(), restartWithBackoff() or stop()";

  /**
   * The loop has detached the progress engine {@code core} after repeated failures. An engine sends
   * it again to itself before it throws. Only an engine under {@code resume} receives it then:
   * another strategy ends the engine or gives the next incarnation another progress engine.
   *
   * @param isThrown whether the engine has thrown the failure
   */
  record DeviceFailed(EngineCore core, Throwable cause, boolean isThrown)
      implements EngineMessage, DeadLetterSuppression {

    DeviceFailed thrown() {
      return new DeviceFailed(core, cause, true);
    }
  }

  /**
   * Stops the contexts, because the actor system is about to end. The engine then ends as soon as
   * its leases are returned, at the latest with the actor system.
   */
  enum ShutDown implements EngineMessage {
    INSTANCE
  }
}
