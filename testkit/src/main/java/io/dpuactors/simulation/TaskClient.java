package io.dpuactors.simulation;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.TaskBuffers;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.protocol.AesGcmProtocol.KeyReply;
import io.dpuactors.protocol.BufferOptions;
import io.dpuactors.protocol.Busy;
import io.dpuactors.protocol.ContextReply;
import io.dpuactors.protocol.EngineProtocol.BuffersOpened;
import io.dpuactors.protocol.EngineProtocol.BuffersReply;
import io.dpuactors.protocol.EngineProtocol.OpenBuffers;
import io.dpuactors.protocol.EngineProtocol.OpenLibrary;
import io.dpuactors.protocol.ErasureCodingProtocol.MatrixReply;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.protocol.TaskProtocol.ObjectDestroyed;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import io.dpuactors.protocol.TaskReply.Failed;
import io.dpuactors.protocol.TaskRequest;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/**
 * A client of one context of tasks. It opens the context and its objects, sends requests, and
 * compares the answers with a model. Sometimes it closes the context or an object, and sends a
 * request whose receiver ends before the answer.
 */
final class TaskClient {
  private static final int REQUESTS = 120;
  private static final int MAX_OPENS = 20;
  private static final int MAX_SHORTAGES = 1000;
  private static final int SHORTAGE_NS = 1_000_000;
  private static final int RETRY_NS = 20_000_000;

  enum Timer {
    OPEN,
    SEND
  }

  private record Sent(TaskModel.Work work, Object kind, long atNs) {}

  private final TaskProgram program;
  private final TaskModel model;
  private final Run run;
  private final String name;
  private final TaskOptions options;
  private final Answers answers;
  private final TaskPromises promises;
  private final TaskObjects objects;
  private final Map<Long, Sent> outstanding = new LinkedHashMap<>();
  private final int concurrency;
  private final int requests;
  private @Nullable ActorRef<Object> tasks;
  private @Nullable TaskBuffers buffers;
  private boolean isOpening;
  private int opens;
  private int shortages;
  private int sent;
  private int sentBeforeStop;
  private int wrong;
  private @Nullable ActorContext<Object> context;

  TaskClient(TaskProgram program, TaskModel model, Run run, String name) {
    this.program = program;
    this.model = model;
    this.run = run;
    this.name = name;
    this.answers = new Answers(run);
    this.options =
        TaskOptions.defaults()
            .withKinds(model.library().kinds().toArray(TaskKind[]::new))
            .withWindow(run.oneOf(1, 2, 4, 16))
            .withQueue(run.oneOf(0, 1, 8, 64))
            .withDeadline(
                Duration.ofNanos(run.oneOf(50_000L, 5_000_000L, 1_000_000_000L, 30_000_000_000L)));
    this.promises = new TaskPromises(run, options);
    this.objects = new TaskObjects(model, run, answers);
    this.concurrency = run.oneOf(1, 4, 16, 64);
    this.requests = Math.min(REQUESTS, run.reduction().requests());
  }

  Behavior<Object> behavior() {
    return Behaviors.setup(
        created -> {
          context = created;
          open();
          return Behaviors.receive(Object.class)
              .onMessage(ContextReply.class, this::onContext)
              .onMessage(BuffersReply.class, this::onBuffers)
              .onMessage(KeyReply.class, this::onObject)
              .onMessage(MatrixReply.class, this::onObject)
              .onMessage(ObjectDestroyed.class, this::onDestroyed)
              .onMessage(TaskReply.class, this::onReply)
              .onMessage(Stopped.class, this::onStopped)
              .onMessage(Timer.class, this::onTimer)
              .onSignal(Terminated.class, this::onTerminated)
              .build();
        });
  }

  private ActorContext<Object> context() {
    return Objects.requireNonNull(context);
  }

  private ActorRef<Object> self() {
    return context().getSelf();
  }

  /** Returns the context; null while there is none. */
  @Nullable ActorRef<Object> tasks() {
    return tasks;
  }

  /** Returns the state of the context, for the table of coverage. */
  String state() {
    if (tasks == null) {
      return "opening";
    }
    return outstanding.isEmpty() ? "idle" : "busy";
  }

  /** Returns the number of wrong outputs. */
  int wrong() {
    return wrong;
  }

  /** A disturbance may delay answers. */
  void disturbed() {
    promises.disturbed();
  }

  private void open() {
    if (tasks == null && !isOpening && program.isOpen() && opens < MAX_OPENS) {
      isOpening = true;
      opens++;
      program
          .engine()
          .tell(new OpenLibrary(model.library(), name, options, answers.expect("open", self())));
    }
  }

  private Behavior<Object> onContext(ContextReply<?> reply) {
    answers.answered("open");
    isOpening = false;
    if (reply instanceof ContextReply.Opened<?> opened) {
      ActorRef<Object> ref = opened.context().unsafeUpcast();
      tasks = ref;
      objects.forget();
      context().watch(ref);
      buffers = null;
      int pairs = run.draw(1, 50);
      BufferOptions room = BufferOptions.of(pairs, TaskModel.MAX_INPUT, 2 * TaskModel.MAX_INPUT);
      program.engine().tell(new OpenBuffers(ref, room, answers.expect("buffers", self())));
    } else if (reply instanceof ContextReply.OpenFailed<?> failed) {
      run.check(!program.isCalm(), "not opened: " + failed.error());
      run.reached("open " + failed.error().code());
      later(RETRY_NS, Timer.OPEN);
    }
    return Behaviors.same();
  }

