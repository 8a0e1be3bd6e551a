package io.dpuactors.testing;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.bridge.TaskCapabilities;
import io.dpuactors.bridge.TaskHandle;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.bridge.TaskLibrary.Capability;
import io.dpuactors.bridge.TaskLibrary.Example;
import io.dpuactors.protocol.BatchReply;
import io.dpuactors.protocol.BatchRequest;
import io.dpuactors.protocol.LocalMessage;
import io.dpuactors.protocol.TaskProtocol;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskRequest;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/**
 * A task of any kind, for tests that access libraries only by their rows.
 *
 * @param handle the object of {@link Create}, or the session of {@link OpenSession}; null for a
 *     library without an example
 */
public record AnyTask(
    TaskKind kind,
    @Nullable TaskHandle handle,
    Buffer src,
    Buffer dst,
    long tag,
    ActorRef<TaskReply> replyTo)
    implements TaskRequest {
  /** Asks a context of any library for the capabilities of its device. */
  public record Query(ActorRef<TaskCapabilities> replyTo) implements TaskProtocol.CapabilityQuery {}

  private interface Creation extends TaskProtocol.CreateObject {
    ActorRef<CreateReply> replyTo();

    @Override
    default void created(TaskHandle handle) {
      replyTo().tell(new CreateReply(handle, null));
    }

    @Override
    default void refuse(DocaError error) {
      replyTo().tell(new CreateReply(null, error));
    }
  }

  /** Opens a session of a kind of {@link #sessions}, without an owner. */
  public record OpenSession(TaskKind session, ActorRef<CreateReply> replyTo) implements Creation {
    @Override
    public Optional<ActorRef<?>> owner() {
      return Optional.empty();
    }
  }

  /** Creates the object of a library's example. */
  public record Create(Example example, Optional<ActorRef<?>> owner, ActorRef<CreateReply> replyTo)
      implements Creation {
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
  }

  /** The answer to {@link Create} and {@link OpenSession}: an object or an error. */
  public record CreateReply(@Nullable TaskHandle handle, @Nullable DocaError error)
      implements LocalMessage {}

  /** Destroys an object. */
  public record Destroy(TaskHandle handle, ActorRef<TaskProtocol.ObjectDestroyed> replyTo)
      implements TaskProtocol.DestroyObject {}

  /** Returns the first kind of the library. */
  public static TaskKind kind(TaskLibrary library) {
    return library.capabilities().get(0).kind();
  }

  /** Returns the kinds of all libraries whose tasks need no session. */
  public static Stream<TaskKind> kinds() {
    return kinds(capability -> capability.partBytes() == null);
  }

  /**
   * Returns the kinds of all libraries whose tasks are parts of a session: one at a time, and not
   * in batches.
   */
  public static Stream<TaskKind> sessions() {
    return kinds(capability -> capability.partBytes() != null);
  }

  private static Stream<TaskKind> kinds(Predicate<Capability> wanted) {
    return Stream.of(TaskLibrary.values())
        .flatMap(library -> library.capabilities().stream())
        .filter(wanted)
        .map(Capability::kind);
  }

  @Override
  public boolean endsSession(boolean hasFailed) {
    return hasFailed && sessions().anyMatch(kind::equals);
  }

  @Override
  public @Nullable EncodedParameters encodedParameters(int task) {
    return parameters(kind);
  }

  private static @Nullable EncodedParameters parameters(TaskKind kind) {
    Example example = TaskLibrary.of(kind).example();
    byte[] parameters = example == null ? null : example.parameters();
    return parameters == null ? null : (cell, at) -> cell.put(at, parameters);
  }

  /** A batch of such tasks. */
  public record Batch(
      TaskKind kind,
      @Nullable TaskHandle handle,
      TaskBatch batch,
      long tag,
      ActorRef<BatchReply> replyTo)
      implements BatchRequest {
    @Override
    public @Nullable EncodedParameters encodedParameters(int task) {
      return parameters(kind);
    }
  }
}
