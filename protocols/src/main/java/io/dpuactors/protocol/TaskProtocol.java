package io.dpuactors.protocol;

import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskCapabilities;
import io.dpuactors.bridge.TaskHandle;
import io.dpuactors.bridge.TaskKind;
import java.util.List;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

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

  /**
   * Creates an object of the context that its tasks use, such as a key. The object belongs to the
   * native context: after a restart of the context, requests with it fail and the program creates
   * another. While the context restarts, the command waits, at most for the deadline of requests.
   */
  public interface CreateObject extends Request {
    /** Returns what the object is, such as {@code key}: a part of the names of C functions. */
    default String noun() {
      return "";
    }

    /** Returns the name of the C function without the library's prefix. */
    default String function() {
      return "";
    }

    /** Returns the arguments of the function between the context and the result. */
    default List<Object> arguments() {
      return List.of();
    }

    /**
     * Returns the kind of tasks that this command opens a session of; null: it creates an object.
     */
    default @Nullable TaskKind session() {
      return null;
    }

    /** Returns the actor at whose end the object is destroyed; empty: no actor. */
    Optional<ActorRef<?>> owner();

    /** Answers that the object exists. */
    void created(TaskHandle handle);
  }

  /** Destroys an object. Requests that use it complete first; later requests are refused. */
  public interface DestroyObject extends Request {
    /** Returns the object. */
    TaskHandle handle();

    /** Returns the receiver of the answer. */
    ActorRef<ObjectDestroyed> replyTo();

    @Override
    default void refuse(DocaError error) {
      replyTo().tell(new ObjectDestroyed(handle(), Optional.of(error)));
    }
  }

  /**
   * The answer to a command that destroys an object.
   *
   * @param failure empty if the object has ended; else the object ends with its context
   */
  public record ObjectDestroyed(TaskHandle handle, Optional<DocaError> failure)
      implements LocalMessage {}
}
