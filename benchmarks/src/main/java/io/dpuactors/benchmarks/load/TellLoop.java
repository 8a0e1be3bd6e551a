package io.dpuactors.benchmarks.load;

import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/** Two actors that exchange messages. */
public final class TellLoop {
  /** The reply. */
  private enum Ball {
    BALL
  }

  /** A request to the partner. */
  public record Request(ActorRef<Object> replyTo) {}

  /** Starts a run with a number of round trips, some of them in flight at once. */
  public record Run(long count, int window, ActorRef<Outcome> replyTo) {}

  private TellLoop() {}

  /** Answers every {@link Request}. */
  public static Behavior<Request> partner() {
    return Behaviors.receiveMessage(
        request -> {
          request.replyTo().tell(Ball.BALL);
          return Behaviors.same();
        });
  }

  /** Sends {@link Request}s and waits for the answers; one run at a time. */
  public static Behavior<Object> create(ActorRef<Request> partner) {
    return Behaviors.setup(
        context -> {
          Player player = new Player(partner, context.getSelf());
          return Behaviors.receiveMessage(player::onMessage);
        });
  }

  private static final class Player {
    private final ActorRef<Request> partner;
    private final ActorRef<Object> self;
    private @Nullable Run run;
    private long toSend;
    private long left;
    private long beginNs;
    private long beginBytes;

    Player(ActorRef<Request> partner, ActorRef<Object> self) {
      this.partner = partner;
      this.self = self;
    }

    private Behavior<Object> onMessage(Object message) {
      if (message instanceof Run next) {
        run = next;
        left = next.count();
        toSend = next.count();
        beginBytes = ThreadAllocation.bytes();
        beginNs = System.nanoTime();
        for (int i = 0; i < next.window(); i++) {
          send();
        }
      } else if (--left > 0) {
        send();
      } else if (run != null) {
        long elapsedNs = System.nanoTime() - beginNs;
        long bytes = ThreadAllocation.bytes() - beginBytes;
        run.replyTo().tell(new Outcome.Done(run.count(), elapsedNs, bytes));
      }
      return Behaviors.same();
    }

    private void send() {
      if (toSend-- > 0) {
        partner.tell(new Request(self));
      }
    }
  }
}
