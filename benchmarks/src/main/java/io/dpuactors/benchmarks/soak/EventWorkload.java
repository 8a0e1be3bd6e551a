package io.dpuactors.benchmarks.soak;

import io.dpuactors.protocol.EngineProtocol.OpenSyncEvent;
import io.dpuactors.protocol.SyncEventOptions;
import io.dpuactors.protocol.SyncEventProtocol;
import io.dpuactors.protocol.SyncEventProtocol.Add;
import io.dpuactors.protocol.SyncEventProtocol.AwaitNotEqual;
import io.dpuactors.protocol.SyncEventProtocol.Get;
import io.dpuactors.protocol.SyncEventProtocol.Reply;
import io.dpuactors.protocol.SyncEventProtocol.Value;
import io.dpuactors.protocol.TaskOptions;
import java.util.SplittableRandom;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.jspecify.annotations.Nullable;

/** Requests to a sync event: additions, reads, and waits for the next addition. */
final class EventWorkload implements Workload {
  private final RoundContexts round;
  private final SoakContext<SyncEventProtocol.Command> event;
  private @Nullable ActorRef<SyncEventProtocol.Command> counted;
  private GrowingNumber number = new GrowingNumber();

  private EventWorkload(RoundContexts round, SoakContext<SyncEventProtocol.Command> event) {
    this.round = round;
    this.event = event;
  }

  /** A restarted event begins with 0 again, so a failed one stops, and another one is opened. */
  static EventWorkload open(RoundContexts round) {
    SyncEventOptions options =
        SyncEventOptions.defaults()
            .withTasks(
                TaskOptions.defaults()
                    .withWindow(round.window())
                    .withSupervision(SupervisorStrategy.stop()));
    return new EventWorkload(
        round,
        round.<SyncEventProtocol.Command, SyncEventProtocol.OpenReply>add(
            0, "sync-event", me -> new OpenSyncEvent("sync-event", options, me)));
  }

  @Override
  public boolean send(SplittableRandom random) {
    ActorRef<SyncEventProtocol.Command> to = event.require();
    if (to == null) {
      return false;
    }
    if (!to.equals(counted)) {
      counted = to;
      number = new GrowingNumber();
    }
    int drawn = random.nextInt(8);
    if (drawn == 0) {
      to.tell(waiting(number));
    }
    to.tell(drawn == 1 ? reading(number) : adding(number));
    return true;
  }

  /** Waits for the addition that follows, so that the end of the event need not end the wait. */
  private AwaitNotEqual waiting(GrowingNumber of) {
    return new AwaitNotEqual(of.requested(), enter(answer -> true), me());
  }

  private Get reading(GrowingNumber of) {
    return new Get(enter(answer -> isPossible(of, answer)), me());
  }

  private Add adding(GrowingNumber of) {
    long ordinal = of.request();
    return new Add(1, enter(answer -> isRight(of, ordinal, answer)), me());
  }

  private ActorRef<Reply> me() {
    return round.answers(Kind.SYNC_EVENT);
  }

  private long enter(Ledger.Check check) {
    return round.ledger().enter(Kind.SYNC_EVENT, null, null, check);
  }

  private static boolean isPossible(GrowingNumber of, Answer answer) {
    return !(answer.reply() instanceof Value found)
        || (0 <= found.value() && found.value() <= of.requested());
  }

  private static boolean isRight(GrowingNumber of, long ordinal, Answer answer) {
    return !(answer.reply() instanceof Value found) || of.isRight(ordinal, found.value());
  }
}
