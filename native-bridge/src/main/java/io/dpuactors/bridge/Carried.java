package io.dpuactors.bridge;

/**
 * A lease or a batch that a message hands to its receiver. If the message reaches nobody, the
 * library releases what it carries, exactly once.
 */
public interface Carried {
  /**
   * A message will hand this to its receiver. Without effect while a request or a batch has it.
   * Thread: of the sender, before it sends.
   */
  void sentIn(Object message);

  /**
   * The message has reached nobody: returns the buffers to their pools. Without effect when another
   * message has carried this since, or when its lease has ended. Any thread.
   *
   * @param message the same object as in {@link #sentIn}
   */
  void releaseIfSentIn(Object message);
}
