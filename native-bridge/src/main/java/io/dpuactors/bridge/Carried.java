package io.dpuactors.bridge;

/**
 * A lease or a batch that a message passes to its receiver. If no actor receives the message, the
 * library releases the lease or batch, exactly once.
 */
public interface Carried {
  /**
   * Notes that a message passes this to its receiver. Has no effect while a request or a batch has
   * it. Thread: of the sender, before sending.
   */
  void sentIn(Object message);

  /**
   * Returns the buffers to their pools because no actor received the message. Has no effect when
   * another message has carried this since, or when its lease has ended. Any thread.
   *
   * @param message the same object as in {@link #sentIn}
   */
  void releaseIfSentIn(Object message);
}
