package io.dpuactors.simulation;

import io.dpuactors.bridge.TaskBuffers;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.protocol.AesGcmProtocol.KeyReply;
import io.dpuactors.protocol.BatchReply;
import io.dpuactors.protocol.Busy;
import io.dpuactors.protocol.ContextReply;
import io.dpuactors.protocol.ErasureCodingProtocol.MatrixReply;
import io.dpuactors.protocol.MemoryProtocol.BuffersReply;
import io.dpuactors.protocol.Stopped;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.protocol.TaskProtocol.ObjectDestroyed;
import io.dpuactors.protocol.TaskReply;
import java.time.Duration;
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
  private static final int REQUESTS = 80;
  private static final int MAX_SHORTAGES = 1000;
  private static final int SHORTAGE_NS = 1_000_000;
  private static final int RETRY_NS = 20_000_000;

  enum Timer {
    OPEN,
    SEND
  }

  private final TaskProgram program;
  private final TaskModel model;
  private final Run run;
  private final String name;
  private final Answers answers;
  private final ClientContext opened;
  private final TaskPromises promises;
  private final TaskObjects objects;
  private final SentRequests sent;
  private final BatchSender batches;
  private final int concurrency;
  private final int requests;
  private int shortages;
  private @Nullable ActorContext<Object> context;

  TaskClient(TaskProgram program, TaskModel model, Run run, String name) {
    this.program = program;
    this.model = model;
    this.run = run;
    this.name = name;
    this.answers = new Answers(run);
    TaskOptions options =
        TaskOptions.defaults()
            .withKinds(model.library().kinds().toArray(TaskKind[]::new))
            .withWindow(run.oneOf(1, 2, 4, 16))
            .withQueue(run.oneOf(0, 1, 8, 64))
            .withDeadline(
                Duration.ofNanos(run.oneOf(50_000L, 5_000_000L, 1_000_000_000L, 30_000_000_000L)));
    this.opened = new ClientContext(program, model, run, name, options, answers);
    this.promises =
        new TaskPromises(run, options, model.library().kinds().size(), program.isGroup());
    if (program.isAlone()) {
      promises.alone();
    }
    this.objects = new TaskObjects(model, run, answers);
    this.sent = new SentRequests(name, run, program.isCalm(), objects, promises);
    this.batches = new BatchSender(run, model, sent);
    this.concurrency = run.oneOf(1, 4, 16, 64);
    this.requests = Math.min(REQUESTS, run.reduction().requests());
  }

  Behavior<Object> behavior() {
    return Behaviors.setup(
        created -> {
          context = created;
          opened.open(created.getSelf());
          return Behaviors.receive(Object.class)
              .onMessage(ContextReply.class, this::onContext)
              .onMessage(BuffersReply.class, this::onBuffers)
              .onMessage(KeyReply.class, this::onObject)
              .onMessage(MatrixReply.class, this::onObject)
              .onMessage(ObjectDestroyed.class, this::onDestroyed)
              .onMessage(TaskReply.class, this::onReply)
              .onMessage(BatchReply.class, this::onBatch)
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
    return opened.tasks();
  }

  /** Returns the number of tasks that the bridge and the device may hold. */
  int slots() {
    return promises.slots();
  }

  TaskLibrary library() {
    return model.library();
  }

  /** Returns the state of the context, for the table of coverage. */
  String state() {
    if (tasks() == null) {
      return "opening";
    }
    return sent.unanswered() == 0 ? "idle" : "busy";
  }

  /** Returns the number of wrong outputs. */
  int wrong() {
    return sent.wrong();
  }

  /** A disturbance may delay answers. */
  void disturbed() {
    promises.disturbed();
  }

  private Behavior<Object> onContext(ContextReply<?> reply) {
    if (opened.onContext(reply, context())) {
      objects.forget();
    } else {
      later(RETRY_NS, Timer.OPEN);
    }
    return Behaviors.same();
  }

  private Behavior<Object> onBuffers(BuffersReply reply) {
    if (opened.onBuffers(reply, context())) {
      send();
    }
    return Behaviors.same();
  }

  private void later(int ns, Timer what) {
    context().scheduleOnce(Duration.ofNanos(ns), self(), what);
  }

  /** Returns whether the next request may go to the context. Creates an object that it needs. */
  private boolean maySend(@Nullable ActorRef<Object> to) {
    return to != null
        && opened.buffers() != null
        && sent.count() < requests
        && sent.unanswered() < concurrency
        && objects.arePrepared(to, self());
  }

  private void send() {
    TaskBuffers from = opened.buffers();
    ActorRef<Object> to = tasks();
    while (from != null && to != null && maySend(to)) {
      if (!sendOne(from, to)) {
        if (sent.unanswered() == 0 && shortages++ < MAX_SHORTAGES) {
          later(SHORTAGE_NS, Timer.SEND); // others use the buffers
        }
        return;
      }
      change(to);
      to = tasks();
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
    objects.onDestroyed(reply, !program.isCalm() || sent.hasStopped());
    return Behaviors.same();
  }

  /** Sometimes destroys an object or stops the context, which then opens again. */
  private void change(ActorRef<Object> to) {
    program.requested(sent.unanswered());
    if (run.chance(1)) {
      objects.destroy(to, self());
    } else if (run.chance(Aim.isAt(run, Cells.OPENING) ? 30 : 3)) {
      stop();
      if (!program.isCalm() && run.throwsIn(30)) {
        to.tell(Poison.CONTEXT);
      }
      opened.leave();
      sent.stopping();
    }
  }

  /** Asks the context to stop, if there is one. */
  void stop() {
    if (tasks() != null) { // without a context, this actor may not have started
      opened.stop(self());
    }
  }

  private boolean sendOne(TaskBuffers from, ActorRef<Object> to) {
    TaskBuffers.Pair pair = from.lease();
    if (pair == null) {
      return false;
    }
    if (program.sendsBatches() && run.chance(Aim.isAt(run, "idle") ? 20 : 70)) {
      batches.send(context(), pair, from, to);
      return true;
    }
    long tag = sent.nextTag();
    if (!OtherSenders.send(context(), run, model, from, pair, to)) {
      TaskModel.Work work = model.draw(run);
      work.fill(pair.src());
      to.tell(sent.add(work.request(pair.src(), pair.dst(), tag, self().narrow()), work));
    }
    return true;
  }

  private Behavior<Object> onReply(TaskReply reply) {
    sent.answered(reply);
    MortalReceiver.release(reply);
    return continueAfter(reply);
  }

  private Behavior<Object> onBatch(BatchReply reply) {
    sent.answered(reply);
    batches.answered(context(), reply, opened.buffers(), maySend(tasks()) ? tasks() : null);
    return continueAfter(reply);
  }

  private Behavior<Object> continueAfter(Object reply) {
    if (reply instanceof Busy && run.chance(95)) {
      later(run.draw(0, 100_000), Timer.SEND);
    } else {
      send();
    }
    return Behaviors.same();
  }

  private Behavior<Object> onStopped(Stopped stopped) {
    answers.answered("stop");
    run.check(!program.isCalm() || stopped.clean(), "not clean: " + stopped);
    return Behaviors.same();
  }

  private Behavior<Object> onTimer(Timer what) {
    switch (what) {
      case OPEN -> opened.open(self());
      case SEND -> send();
    }
    return Behaviors.same();
  }

  private Behavior<Object> onTerminated(Terminated signal) {
    opened.ended(signal.getRef(), self());
    return Behaviors.same();
  }

  /** Checks that nothing is left to do when nothing happens any more and the engine runs. */
  void checkDone() {
    run.check(
        !program.isCalm() || sent.count() == requests,
        "%s is stuck after %d of %d requests",
        name,
        sent.count(),
        requests);
    sent.check(" at rest");
    opened.checkAtRest(program.sendsBatches() ? BatchSender.MOST : 1);
  }

  /** Checks the answers after the end of the engine. */
  void check() {
    answers.check();
    sent.check("");
  }
}
