package io.dpuactors.testkit;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.protocol.DeviceRequest;
import io.dpuactors.protocol.LocalMessage;
import io.dpuactors.protocol.Request;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import io.dpuactors.protocol.TaskProtocol.CapabilityQuery;
import io.dpuactors.protocol.TaskProtocol.CreateObject;
import io.dpuactors.protocol.TaskProtocol.DestroyObject;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/** Actor of a {@link ScriptedContext}. */
final class ScriptedBehavior {
  /** Lets one held request continue. */
  enum Proceed implements LocalMessage {
    INSTANCE
  }

  /** Fails held requests and ends all objects. */
  record Restart(DocaCode code) implements LocalMessage {}

  /** The delay of a request has passed. */
  private record Due(Pending request) implements LocalMessage {}

  /** A request without its last effect. */
  interface Pending {
    /** Executes and answers. */
    void run();

    /** Answers with an error. */
    void fail(DocaError error);
  }

  private final Script script;
  private final ActorRef<LocalMessage> observer;
  private final TimerScheduler<LocalMessage> timers;
  private final ScriptedObjects objects;
  private final ScriptedTasks tasks;
  private final Queue<Pending> held = new ArrayDeque<>();
  private final Queue<Pending> delayed = new ArrayDeque<>();
  private int permits;

  private ScriptedBehavior(
      TaskLibrary library,
      Script script,
      ActorRef<LocalMessage> observer,
      ActorContext<LocalMessage> context,
      TimerScheduler<LocalMessage> timers) {
    this.script = script;
    this.observer = observer;
    this.timers = timers;
    this.objects = new ScriptedObjects(library, context::watch);
    this.tasks = new ScriptedTasks(library, objects);
  }

  static Behavior<LocalMessage> create(
      TaskLibrary library, Script script, ActorRef<LocalMessage> observer) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers ->
                    new ScriptedBehavior(library, script, observer, context, timers).behavior()));
  }

  private Behavior<LocalMessage> behavior() {
    return Behaviors.receive(LocalMessage.class)
        .onMessage(Due.class, this::onDue)
        .onMessageEquals(Proceed.INSTANCE, this::onProceed)
        .onMessage(Restart.class, this::onRestart)
        .onMessage(Stop.class, this::onStop)
        .onMessage(Request.class, this::onRequest)
        .onSignal(Terminated.class, this::onOwnerEnded)
        .onSignal(PostStop.class, signal -> onEnd())
        .build();
  }

  private Behavior<LocalMessage> onRequest(Request request) {
    observer.tell(request);
    if (request instanceof DeviceRequest task) {
      onTask(task, script.reactionTo(task));
    } else {
      react(script.reactionTo(request), pending(request));
    }
    return Behaviors.same();
  }

  private void onTask(DeviceRequest task, Reaction reaction) {
    DocaError refusal = tasks.accept(task);
    if (refusal != null) {
      tasks.refuse(task, refusal);
    } else if (reaction == Reaction.busy()) {
      tasks.busy(task, held.size() + delayed.size());
    } else if (reaction == Reaction.expire()) {
      react(Reaction.hold(), tasks.expire(task));
    } else {
      react(reaction, tasks.pending(task));
    }
  }

  private Pending pending(Request request) {
    return new Pending() {
      @Override
      public void run() {
        if (request instanceof CreateObject command) {
          objects.create(command);
        } else if (request instanceof DestroyObject command) {
          objects.destroy(command);
        } else if (request instanceof CapabilityQuery query) {
          query.replyTo().tell(tasks.capabilities());
        } else {
          fail(objects.error(DocaCode.NOT_SUPPORTED, request + " is no message of the context"));
        }
      }

      @Override
      public void fail(DocaError error) {
        request.refuse(error);
      }
    };
  }

  private void react(Reaction reaction, Pending request) {
    if (reaction instanceof Reaction.Fail failure) {
      request.fail(tasks.error(failure.code(), "a failure of the script"));
    } else if (reaction instanceof Reaction.After after && !after.delay().isZero()) {
      delay(request, after.delay());
    } else if (reaction == Reaction.hold() && permits == 0) {
      held.add(request);
    } else {
      permits -= reaction == Reaction.hold() ? 1 : 0;
      request.run();
    }
  }

  private void delay(Pending request, Duration delay) {
    delayed.add(request);
    timers.startSingleTimer(request, new Due(request), delay);
  }

  private Behavior<LocalMessage> onDue(Due due) {
    if (delayed.remove(due.request())) {
      due.request().run();
    }
    return Behaviors.same();
  }

  private Behavior<LocalMessage> onProceed() {
    Pending first = held.poll();
    if (first == null) {
      permits++;
    } else {
      first.run();
    }
    return Behaviors.same();
  }

  private Behavior<LocalMessage> onRestart(Restart restart) {
    failAll(tasks.error(restart.code(), "the context restarts"));
    objects.end();
    return Behaviors.same();
  }

  private Behavior<LocalMessage> onStop(Stop stop) {
    observer.tell(stop);
    onEnd();
    stop.replyTo().ifPresent(requester -> requester.tell(Stopped.CLEAN));
    return Behaviors.stopped();
  }

  private Behavior<LocalMessage> onOwnerEnded(Terminated owner) {
    objects.onOwnerEnded(owner.getRef());
    return Behaviors.same();
  }

  private Behavior<LocalMessage> onEnd() {
    failAll(tasks.error(DocaCode.SHUTDOWN, "the context ends"));
    objects.end();
    return Behaviors.same();
  }

  private void failAll(DocaError error) {
    held.addAll(delayed);
    delayed.clear();
    timers.cancelAll();
    while (!held.isEmpty()) {
      held.remove().fail(error);
    }
  }
}
