package io.dpuactors.testing;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.TaskCapabilities;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.protocol.TaskProtocol.CapabilityQuery;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskRequest;
import org.apache.pekko.actor.typed.ActorRef;

/** A task of any kind, for tests that know libraries only by their rows. */
public record AnyTask(TaskKind kind, Buffer src, Buffer dst, long tag, ActorRef<TaskReply> replyTo)
    implements TaskRequest {
  /** Asks a context of any library for the capabilities of its device. */
  public record Query(ActorRef<TaskCapabilities> replyTo) implements CapabilityQuery {}

  /** Returns the kind of {@link #of}: the first kind of the library. */
  public static TaskKind kind(TaskLibrary library) {
    return library.capabilities().get(0).kind();
  }

  /** Returns a task of a library. */
  public static AnyTask of(
      TaskLibrary library, Buffer src, Buffer dst, long tag, ActorRef<TaskReply> replyTo) {
    return new AnyTask(kind(library), src, dst, tag, replyTo);
  }
}
