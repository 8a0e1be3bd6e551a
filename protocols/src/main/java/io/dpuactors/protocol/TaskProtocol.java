package io.dpuactors.protocol;

import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskCapabilities;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * Messages that all contexts of tasks have in common. The protocol of each library contains them.
 */
public final class TaskProtocol {
  private TaskProtocol() {}

  /**
   * Asks for the capabilities of the context's device. Answer: {@link TaskCapabilities}; {@link
   * TaskCapabilities#NONE} when the context has ended.
   */
  public interface CapabilityQuery extends Request {
    /** Returns the receiver of the answer. */
    ActorRef<TaskCapabilities> replyTo();

    @Override
    default void refuse(DocaError error) {
      replyTo().tell(TaskCapabilities.NONE);
    }
  }
}
