package io.dpuactors.context;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.TaskHandle;
import io.dpuactors.bridge.internal.DocaContext;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends objects that the tasks of one context use, such as keys: by a command, or when the owner of
 * an object has ended. Engine's thread.
 */
public final class OwnedObjects {
  private static final Logger LOG = LoggerFactory.getLogger(OwnedObjects.class);

  private final String library;
  private final Consumer<ActorRef<?>> watch;
  private final Map<TaskHandle, ActorRef<?>> owners = new LinkedHashMap<>();
  private final Map<ActorRef<?>, Set<TaskHandle>> owned = new LinkedHashMap<>();
  private final Set<Consumer<Optional<DocaError>>> unanswered = new LinkedHashSet<>();

  /**
   * Creates the empty set of a context.
   *
   * @param library name of the library for errors
   * @param watch makes the context's actor watch an owner
   */
  public OwnedObjects(String library, Consumer<ActorRef<?>> watch) {
    this.library = library;
    this.watch = watch;
  }

  /** Adds an object of an owner. */
  public void add(ActorRef<?> owner, TaskHandle handle) {
    watch.accept(owner);
    forgetEnded(owner);
    owners.put(handle, owner);
    owned.computeIfAbsent(owner, key -> new LinkedHashSet<>()).add(handle);
  }

  /** Forgets objects that have ended without a command: the last task of a session ends it. */
  private void forgetEnded(ActorRef<?> owner) {
    Set<TaskHandle> handles = owned.getOrDefault(owner, Set.of());
    handles.stream().filter(handle -> !handle.isOpen()).toList().forEach(this::remove);
  }

  /**
   * Destroys an object after the requests that use it.
   *
   * @param context the native context; null while the context does not run
   * @param answer receives the failure, or empty
   */
  public void destroy(
      @Nullable DocaContext context, TaskHandle handle, Consumer<Optional<DocaError>> answer) {
    if (!handle.isOpen() || context == null || !handle.belongsTo(context)) {
      DocaError error = error(DocaCode.NOT_FOUND, handle + " is no open object of the context");
      answer.accept(Optional.of(error));
      return;
    }
    remove(handle);
    unanswered.add(answer);
    handle.close(
        () -> {
          Optional<DocaError> failure = destroy(context, handle);
          if (unanswered.remove(answer)) {
            answer.accept(failure);
          }
        });
  }

  private void remove(TaskHandle handle) {
    ActorRef<?> owner = owners.remove(handle);
    if (owner != null) {
      owned.computeIfPresent(
          owner,
          (key, handles) -> {
            handles.remove(handle);
            return handles.isEmpty() ? null : handles;
          });
    }
  }

  private static Optional<DocaError> destroy(DocaContext context, TaskHandle handle) {
    try {
      context.handles().destroy(handle);
      return Optional.empty();
    } catch (DocaException e) {
      LOG.error("{} stays until the end of its context: {}", handle, e.error());
      return Optional.of(e.error());
    }
  }

  /**
   * Destroys the objects of an actor that has ended.
   *
   * @param context the native context; null while the context does not run
   */
  public void onOwnerEnded(@Nullable DocaContext context, ActorRef<?> owner) {
    for (TaskHandle handle :
        Objects.requireNonNullElse(owned.remove(owner), Set.<TaskHandle>of())) {
      owners.remove(handle);
      if (context != null && handle.belongsTo(context)) {
        handle.close(() -> destroy(context, handle));
      }
    }
  }

  /** Fails all unanswered commands, because the context ends and its objects with it. */
  public void close() {
    owners.clear();
    owned.clear();
    List<Consumer<Optional<DocaError>>> left = List.copyOf(unanswered);
    unanswered.clear();
    DocaError reason = error(DocaCode.SHUTDOWN, "the context ends");
    left.forEach(answer -> answer.accept(Optional.of(reason)));
  }

  /** Returns whether no actor owns an object. */
  boolean isEmpty() {
    return owners.isEmpty() && owned.isEmpty();
  }

  private DocaError error(DocaCode code, String why) {
    return DocaError.of(library, code, why);
  }
}
