package io.dpuactors.loop;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.apache.pekko.actor.ActorCell;
import org.apache.pekko.dispatch.Mailbox;
import org.jspecify.annotations.Nullable;

/**
 * The current activity of a loop. The loop's thread writes it with opaque accesses, which cost as
 * much as plain ones. Any thread reads it.
 */
final class CurrentTurn {
  /** Value of {@link #beganNs} while the loop sleeps or does work that may take long. */
  static final long NONE = Long.MIN_VALUE;

  private static final VarHandle BEGAN = handle("beganNs", long.class);
  private static final VarHandle TASK = handle("task", Runnable.class);

  @SuppressWarnings("unused") // accessed through BEGAN
  private long beganNs = NONE;

  @SuppressWarnings("unused") // accessed through TASK
  private @Nullable Runnable task;

  private static VarHandle handle(String field, Class<?> type) {
    try {
      return MethodHandles.lookup().findVarHandle(CurrentTurn.class, field, type);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Records that a turn begins. Loop's thread. */
  void begin(long nowNs) {
    BEGAN.setOpaque(this, nowNs);
  }

  /** Records that no turn is active. Loop's thread. */
  void rest() {
    BEGAN.setOpaque(this, NONE);
  }

  /** Records that the turn runs this task, or the device if null. Loop's thread. */
  void run(@Nullable Runnable next) {
    TASK.setOpaque(this, next);
  }

  /** Returns the time when the turn began, or {@link #NONE}. */
  long beganNs() {
    return (long) BEGAN.getOpaque(this);
  }

  /**
   * Returns a description of the current activity for a log line. The description names the actor
   * of the mailbox.
   */
  String subject() {
    Object current = TASK.getOpaque(this);
    if (current instanceof Mailbox mailbox) {
      ActorCell actor = mailbox.actor();
      return actor == null ? "a mailbox without an actor" : "actor " + actor.self().path();
    }
    return current == null ? "the turn of the device" : "task " + current;
  }
}
