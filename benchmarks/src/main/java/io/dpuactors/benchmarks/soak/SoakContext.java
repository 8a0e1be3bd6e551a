package io.dpuactors.benchmarks.soak;

import io.dpuactors.benchmarks.load.Asking;
import io.dpuactors.protocol.ContextReply;
import io.dpuactors.protocol.ContextReply.Opened;
import io.dpuactors.protocol.Stop;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/**
 * A context, a listener or a connection of a round. It can be opened again after its end. {@link
 * #require} is for one thread at a time, the other methods are for any thread.
 *
 * @param <C> messages of the actor
 */
final class SoakContext<C> {
  /** Opens the actor. */
  interface Opening<C> {
    /** Returns the answer; null: the parent has ended. */
    @Nullable ContextReply<C> open();
  }

  private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(10);

  private final RoundContexts round;
  private final String name;
  private final Opening<C> opening;
  private volatile @Nullable ActorRef<C> current;

  /** Begin of the next attempt after a failed one. Only {@link #require} uses it. */
  private long retryNs = System.nanoTime();

  SoakContext(RoundContexts round, String name, Opening<C> opening) {
    this.round = round;
    this.name = name;
    this.opening = opening;
  }

  String name() {
    return name;
  }

  /** Returns the actor; null after its end. */
  @Nullable ActorRef<C> current() {
    return current;
  }

  /** Returns the actor, opened again after its end; null if it cannot be opened now. */
  @Nullable ActorRef<C> require() {
    if (current == null && !round.isEnding() && System.nanoTime() - retryNs >= 0) {
      if (open() instanceof Opened<C>) {
        round.noteReopened();
      } else {
        retryNs = System.nanoTime() + PAUSE_NS;
      }
    }
    return current;
  }

  /**
   * Opens the actor for the first time.
   *
   * @throws IllegalStateException if that fails
   */
  void begin() {
    ContextReply<C> reply = open();
    if (reply == null) {
      throw new IllegalStateException(name + " has no parent");
    }
    Asking.opened(reply);
  }

  private @Nullable ContextReply<C> open() {
    ContextReply<C> reply = opening.open();
    if (reply instanceof Opened<C> opened) {
      current = opened.context();
      round.system().watch(opened.context(), () -> current = null);
    }
    return reply;
  }

  /** Lets the actor fail, if it has not ended. */
  void kill() {
    ActorRef<C> actor = current;
    if (actor != null) {
      round.system().kill(actor);
    }
  }

  /** Stops the actor, if it has not ended. */
  void stop() {
    ActorRef<C> actor = current;
    if (actor != null) {
      actor.<Object>unsafeUpcast().tell(new Stop());
    }
  }
}
