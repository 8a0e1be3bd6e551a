package io.dpuactors.simulation;

import io.dpuactors.bridge.TaskBuffers;
import io.dpuactors.protocol.BufferOptions;
import io.dpuactors.protocol.ContextReply;
import io.dpuactors.protocol.EngineProtocol.OpenLibrary;
import io.dpuactors.protocol.MemoryProtocol.BuffersOpened;
import io.dpuactors.protocol.MemoryProtocol.BuffersReply;
import io.dpuactors.protocol.MemoryProtocol.OpenBuffers;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import io.dpuactors.protocol.TaskOptions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.jspecify.annotations.Nullable;

/**
 * The context of a {@link TaskClient} and its buffers, which may end and open again. World's
 * thread.
 */
final class ClientContext {
  private static final int MAX_OPENS = 20;

  private final TaskProgram program;
  private final TaskModel model;
  private final Run run;
  private final String name;
  private final TaskOptions options;
  private final Answers answers;
  private final Set<ActorRef<?>> stopping = new HashSet<>();
  private final List<LeaseCallers> callers = new ArrayList<>();
  private @Nullable ActorRef<Object> tasks;
  private @Nullable TaskBuffers buffers;
  private boolean isOpening;
  private int opens;

  ClientContext(
      TaskProgram program,
      TaskModel model,
      Run run,
      String name,
      TaskOptions options,
      Answers answers) {
    this.program = program;
    this.model = model;
    this.run = run;
    this.name = name;
    this.options = options;
    this.answers = answers;
  }

  /** Returns the context; null while there is none. */
  @Nullable ActorRef<Object> tasks() {
    return tasks;
  }

  /** Returns the buffers of the last context; null while there are none. */
  @Nullable TaskBuffers buffers() {
    return buffers;
  }

  /** Requests a context if there is none. */
  void open(ActorRef<Object> client) {
    if (tasks == null && !isOpening && program.isOpen() && opens < MAX_OPENS) {
      isOpening = true;
      opens++;
      program
          .engine()
          .tell(new OpenLibrary(model.library(), name, options, answers.expect("open", client)));
    }
  }

  /** Accepts the context and requests its buffers. Returns whether it has opened. */
  boolean onContext(ContextReply<?> reply, ActorContext<Object> client) {
    answers.answered("open");
    isOpening = false;
    if (reply instanceof ContextReply.Opened<?> opened) {
      ActorRef<Object> ref = opened.context().unsafeUpcast();
      tasks = ref;
      client.watch(ref);
      buffers = null;
      int pairs = Aim.isAt(run, "idle") ? 1 : run.draw(1, 50);
      BufferOptions room =
          BufferOptions.of(pairs, TaskModel.MAX_INPUT, 2 * TaskModel.MAX_INPUT)
              .withMaxWaiting(LeaseCallers.MOST_WAITING);
      program
          .engine()
          .tell(new OpenBuffers(ref, room, answers.expect("buffers", client.getSelf())));
    } else if (reply instanceof ContextReply.OpenFailed<?> failed) {
      run.check(!program.isCalm(), "not opened: " + failed.error());
      run.reached("open " + failed.error().code());
    }
    return tasks != null;
  }

  /** Accepts the buffers. Returns whether they have opened. */
  boolean onBuffers(BuffersReply reply, ActorContext<Object> client) {
    answers.answered("buffers");
    if (reply instanceof BuffersOpened opened) {
      buffers = opened.buffers();
      callers.addAll(LeaseCallers.spawn(client, run, program, opened.buffers(), answers));
      return true;
    }
    run.check(!program.isCalm(), "no buffers: " + reply);
    run.reached("no buffers");
    return false;
  }

  /** Asks the context to stop, if there is one. */
  void stop(ActorRef<Object> client) {
    if (tasks != null) {
      stopping.add(tasks);
      tasks.tell(new Stop(answers.<Stopped>expect("stop", client)));
    }
  }

  /** Sends nothing more to the context, which stops. */
  void leave() {
    tasks = null;
  }

  /** Opens another context after the end of one. */
  void ended(ActorRef<?> context, ActorRef<Object> client) {
    stopping.remove(context);
    if (context.equals(tasks)) {
      tasks = null;
    }
    open(client);
  }

  /**
   * Checks that the buffers have returned when nothing happens any more.
   *
   * @param tasksPerRequest largest number of tasks in one request
   */
  void checkAtRest(int tasksPerRequest) {
    callers.forEach(LeaseCallers::checkAtRest);
    run.check(stopping.isEmpty(), "contexts that did not stop: " + stopping);
    TaskBuffers open = tasks == null ? null : buffers;
    if (open != null) {
      long lost = run.faultCount("lost") * tasksPerRequest;
      run.check(
          open.available() + lost >= open.capacity(),
          "%d of %d pairs of buffers have returned, faults keep at most %d",
          open.available(),
          open.capacity(),
          lost);
    }
  }
}
