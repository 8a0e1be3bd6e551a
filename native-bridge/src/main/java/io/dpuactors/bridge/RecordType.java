package io.dpuactors.bridge;

/**
 * What a record of the completion ring tells; mirrors {@code enum dpubridge_record_type}, which
 * begins at 1.
 */
public enum RecordType {
  /** The device executed a task. */
  TASK_DONE,
  /** The device ended a task with an error; the status says which. */
  TASK_FAILED,
  /** A task was never submitted; the status says why. Nothing of it is in flight. */
  REFUSED,
  /** A context changed its state. */
  CONTEXT_STATE,
  /**
   * A client has come to a server; with a status that is not 0 it was an attempt that failed, and
   * there is no connection.
   */
  CONNECTED,
  /** A client of a server has gone, and its connection with it. */
  DISCONNECTED,
  /** A message has come on a connection. */
  MESSAGE,
  /** The other side of a connection has a new consumer. */
  CONSUMER_NEW,
  /** A consumer of the other side is gone. */
  CONSUMER_EXPIRED;

  private static final int FIRST = 1;
  private static final RecordType[] BY_VALUE = values();

  /** The number that stands for this type in the rings. */
  int value() {
    return FIRST + ordinal();
  }

  /**
   * The type behind a number.
   *
   * @throws IllegalArgumentException when there is none
   */
  public static RecordType of(int value) {
    if (value < FIRST || value >= FIRST + BY_VALUE.length) {
      throw new IllegalArgumentException("no type of record has number " + value);
    }
    return BY_VALUE[value - FIRST];
  }
}
