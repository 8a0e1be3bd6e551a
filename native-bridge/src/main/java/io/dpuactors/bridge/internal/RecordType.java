package io.dpuactors.bridge.internal;

/**
 * Types of records in the completion ring; mirrors {@code enum dpubridge_record_type}, which begins
 * at 1.
 */
public enum RecordType {
  /** The device executed a task. */
  TASK_DONE,
  /** The device ended a task with an error; the status is the cause. */
  TASK_FAILED,
  /** A task was never submitted; the status is the cause. */
  REFUSED,
  /** A context changed its state. */
  CONTEXT_STATE,
  /**
   * A server has a new client, or an RDMA connection is established. A status other than 0 reports
   * a failed attempt without a connection.
   */
  CONNECTED,
  /** A server's connection, or one of RDMA, has ended. */
  DISCONNECTED,
  /** A message has arrived on a connection. */
  MESSAGE,
  /** The other side of a connection has a new consumer. */
  CONSUMER_NEW,
  /** A consumer of the other side has ended. */
  CONSUMER_EXPIRED,
  /** A peer asks an RDMA context for a connection. */
  REQUESTED;

  private static final int FIRST = 1;
  private static final RecordType[] BY_VALUE = values();

  /** Returns the number of this type in the rings. */
  int value() {
    return FIRST + ordinal();
  }

  /**
   * Returns the type of a number.
   *
   * @throws IllegalArgumentException for an unknown number
   */
  public static RecordType of(int value) {
    if (value < FIRST || value >= FIRST + BY_VALUE.length) {
      throw new IllegalArgumentException("no type of record has number " + value);
    }
    return BY_VALUE[value - FIRST];
  }
}
