package io.dpuactors.loop;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.apache.pekko.actor.ActorCell;
import org.apache.pekko.dispatch.Mailbox;
import org.jspecify.annotations.Nullable;

/**
 * What a loop does at the moment. The loop's thread writes, with opaque accesses that cost as much
 * as plain ones; any thread reads.
 */
final class CurrentTurn {
  /** The loop sleeps, or does work that may take long. */
  static final long NONE = Long.MIN_VALUE;

  private static final VarHandle BEGAN = handle("beganNs", long.class);
  private static final VarHandle TASK = handle("task", Runnable.class);

  @SuppressWarnings("unused") // through BEGAN
  private long beganNs = NONE;

  @SuppressWarnings("unused") // through TASK
  private @Nullable Runnable task;

  private static VarHandle handle(String field, Class<?> type) {
    try {
      return MethodHandles.lookup().findVarHandle(CurrentTurn.class, field, type);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** A turn begins. Loop's thread. */
  void begin(long nowNs) {
    BEGAN.setOpaque(this, nowNs);
  }

  /** No turn is under way. Loop's thread. */
  void rest() {
    BEGAN.setOpaque(this, NONE);
  }

  /** The turn comes to this task; null: to the device. Loop's thread. */
  void run(@Nullable Runnable next) {
    TASK.setOpaque(this, next);
  }

  /** When the turn began, or {@link #NONE}. */
  long beganNs() {
    return (long) BEGAN.getOpaque(this);
  }

  /** What the turn is doing, for a log line: it names the actor whose mailbox runs. */
  String subject() {
    Object current = TASK.getOpaque(this);
    if (current instanceof Mailbox mailbox) {
      ActorCell actor = mailbox.actor();
      return actor == null ? "a mailbox without an actor" : "actor " + actor.self().path();
    }
    return current == null ? "the turn of the device" : "task " + current;
  }
}
