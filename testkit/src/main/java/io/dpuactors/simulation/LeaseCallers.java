package io.dpuactors.simulation;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.TaskBuffers;
import io.dpuactors.bridge.TaskBuffers.Pair;
import io.dpuactors.bridge.TaskBuffers.Part;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionException;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/**
 * Callers that wait for pairs of a client's buffers, while the client leases pairs, too. Each
 * caller has one result: a pair, or an error by its limit. World's thread.
 */
final class LeaseCallers {
  /** Largest number of callers that wait for the buffers of a client. */
  static final int MOST_WAITING = 3;

  /** One of this number of seeds has callers. The other seeds have the same runs as without. */
  private static final int SEEDS = 8;

  private static final int ROUNDS = 10;
  private static final int MOST_AT_ONCE = 5;
  private static final int PAUSE_NS = 200_000;
  private static final int[] LIMITS_NS = {0, 10_000, 200_000, 5_000_000, 100_000_000};
  private static final int[] HOLDS_NS = {1, 10_000, 1_000_000};

  private enum Round {
    NEXT
  }

  private record Leased(Pair pair) {}

  private record Release(Pair pair) {}

  private final Run run;
  private final TaskProgram program;
  private final TaskBuffers buffers;
  private final Answers answers;

  /** Numbers of the callers without a result. */
  private final TreeSet<Integer> waiting = new TreeSet<>();

  /** Leased pairs, in the order of their leases. */
  private final Set<Pair> held = new LinkedHashSet<>();

  private boolean hasEnded;
  private int calls;
  private int rounds;

  private LeaseCallers(Run run, TaskProgram program, TaskBuffers buffers, Answers answers) {
    this.run = run;
    this.program = program;
    this.buffers = buffers;
    this.answers = answers;
  }

  /**
   * Returns the callers of a client's buffers, which begin to wait; nothing if the seed has none.
   *
   * @param buffers at most {@link #MOST_WAITING} callers may wait for them
   * @param answers of the client
   */
  static List<LeaseCallers> spawn(
      ActorContext<Object> client,
      Run run,
      TaskProgram program,
      TaskBuffers buffers,
      Answers answers) {
    if (run.seed() % SEEDS != SEEDS - 1) {
      return List.of();
    }
    LeaseCallers callers = new LeaseCallers(run, program, buffers, answers);
    client.spawnAnonymous(Behaviors.setup(callers::begin));
    return List.of(callers);
  }

  private Behavior<Object> begin(ActorContext<Object> context) {
    context.getSelf().tell(Round.NEXT);
    return Behaviors.receive(Object.class)
        .onMessage(Round.class, round -> onRound(context))
        .onMessage(Leased.class, leased -> onLeased(leased.pair(), context))
        .onMessage(Release.class, release -> onRelease(release.pair()))
        .onSignal(PostStop.class, stop -> onStop())
        .build();
  }

  private Behavior<Object> onRound(ActorContext<Object> context) {
    for (int left = run.draw(1, MOST_AT_ONCE); left > 0; left--) {
      call(context.getSelf());
    }
    if (++rounds < ROUNDS) {
      later(PAUSE_NS, Round.NEXT, context);
    }
    return Behaviors.same();
  }

  private void later(int mostNs, Object message, ActorContext<Object> context) {
    context.scheduleOnce(Duration.ofNanos(run.draw(0, mostNs)), context.getSelf(), message);
  }

  private Behavior<Object> onLeased(Pair pair, ActorContext<Object> context) {
    later(HOLDS_NS[run.draw(0, HOLDS_NS.length - 1)], new Release(pair), context);
    return Behaviors.same();
  }

  private Behavior<Object> onRelease(Pair pair) {
    held.remove(pair);
    pair.release();
    return Behaviors.same();
  }

  /** The actor ends with its actor system. Callers that still wait may get a released pair. */
  private Behavior<Object> onStop() {
    hasEnded = true;
    held.forEach(Pair::release);
    return Behaviors.same();
  }

  private void call(ActorRef<Object> self) {
    int number = calls++;
    long limitNs = LIMITS_NS[run.draw(0, LIMITS_NS.length - 1)];
    long sinceNs = run.nowNs();
    waiting.add(number);
    ActorRef<Leased> receiver = answers.expect("lease", self);
    buffers
        .leaseWithin(Duration.ofNanos(limitNs))
        .whenComplete(
            (pair, failure) -> {
              answers.answered("lease");
              onResult(failure, run.nowNs() - sinceNs, limitNs);
              if (pair != null) {
                run.check(waiting.first() == number, "a caller has overtaken another: %d", number);
                lend(pair, receiver);
              }
              waiting.remove(number);
            });
    run.check(waiting.size() <= MOST_WAITING, "%d callers wait for a lease", waiting.size());
  }

  private void lend(Pair pair, ActorRef<Leased> receiver) {
    if (hasEnded) {
      pair.release();
    } else {
      held.add(pair);
      receiver.tell(new Leased(pair));
    }
  }

  private void onResult(@Nullable Throwable failure, long afterNs, long limitNs) {
    run.check(
        !program.isCalm() || afterNs <= limitNs + run.slackNs(),
        "a caller waited %d ns for a lease, and its limit was %d ns",
        afterNs,
        limitNs);
    String result = "at once";
    if (failure != null) {
      result = onFailed(failure, afterNs, limitNs);
    } else if (afterNs > 0) {
      result = "later";
    }
    run.note("lease " + result);
    run.reached("lease " + result);
  }

  private String onFailed(Throwable failure, long afterNs, long limitNs) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    if (!(cause instanceof DocaException exception)) {
      run.fail("a caller has no lease", failure);
      return "failed";
    }
    DocaCode code = exception.error().code();
    boolean isRight =
        switch (code) {
          case TIME_OUT -> afterNs >= limitNs && buffers.available() == 0;
          case FULL -> waiting.size() > MOST_WAITING;
          case SHUTDOWN -> buffers.parts().stream().noneMatch(Part::lends) && mayEnd();
          default -> false;
        };
    run.check(
        isRight,
        "a caller fails after %d ns with a limit of %d ns, %d wait, %d pairs are free: %s",
        afterNs,
        limitNs,
        waiting.size(),
        buffers.available(),
        exception);
    return code.name();
  }

  /** The memory of a group ends with its context, which the client may stop. */
  private boolean mayEnd() {
    return !program.isCalm() || !program.isOpen() || program.isGroup();
  }

  /** Checks that no caller waits when nothing happens any more. */
  void checkAtRest() {
    run.check(waiting.isEmpty(), "%d callers wait for a lease at rest", waiting.size());
  }
}
