package io.dpuactors.simulation;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.protocol.Busy;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.OpenSyncEvent;
import io.dpuactors.protocol.SyncEventOptions;
import io.dpuactors.protocol.SyncEventProtocol;
import io.dpuactors.protocol.SyncEventProtocol.Add;
import io.dpuactors.protocol.SyncEventProtocol.AwaitEqual;
import io.dpuactors.protocol.SyncEventProtocol.AwaitNotEqual;
import io.dpuactors.protocol.SyncEventProtocol.EventRequest;
import io.dpuactors.protocol.SyncEventProtocol.Export;
import io.dpuactors.protocol.SyncEventProtocol.ExportReply;
import io.dpuactors.protocol.SyncEventProtocol.Exported;
import io.dpuactors.protocol.SyncEventProtocol.Failed;
import io.dpuactors.protocol.SyncEventProtocol.Get;
import io.dpuactors.protocol.SyncEventProtocol.Reply;
import io.dpuactors.protocol.SyncEventProtocol.Value;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.simulation.Disturbances.Disturb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.BehaviorBuilder;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/**
 * A sync event of the host, and its import on the DPU. Both sides read it, add to it, and wait for
 * values with a deadline. The value only grows, so the additions limit what a request can find.
 */
final class SyncEventProgram extends PairProgram {
  /** States of the program, for the table of coverage. */
  static final List<String> STATES = List.of("opening", "busy", "stopping", "ended");

  private static final int REQUESTS = 80;
  private static final int MAX_SUMMAND = 3;

  /** A request without an answer. {@code least}: the value when it was sent, or less. */
  private record Sent(EventRequest request, long least, long atNs) {}

  private final int requests;
  private final int ahead;
  private final Duration deadline;
  private final List<ActorRef<SyncEventProtocol.Command>> events = new ArrayList<>();
  private final Map<Long, Sent> unanswered = new HashMap<>();

  private final Additions additions = new Additions();
  private int sent;
  private int wrong;
  private boolean isUndisturbed = true;

  SyncEventProgram(Run run, ActorContext<Object> context, @Nullable PairProgram whole) {
    super(run, context, disturbances(run, STATES, whole), whole);
    this.requests = Math.min(REQUESTS, run.reduction().requests());
    this.ahead = run.oneOf(1, 4, 16);
    this.deadline = Duration.ofNanos(run.oneOf(50_000L, 5_000_000L, 1_000_000_000L));
    open(engines.host(), SyncEventOptions.defaults(), EnginePair.HOST_DEVICE);
  }

  /** A restarted event would begin with 0 again, so a failed one stays stopped. */
  private void open(
      ActorRef<EngineProtocol.Command> engine, SyncEventOptions options, String device) {
    TaskOptions tasks =
        TaskOptions.defaults()
            .onDevice(device)
            .withWindow(run.oneOf(1, 4, 16))
            .withQueue(run.oneOf(0, 4, 64))
            .withDeadline(deadline)
            .withSupervision(SupervisorStrategy.stop());
    engine.tell(new OpenSyncEvent("event", options.withTasks(tasks), expect("open")));
  }

  @Override
  BehaviorBuilder<Object> work(BehaviorBuilder<Object> builder) {
    return builder
        .onMessage(SyncEventProtocol.OpenReply.class, this::onOpened)
        .onMessage(ExportReply.class, this::onExported)
        .onMessage(Reply.class, this::onReply);
  }

  private Behavior<Object> onOpened(SyncEventProtocol.OpenReply reply) {
    answers.answered("open");
    if (reply instanceof SyncEventProtocol.Opened opened) {
      events.add(opened.context());
      if (events.size() == 1) {
        opened.context().tell(new Export(expect("export")));
      } else {
        send();
      }
    } else {
      run.check(!isCalm, "not opened: " + reply);
    }
    return Behaviors.same();
  }

