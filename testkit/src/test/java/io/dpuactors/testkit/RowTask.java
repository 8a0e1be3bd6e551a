package io.dpuactors.testkit;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskCapabilities;
import io.dpuactors.bridge.TaskHandle;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.bridge.TaskLibrary.Example;
import io.dpuactors.protocol.LocalMessage;
import io.dpuactors.protocol.TaskProtocol;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskRequest;
import java.util.List;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/** A task of a library that a test accesses only by its row. */
record RowTask(
    TaskKind kind,
    @Nullable TaskHandle handle,
    Buffer src,
    Buffer dst,
    long tag,
    ActorRef<TaskReply> replyTo)
    implements TaskRequest {
  /** Asks for the capabilities of a context. */
  record Query(ActorRef<TaskCapabilities> replyTo) implements TaskProtocol.CapabilityQuery {}

  /** Creates the object of a row's example. */
  record Create(Example example, Optional<ActorRef<?>> owner, ActorRef<Created> replyTo)
      implements TaskProtocol.CreateObject {
    @Override
    public String noun() {
      return example.noun();
    }

    @Override
    public String function() {
      return example.function();
    }

    @Override
    public List<Object> arguments() {
      return example.arguments();
    }

    @Override
    public void created(TaskHandle handle) {
      replyTo.tell(new Created(handle, null));
    }

    @Override
    public void refuse(DocaError error) {
      replyTo.tell(new Created(null, error));
    }
  }

  /** The answer to {@link Create}: an object or an error. */
  record Created(@Nullable TaskHandle handle, @Nullable DocaError error) implements LocalMessage {}

  /** Destroys an object. */
  record Destroy(TaskHandle handle, ActorRef<TaskProtocol.ObjectDestroyed> replyTo)
      implements TaskProtocol.DestroyObject {}

  /** Returns the first kind of a library. */
  static TaskKind kind(TaskLibrary library) {
    return library.capabilities().get(0).kind();
  }

  @Override
  public @Nullable EncodedParameters encodedParameters(int task) {
    Example example = TaskLibrary.of(kind).example();
    byte[] parameters = example == null ? null : example.parameters();
    return parameters == null ? null : (cell, at) -> cell.put(at, parameters);
  }
}
