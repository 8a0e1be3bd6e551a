package io.dpuactors.bridge;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The last message that carried a lease to its holder. Shows whether the lease is on its way to a
 * holder, and whether another message has carried it since.
 */
final class LeaseMessage {
  private static final VarHandle NUMBER;

  static {
    try {
      NUMBER = MethodHandles.lookup().findVarHandle(LeaseMessage.class, "number", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Number of the lease that the last request returned; 0 when an answer has carried it since. */
  private long returned;

  /** Whether the request that has the lease was answered: no answer follows the return. */
  private boolean isAnswered;

  /** The last message that carried the lease; written before the number of the lease. */
  private @Nullable Object message;

  private volatile long number;

  /** The last message that carried the lease to a holder who has accessed the lease since. */
  private @Nullable Object received;

  /** Notes that a request has taken the lease. */
  void taken() {
    returned = 0;
    isAnswered = false;
  }

  /** Notes that the request that has the lease was answered. */
  void answered() {
    isAnswered = true;
  }

  /** Notes that a request has returned the lease with this number. */
  void returned(long leaseNumber) {
    returned = isAnswered ? 0 : leaseNumber;
  }

  /** Notes that a message carries the lease: that of the last request, else the current one. */
  void sentIn(Object carrier, long leaseNumber) {
    message = carrier;
    NUMBER.setRelease(this, returned == 0 ? leaseNumber : returned);
    returned = 0;
  }

  /** Notes that the holder uses the lease: the message that carried it has arrived. */
  void arrived() {
    if (received != message) {
      received = message;
    }
  }

  /** Returns whether a message carries the lease with this number, and has not arrived. */
  boolean carries(long leaseNumber) {
    return number == leaseNumber && received != message;
  }

  /** Returns the number of the lease that the last message carried. */
  long number() {
    return number;
  }

  @Nullable Object last() {
    return message;
  }
}
