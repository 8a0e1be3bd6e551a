package io.dpuactors.simulation;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BooleanSupplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/**
 * An actor of a simulation that keeps the messages that it receives. Thread: the simulation's.
 *
 * @param <T> type of the messages
 */
public final class SimulatedProbe<T> {
  private final Deque<T> messages = new ArrayDeque<>();
  private final Waiting waiting;
  private @Nullable ActorRef<T> ref;

  /** Runs the simulation until a condition holds. */
  interface Waiting {
    /** Returns false if nothing happens any more, or after 30 minutes of virtual time. */
    boolean until(BooleanSupplier condition);
  }

  SimulatedProbe(Waiting waiting) {
    this.waiting = waiting;
  }

  Behavior<T> behavior() {
    return Behaviors.<T>receiveMessage(
        message -> {
          messages.add(message);
          return Behaviors.same();
        });
  }

  void started(ActorRef<T> actor) {
    ref = actor;
  }

  /** Returns the actor. */
  public ActorRef<T> ref() {
    if (ref == null) {
      throw new IllegalStateException("the probe has not started");
    }
    return ref;
  }

  /** Returns the number of messages that wait for {@link #receive}. */
  public int size() {
    return messages.size();
  }

  /**
   * Runs the simulation until a message arrives, and returns the message.
   *
   * @throws AssertionError if nothing happens any more, or after 30 minutes of virtual time
   */
  public T receive() {
    if (!waiting.until(() -> !messages.isEmpty())) {
      throw new AssertionError(
          "no message arrives: nothing happens any more, or 30 minutes of virtual time are over");
    }
    return messages.remove();
  }

  /**
   * Does {@link #receive} and checks the type of the message.
   *
   * @throws AssertionError if nothing happens any more, or for a message of another type
   */
  public <M extends T> M receive(Class<M> type) {
    T message = receive();
    if (!type.isInstance(message)) {
      throw new AssertionError("expected %s, received %s".formatted(type.getSimpleName(), message));
    }
    return type.cast(message);
  }
}
