package io.dpuactors.benchmarks.load;

import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/** An actor that exchanges messages with a partner; one run at a time. */
public final class TellLoop {
  private enum Reply {
    INSTANCE
  }

  /** A request to the partner. */
  public record Request(ActorRef<Object> replyTo) {}

  /** Starts a run with a number of round trips, some of them in flight at once. */
  public record Run(long count, int window, ActorRef<Outcome> replyTo) {}

  private final ActorRef<Request> partner;
  private final ActorRef<Object> self;
  private @Nullable Run run;
  private long toSend;
  private long left;
  private Stopwatch watch = Stopwatch.start();

  private TellLoop(ActorRef<Request> partner, ActorRef<Object> self) {
    this.partner = partner;
    this.self = self;
  }

  /** Answers every {@link Request}. */
  public static Behavior<Request> partner() {
    return Behaviors.receiveMessage(
        request -> {
          request.replyTo().tell(Reply.INSTANCE);
          return Behaviors.same();
        });
  }

  /** Sends {@link Request}s and waits for the answers. */
  public static Behavior<Object> create(ActorRef<Request> partner) {
    return Behaviors.setup(
        context -> {
          TellLoop loop = new TellLoop(partner, context.getSelf());
          return Behaviors.receiveMessage(loop::onMessage);
        });
  }

  private Behavior<Object> onMessage(Object message) {
    if (message instanceof Run next) {
      run = next;
      left = next.count();
      toSend = next.count();
      watch = Stopwatch.start();
      for (int i = 0; i < next.window(); i++) {
        send();
      }
    } else if (--left > 0) {
      send();
    } else if (run != null) {
      run.replyTo().tell(watch.stop(run.count()));
    }
    return Behaviors.same();
  }

  private void send() {
    if (toSend-- > 0) {
      partner.tell(new Request(self));
    }
  }
}
