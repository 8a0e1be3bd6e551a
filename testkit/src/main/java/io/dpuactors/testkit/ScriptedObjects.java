package io.dpuactors.testkit;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskHandle;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.protocol.TaskProtocol.CreateObject;
import io.dpuactors.protocol.TaskProtocol.DestroyObject;
import io.dpuactors.protocol.TaskProtocol.ObjectDestroyed;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/** The objects of a {@link ScriptedContext}, such as keys. Thread: the context's. */
final class ScriptedObjects {
  private record Held(TaskObject object, Optional<ActorRef<?>> owner) {}

  private final TaskLibrary library;
  private final Consumer<ActorRef<?>> watch;
  private final Map<TaskHandle, Held> objects = new HashMap<>();

  /** Changes with each restart: handles from before belong to another native context. */
  private Object incarnation = new Object();

  private long created;

  /**
   * Creates the empty set of a context.
   *
   * @param watch watches the owner of an object
   */
  ScriptedObjects(TaskLibrary library, Consumer<ActorRef<?>> watch) {
    this.library = library;
    this.watch = watch;
  }

  /** Creates an object, or refuses the command with the code of a device. */
  void create(CreateObject command) {
    TaskObject object;
    try {
      object = TaskObject.of(command, this::existing);
    } catch (TaskFailure e) {
      command.refuse(error(e.code(), "the arguments of the " + noun(command) + " are illegal"));
      return;
    }
    created++;
    TaskHandle handle =
        new TaskHandle(
            incarnation, noun(command) + " " + created, created, command.session() != null);
    command.owner().ifPresent(watch);
    objects.put(handle, new Held(object, command.owner()));
    command.created(handle);
  }

  private static String noun(CreateObject command) {
    return command.session() == null ? command.noun() : "session";
  }

  private TaskObject existing(TaskHandle handle) {
    Held held = handle.isOpen() ? objects.get(handle) : null;
    if (held == null) {
      throw new TaskFailure(DocaCode.INVALID_VALUE);
    }
    return held.object();
  }

  /** Destroys an object after the requests that use it. */
  void destroy(DestroyObject command) {
    TaskHandle handle = command.handle();
    if (!handle.isOpen() || !objects.containsKey(handle)) {
      command.refuse(error(DocaCode.NOT_FOUND, handle + " is no object of the context"));
      return;
    }
    handle.close(
        () -> {
          objects.remove(handle);
          command.replyTo().tell(new ObjectDestroyed(handle, Optional.empty()));
        });
  }

  /** Ends a session after its last part. */
  void close(TaskHandle session) {
    session.close(() -> objects.remove(session));
  }

  /** Returns the object of a task; null for a task without one. */
  @Nullable TaskObject of(@Nullable TaskHandle handle) {
    Held held = handle == null ? null : objects.get(handle);
    return held == null ? null : held.object();
  }

  /** Returns whether the object belongs to the context since its last restart. */
  boolean isOurs(TaskHandle handle) {
    return handle.belongsTo(incarnation);
  }

  /** Closes the objects of an actor that has ended. */
  void onOwnerEnded(ActorRef<?> owner) {
    List.copyOf(objects.entrySet()).stream()
        .filter(entry -> entry.getValue().owner().filter(owner::equals).isPresent())
        .forEach(entry -> close(entry.getKey()));
  }

  /** Ends all objects with the native context. */
  void end() {
    objects.keySet().forEach(TaskHandle::ended);
    objects.clear();
    incarnation = new Object();
  }

  DocaError error(DocaCode code, String why) {
    return DocaError.of(library.docaName(), code.value(), why);
  }
}