  private Behavior<Object> onBuffers(BuffersReply reply) {
    answers.answered("buffers");
    if (reply instanceof BuffersOpened opened) {
      buffers = opened.buffers();
      send();
    } else {
      run.check(!program.isCalm(), "no buffers: " + reply);
      run.reached("no buffers");
    }
    return Behaviors.same();
  }

  private void later(int ns, Timer what) {
    context().scheduleOnce(Duration.ofNanos(ns), self(), what);
  }

  private void send() {
    TaskBuffers from = buffers;
    ActorRef<Object> to = tasks;
    while (to != null
        && from != null
        && sent < requests
        && outstanding.size() < concurrency
        && objects.arePrepared(to, self())) {
      if (!sendOne(from, to)) {
        if (outstanding.isEmpty() && shortages++ < MAX_SHORTAGES) {
          later(SHORTAGE_NS, Timer.SEND); // others use the buffers
        }
        return;
      }
      change(to);
      to = tasks;
    }
  }

  private Behavior<Object> onObject(Object reply) {
    if (objects.onReply(reply)) {
      send();
    } else {
      run.check(!program.isCalm(), "no object: " + reply);
      run.reached("object refused");
      later(RETRY_NS, Timer.SEND);
    }
    return Behaviors.same();
  }

  private Behavior<Object> onDestroyed(ObjectDestroyed reply) {
    answers.answered("destroy");
    run.check(
        !program.isCalm() || reply.failure().isEmpty() || sentBeforeStop > 0,
        "not destroyed: " + reply);
    return Behaviors.same();
  }

  /** Sometimes destroys an object or stops the context, which then opens again. */
  private void change(ActorRef<Object> to) {
    if (run.chance(1)) {
      objects.destroy(to, self());
    } else if (run.chance(3)) {
      to.tell(new Stop(answers.<Stopped>expect("stop", self())));
      tasks = null;
      sentBeforeStop = sent;
    }
  }

  private boolean sendOne(TaskBuffers from, ActorRef<Object> to) {
    TaskBuffers.Pair pair = from.lease();
    if (pair == null) {
      return false;
    }
    Buffer src = pair.src();
    Buffer dst = pair.dst();
    TaskModel.Work work = model.draw(run);
    src.bytes().clear().put(work.input());
    src.length(work.input().length);
    long tag = sent++;
    if (run.chance(3)) {
      to.tell(work.request(src, dst, tag, MortalReceiver.spawn(context(), run)));
      return true;
    }
    TaskRequest request = (TaskRequest) work.request(src, dst, tag, self().narrow());
    outstanding.put(tag, new Sent(work, List.of(request.kind(), src.pool()), run.nowNs()));
    to.tell(request);
    return true;
  }

  private Behavior<Object> onReply(TaskReply reply) {
    Sent request = outstanding.remove(reply.tag());
    if (request == null) {
      run.fail("request %d has two answers; the second is %s".formatted(reply.tag(), reply));
      return Behaviors.same();
    }
    String result = "busy";
    if (reply instanceof Completed completed) {
      result = "completed";
      wrong += request.work().isRight(completed, TaskModel.content(completed.dst())) ? 0 : 1;
    } else if (reply instanceof Failed failed) {
      result = failed.code().name();
      onFailed(request, failed);
    }
    promises.answered(request.kind(), reply, run.nowNs() - request.atNs());
    run.note(name + " " + reply.tag() + " " + result);
    run.reached(result);
    MortalReceiver.release(reply);
    if (reply instanceof Busy && run.chance(95)) {
      later(run.draw(0, 100_000), Timer.SEND);
    } else {
      send();
    }
    return Behaviors.same();
  }

  private void onFailed(Sent request, Failed failed) {
    boolean isRight =
        switch (failed.code()) {
          case TIME_OUT -> true;
          case IO_FAILED -> request.work().fails();
          case SHUTDOWN -> failed.tag() < sentBeforeStop; // it waited
          default -> false;
        };
    if (!isRight) {
      run.check(!program.isCalm(), "failed: " + failed.error());
      promises.disturbed();
      objects.forget(); // a restarted context has none
    }
  }

  private Behavior<Object> onStopped(Stopped stopped) {
    answers.answered("stop");
    run.check(!program.isCalm() || stopped.clean(), "not clean: " + stopped);
    return Behaviors.same();
  }

  private Behavior<Object> onTimer(Timer what) {
    if (what == Timer.OPEN) {
      open();
    } else {
      send();
    }
    return Behaviors.same();
  }

  private Behavior<Object> onTerminated(Terminated signal) {
    if (signal.getRef().equals(tasks)) {
      tasks = null;
    }
    open();
    return Behaviors.same();
  }

  /** Checks that nothing is left to do when nothing happens any more and the engine runs. */
  void checkDone() {
    run.check(
        !program.isCalm() || sent == requests,
        "%s is stuck after %d of %d requests".formatted(name, sent, requests));
    run.check(outstanding.isEmpty(), "requests without an answer at rest: " + outstanding.keySet());
    TaskBuffers open = tasks == null ? null : buffers;
    if (open != null) {
      long lost = run.faultCount("lost");
      run.check(
          open.available() + lost >= open.capacity(),
          "%d of %d pairs of buffers have returned, faults keep at most %d"
              .formatted(open.available(), open.capacity(), lost));
    }
  }

  /** Checks the answers after the end of the engine. */
  void check() {
    answers.check();
    run.check(outstanding.isEmpty(), "requests without an answer: " + outstanding.keySet());
  }
}
