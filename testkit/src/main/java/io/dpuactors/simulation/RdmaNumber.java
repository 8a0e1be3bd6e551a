package io.dpuactors.simulation;

/**
 * A number of the server, which one client changes by tasks on its connection. The number begins
 * with 0 and only grows. The device executes the tasks in the order of their requests, so each
 * answer has one right number. A failed task may have been executed, or may be executed later: then
 * the number is within limits. World's thread.
 */
final class RdmaNumber {
  /** Sum of the changes that have surely happened. */
  private long sum;

  /** Sum of the changes of failed tasks. */
  private long lost;

  /** Sum of the changes without an answer. */
  private long unanswered;

  private boolean isUnknown;
  private int wrong;

  /** Returns the number after all tasks without an answer, if no task fails. */
  long predicted() {
    return sum + unanswered;
  }

  /** Returns how many answers had a wrong number. */
  int wrong() {
    return wrong;
  }

  /** Returns whether no failed task may have changed the number. */
  boolean isExact() {
    return lost == 0 && !isUnknown;
  }

  /** Adds a task without an answer, which changes the number by this summand. */
  void requested(long summand) {
    unanswered += summand;
  }

  /** Accepts a completed addition. */
  void added(long before, long summand) {
    unanswered -= summand;
    check(before);
    sum += summand;
  }

  /** Accepts a completed exchange. It has an effect if the number was the expected one. */
  void swapped(long before, long expected, long summand) {
    unanswered -= summand;
    if (!check(before)) {
      lost += summand; // a damaged answer does not show whether there was an effect
    } else if (before == expected) {
      sum += summand;
    }
  }

  /**
   * Accepts a completed task that has set the number.
   *
   * @param change the difference from the predicted number
   */
  void set(long value, long change) {
    unanswered -= change;
    if (isExact()) {
      sum = value;
    } else {
      lose();
    }
  }

  /** No answer is checked any more: a failed task may set the number to an earlier one. */
  void lose() {
    isUnknown = true;
  }

  /** The connection has ended. Its tasks without an answer may follow those of the next one. */
  void disconnected() {
    isUnknown |= unanswered > 0;
  }

  /** Accepts the number that a completed task has read. */
  void found(long value) {
    check(value);
  }

  /** Accepts a failed task, which may still have an effect. */
  void failed(long summand) {
    unanswered -= summand;
    lost += summand;
  }

  /** Accepts a task that the device has not received. */
  void refused(long summand) {
    unanswered -= summand;
  }

  /** A wrong answer does not change the model: a fault may damage answers, but not the number. */
  private boolean check(long found) {
    boolean isPossible = isUnknown || (sum <= found && found <= sum + lost);
    wrong += isPossible ? 0 : 1;
    return isPossible;
  }

  /** Returns whether the memory may have this number, perhaps before tasks without an answer. */
  boolean isPossible(long now) {
    return isUnknown || (sum <= now && now <= sum + lost + unanswered);
  }

  @Override
  public String toString() {
    return "a number from %d to %d".formatted(sum, sum + lost + unanswered);
  }
}