  private Behavior<Object> onExported(ExportReply reply) {
    answers.answered("export");
    if (reply instanceof Exported exported) {
      open(engines.dpu(), SyncEventOptions.imported(exported.description()), EnginePair.DPU_DEVICE);
    } else {
      run.check(!isCalm, "not exported: " + reply);
    }
    return Behaviors.same();
  }

  private void send() {
    while (sent < requests && unanswered.size() < ahead) {
      EventRequest request = draw(sent++);
      additions.requested(request instanceof Add ? request.value() : 0);
      unanswered.put(request.tag(), new Sent(request, additions.least(), run.nowNs()));
      events.get(run.draw(0, events.size() - 1)).tell(request);
      requested("sync-event");
    }
  }

  private EventRequest draw(long tag) {
    ActorRef<Reply> me = context.getSelf().narrow();
    long sum = additions.least();
    return switch (run.draw(0, 5)) {
      case 0 -> new AwaitEqual(sum + run.draw(0, MAX_SUMMAND), tag, me);
      case 1 -> new AwaitNotEqual(sum, tag, me);
      case 2 -> new Get(tag, me);
      default -> new Add(run.draw(1, MAX_SUMMAND), tag, me);
    };
  }

  private Behavior<Object> onReply(Reply reply) {
    Sent request = unanswered.remove(reply.tag());
    if (request == null) {
      run.fail("request %d has two answers; the second is %s".formatted(reply.tag(), reply));
      return Behaviors.same();
    }
    run.note(reply.toString());
    long afterNs = run.nowNs() - request.atNs();
    run.check(
        !isUndisturbed || afterNs <= deadline.toNanos() + run.slackNs(),
        "request %d was answered %d ns after it was sent",
        reply.tag(),
        afterNs);
    if (reply instanceof Failed failed) {
      onFailed(failed, afterNs);
    } else if (reply instanceof Busy) {
      run.reached("busy");
    } else {
      run.reached(request.request().kind().name());
      wrong += isPossible(request, reply) ? 0 : 1;
    }
    send();
    if (sent == requests && unanswered.isEmpty()) {
      done();
    }
    return Behaviors.same();
  }

  private void onFailed(Failed failed, long afterNs) {
    DocaCode code = failed.error().code();
    run.reached(code.name());
    if (code == DocaCode.TIME_OUT) {
      run.check(
          afterNs >= deadline.toNanos(), "request %d timed out after %d ns", failed.tag(), afterNs);
    } else {
      run.check(!isCalm, "failed: " + failed.error());
    }
  }

  /** Returns whether the value may have been what the answer says. */
  private boolean isPossible(Sent request, Reply reply) {
    long least = request.least();
    long value = request.request().value();
    if (reply instanceof Value found) {
      boolean isInside = additions.isPossible(least, found.value());
      return request.request() instanceof Add
          ? isInside && additions.completed(found.value(), value)
          : isInside;
    }
    return request.request() instanceof AwaitEqual
        ? additions.isPossible(least, value)
        : least != value || additions.most() != value;
  }

  @Override
  String workState() {
    return events.size() < 2 ? "opening" : "busy";
  }

  @Override
  void onDisturb(Disturb disturb) {
    isUndisturbed &= disturb.what() == Disturbance.FAULTS;
  }

  @Override
  @Nullable ActorRef<Object> target() {
    return events.isEmpty()
        ? null
        : events.get(run.draw(0, events.size() - 1)).<Object>unsafeUpcast();
  }

  @Override
  void openAnother(String name) {
    TaskOptions tasks = TaskOptions.defaults().onDevice(EnginePair.HOST_DEVICE).withWindow(1);
    SyncEventOptions options = SyncEventOptions.defaults().withTasks(tasks);
    engines.host().tell(new OpenSyncEvent(name, options, context.getSystem().ignoreRef()));
  }

  @Override
  void check() {
    run.check(unanswered.isEmpty(), "requests without an answer: " + unanswered.keySet());
    run.checkFaulty("impossible values", wrong);
  }
}
