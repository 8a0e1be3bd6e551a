package io.dpuactors.simulation;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.engine.Engine;
import io.dpuactors.engine.EngineOptions;
import io.dpuactors.protocol.Busy;
import io.dpuactors.protocol.ContextReply;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.PoolFailed;
import io.dpuactors.protocol.EngineProtocol.PoolOpened;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Completed;
import io.dpuactors.protocol.TaskReply.Failed;
import io.dpuactors.protocol.TaskReply.Ownership;
import io.dpuactors.simulation.Disturbances.Disturb;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.pekko.actor.PoisonPill;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/**
 * A program that sends requests to a context of tasks, disturbs it, and compares the answers with a
 * model.
 */
final class TaskProgram {
  private static final String CONTEXT = "tasks";
  private static final int REQUESTS = 200;
  private static final int MAX_OPENS = 8;

  private enum Timer {
    OPEN,
    SEND
  }

  private record Sent(TaskModel.Work work, long atNs) {}

  private final TaskModel model;
  private final Run run;
  private final ActorContext<Object> context;
  private final TaskOptions options;
  private final ActorRef<EngineProtocol.Command> engine;
  private final Answers answers;
  private final Map<Long, Sent> outstanding = new LinkedHashMap<>();
  private final int concurrency;
  private final int requests;
  private final boolean isCalm;
  private @Nullable BufferPool pool;
  private @Nullable ActorRef<Object> tasks;
  private boolean isOpening;
  private boolean hasEngineEnded;
  private boolean isFinishing;
  private boolean isStopping;
  private int opens;
  private int sent;
  private int wrong;

  TaskProgram(TaskModel model, Run run, ActorContext<Object> context, TaskOptions options) {
    this.model = model;
    this.run = run;
    this.context = context;
    this.options = options;
    this.answers = new Answers(run);
    this.concurrency = run.oneOf(1, 4, 16, 64);
    this.engine = Engine.spawn(context, TaskScenario.ENGINE, engineOptions(run));
    context.watch(engine);
    engine.tell(
        new EngineProtocol.OpenPool(
            PoolOptions.of(run.draw(2, 100), 2 * TaskModel.MAX_INPUT),
            answers.expect("pool", context.getSelf())));
    open();
    Disturbances disturbances = Disturbances.draw(run);
    this.isCalm = disturbances.isCalm();
    this.requests = Math.min(REQUESTS, run.reduction().requests());
    disturbances.schedule(context);
  }

  static EngineOptions engineOptions(Run run) {
    return EngineOptions.defaults()
        .with("max-mailbox-runs", run.oneOf(1, 4, 64))
        .with("progress-budget", run.oneOf(1, 8, 256));
  }

  Behavior<Object> behavior() {
    return Behaviors.receive(Object.class)
        .onMessage(PoolOpened.class, this::onPool)
        .onMessage(PoolFailed.class, this::onNoPool)
        .onMessage(ContextReply.class, this::onContext)
        .onMessage(TaskReply.class, this::onReply)
        .onMessage(Stopped.class, this::onStopped)
        .onMessage(Disturb.class, this::onDisturbance)
        .onMessage(Timer.class, this::onTimer)
        .onMessage(Scenario.Finish.class, finish -> onFinish())
        .onSignal(Terminated.class, this::onTerminated)
        .build();
  }

  private void open() {
    if (!isOpening && !isStopping && !hasEngineEnded && opens < MAX_OPENS) {
      isOpening = true;
      opens++;
      engine.tell(model.open(CONTEXT, options, answers.expect("open", context.getSelf())));
    }
  }

  private Behavior<Object> onPool(PoolOpened reply) {
    answers.answered("pool");
    pool = reply.pool();
    send();
    return Behaviors.same();
  }

  private Behavior<Object> onNoPool(PoolFailed reply) {
    answers.answered("pool");
    run.check(!isCalm, "no pool: " + reply.error());
    return Behaviors.same();
  }

  private Behavior<Object> onContext(ContextReply<?> reply) {
    answers.answered("open");
    isOpening = false;
    if (reply instanceof ContextReply.Opened<?> opened) {
      ActorRef<Object> ref = opened.context().unsafeUpcast();
      tasks = ref;
      context.watch(ref);
      send();
    } else if (reply instanceof ContextReply.OpenFailed<?> failed) {
      run.check(!isCalm, "not opened: " + failed.error());
      run.reached("open " + failed.error().code());
      context.scheduleOnce(Duration.ofMillis(20), context.getSelf(), Timer.OPEN);
    }
    return Behaviors.same();
  }

