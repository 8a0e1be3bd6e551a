package io.dpuactors.context;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.TaskHandle;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.bridge.internal.DocaContext;
import io.dpuactors.bridge.internal.TaskFunctions;
import io.dpuactors.node.LaneSettings;
import io.dpuactors.node.Nanos;
import io.dpuactors.protocol.LocalMessage;
import io.dpuactors.protocol.TaskProtocol.CreateObject;
import io.dpuactors.protocol.TaskProtocol.DestroyObject;
import io.dpuactors.protocol.TaskProtocol.ObjectDestroyed;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.pekko.actor.Cancellable;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/**
 * The objects that the tasks of one context use, such as keys. Commands that arrive before the
 * context runs wait until it does, at most for the deadline of requests. Engine's thread.
 */
final class ContextObjects {
  /** Sends messages to the context's actor later. */
  interface Timer {
    Cancellable send(Duration delay, Object message);
  }

  /** A command that waits for the context. The actor receives this message at its deadline. */
  static final class Waiting implements LocalMessage {
    private final CreateObject command;
    private Cancellable deadline = Cancellable.alreadyCancelled();

    private Waiting(CreateObject command) {
      this.command = command;
    }
  }

  private final TaskLibrary library;
  private final LaneSettings settings;
  private final Supplier<@Nullable DocaContext> running;
  private final Timer timer;
  private final Queue<Waiting> waiting = new ArrayDeque<>();
  private final OwnedObjects objects;

  /**
   * Creates the empty set of one incarnation of a context.
   *
   * @param settings number of commands that may wait, and their deadline
   * @param running returns the native context while it runs, else null
   * @param watch watches the owner of an object
   * @param timer of the context's actor
   */
  ContextObjects(
      TaskLibrary library,
      LaneSettings settings,
      Supplier<@Nullable DocaContext> running,
      Consumer<ActorRef<?>> watch,
      Timer timer) {
    this.library = library;
    this.settings = settings;
    this.running = running;
    this.timer = timer;
    this.objects = new OwnedObjects(library.docaName(), watch);
  }

  /** Creates an object now, or when the context runs. */
  void create(CreateObject command) {
    DocaContext context = running.get();
    if (context != null) {
      create(context, command);
    } else if (waiting.size() < settings.queue()) {
      await(new Waiting(command));
    } else {
      command.refuse(
          error(DocaCode.FULL, "%d commands wait for the context".formatted(settings.queue())));
    }
  }

  private void await(Waiting late) {
    waiting.add(late);
    if (settings.deadlineNs() <= Nanos.LONGEST_TIMER) {
      late.deadline = timer.send(Duration.ofNanos(settings.deadlineNs()), late);
    }
  }

  /** Answers a command at its deadline, unless it has an answer. */
  void expire(Waiting late) {
    if (waiting.remove(late)) {
      late.command.refuse(
          error(
              DocaCode.TIME_OUT,
              "the context did not run within %d ms".formatted(settings.deadlineNs() / 1_000_000)));
    }
  }

  /** Creates the objects of all commands that waited for the context. */
  void onRunning() {
    DocaContext context = running.get();
    while (context != null && !waiting.isEmpty()) {
      create(context, next());
    }
  }

  private CreateObject next() {
    Waiting first = waiting.remove();
    first.deadline.cancel();
    return first.command;
  }

  private void create(DocaContext context, CreateObject command) {
    TaskHandle handle;
    try {
      TaskKind session = command.session();
      handle =
          session == null ? createObject(context, command) : context.handles().openSession(session);
    } catch (DocaException e) {
      command.refuse(e.error());
      return;
    }
    command.owner().ifPresent(owner -> objects.add(owner, handle));
    command.created(handle);
  }

  private TaskHandle createObject(DocaContext context, CreateObject command) {
    return TaskFunctions.of(library)
        .createObject(context, command.noun(), command.function(), arguments(context, command));
  }

  /** Replaces handles by their addresses. */
  private List<Object> arguments(DocaContext context, CreateObject command) {
    List<Object> arguments = new ArrayList<>();
    for (Object argument : command.arguments()) {
      arguments.add(argument instanceof TaskHandle handle ? pointer(context, handle) : argument);
    }
    return arguments;
  }

  private Long pointer(DocaContext context, TaskHandle handle) {
    if (!handle.isOpen() || !handle.belongsTo(context)) {
      throw new DocaException(
          error(DocaCode.INVALID_VALUE, handle + " has ended or belongs to another context"));
    }
    return handle.pointer();
  }

  /** Destroys an object after the requests that use it. */
  void destroy(DestroyObject command) {
    TaskHandle handle = command.handle();
    objects.destroy(
        running.get(),
        handle,
        failure -> command.replyTo().tell(new ObjectDestroyed(handle, failure)));
  }

  /** Destroys the objects of an actor that has ended. */
  void onOwnerEnded(ActorRef<?> owner) {
    objects.onOwnerEnded(running.get(), owner);
  }

  /** Refuses all unanswered commands, because the context ends and its objects with it. */
  void close() {
    DocaError reason = error(DocaCode.SHUTDOWN, "the context ends");
    while (!waiting.isEmpty()) {
      next().refuse(reason);
    }
    objects.close();
  }

  private DocaError error(DocaCode code, String why) {
    return DocaError.of(library.docaName(), code, why);
  }
}
