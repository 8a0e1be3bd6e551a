package io.dpuactors.protocol;

import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskCapabilities;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * Messages that all contexts of tasks have in common. The protocol of each library contains them.
 */
public final class TaskProtocol {
  private TaskProtocol() {}

  /** A context of {@link EngineProtocol.OpenLibrary} is running. */
  public record Opened(String name, ActorRef<LocalMessage> context)
      implements ContextReply.Opened<LocalMessage> {}

  /** The start of a context of {@link EngineProtocol.OpenLibrary} failed. */
  public record OpenFailed(String name, DocaError error)
      implements ContextReply.OpenFailed<LocalMessage> {}

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