  private void send() {
    ActorRef<Object> to = tasks;
    BufferPool from = pool;
    while (to != null && from != null && sent < requests && outstanding.size() < concurrency) {
      if (from.isClosed()) {
        return;
      }
      if (!sendOne(from, to)) {
        if (outstanding.isEmpty()) {
          sendLater(1_000_000); // the device retains the buffers of late requests
        }
        return;
      }
    }
    if (sent == requests && outstanding.isEmpty()) {
      stopEngine();
    }
  }

  private void sendLater(int ns) {
    context.scheduleOnce(Duration.ofNanos(ns), context.getSelf(), Timer.SEND);
  }

  private boolean sendOne(BufferPool from, ActorRef<Object> to) {
    Buffer src = from.lease();
    Buffer dst = src == null ? null : from.lease();
    if (src == null || dst == null) {
      if (src != null) {
        src.release();
      }
      return false;
    }
    TaskModel.Work work = model.draw(run);
    src.bytes().clear().put(work.input());
    src.length(work.input().length);
    long tag = sent++;
    outstanding.put(tag, new Sent(work, run.nowNs()));
    to.tell(work.request(src, dst, tag, context.getSelf().narrow()));
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
      run.check(!isCalm || failed.code() == DocaCode.TIME_OUT, "failed: " + failed.error());
    }
    run.note(reply.tag() + " " + result);
    run.reached(result);
    release(reply);
    if (reply instanceof Busy && run.chance(95)) {
      sendLater(run.draw(0, 100_000));
    } else {
      send();
    }
    return Behaviors.same();
  }

  private static void release(TaskReply reply) {
    if (reply.ownership() == Ownership.RETURNED) {
      reply.src().release();
      reply.dst().release();
    }
  }

  private Behavior<Object> onStopped(Stopped stopped) {
    answers.answered("stop");
    run.note("stopped " + stopped.clean());
    return Behaviors.same();
  }

  /** Returns the state of the program, for the table of coverage. */
  private String state() {
    if (hasEngineEnded) {
      return "ended";
    }
    if (isStopping) {
      return "stopping";
    }
    if (tasks == null) {
      return "opening";
    }
    return outstanding.isEmpty() ? "idle" : "busy";
  }

  private Behavior<Object> onDisturbance(Disturb disturb) {
    run.disturbed(disturb, state());
    ActorRef<Object> to = tasks;
    switch (disturb.what()) {
      case STOP_CONTEXT -> tell(to, new Stop(answers.<Stopped>expect("stop", context.getSelf())));
      case BREAK_CONTEXT -> tell(to, Poison.CONTEXT);
      case KILL_CONTEXT -> {
        if (to != null) {
          Adapter.toClassic(to).tell(PoisonPill.getInstance(), null);
        }
      }
      case STOP_ENGINE -> stopEngine();
      case BREAK_ENGINE -> engine.tell(Poison.engine(context.getSystem().ignoreRef()));
      case KILL_ENGINE -> context.stop(engine);
      case FAULTS -> run.faults(disturb.plan());
    }
    return Behaviors.same();
  }

  private void tell(@Nullable ActorRef<Object> to, Object message) {
    if (to == null) {
      if (message instanceof Stop) {
        answers.answered("stop");
      }
      return;
    }
    to.tell(message);
  }

  private Behavior<Object> onTimer(Timer what) {
    if (what == Timer.OPEN) {
      open();
    } else {
      send();
    }
    return Behaviors.same();
  }

  private void stopEngine() {
    isStopping = true;
    engine.tell(new Stop(answers.<Stopped>expect("stop", context.getSelf())));
  }

  private Behavior<Object> onTerminated(Terminated signal) {
    ActorRef<?> ended = signal.getRef();
    if (ended.equals(engine)) {
      hasEngineEnded = true;
    } else if (ended.equals(tasks)) {
      tasks = null;
      open();
    }
    return Behaviors.same();
  }

  /** Ends the engine if it runs, and checks the results when nothing happens any more. */
  private Behavior<Object> onFinish() {
    if (!hasEngineEnded && !isFinishing) {
      isFinishing = true;
      run.check(!isCalm, "the program is stuck after %d requests".formatted(sent));
      stopEngine();
      return Behaviors.same();
    }
    run.check(hasEngineEnded, "the engine did not end");
    answers.check();
    run.check(outstanding.isEmpty(), "requests without an answer: " + outstanding.keySet());
    run.check(
        wrong <= run.faultCount("corrupted"),
        "%d wrong outputs, %d by faults".formatted(wrong, run.faultCount("corrupted")));
    return Behaviors.stopped();
  }
}
