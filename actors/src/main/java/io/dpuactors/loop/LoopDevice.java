package io.dpuactors.loop;

/**
 * What an {@link EngineLoop} drives between mailbox runs. All but {@link #wake()} run on the loop's
 * thread.
 */
public interface LoopDevice {
  /**
   * An iteration of the loop begins: mailbox runs, then {@link #turn}.
   *
   * @param nowNs the loop's clock; good enough for whatever happens in this iteration
   */
  default void begin(long nowNs) {}

  /**
   * One turn: submit, progress, deliver.
   *
   * @param nowNs the loop's clock, {@link System#nanoTime()} outside of tests
   * @param lookNs how long to go on looking at a device that has nothing
   * @return how many things happened; 0 lets the loop become idle
   */
  int turn(long nowNs, long lookNs);

  /**
   * Whether nothing waits for a time or for an answer of the device: {@link #turn} would do nothing
   * until {@link #wake()} is called or something comes that nobody has asked for. The loop may then
   * sleep longer than it would otherwise.
   */
  boolean isAtRest();

  /**
   * Looks for a while, if it is set to, then sleeps: until the device has something for the loop,
   * {@link #wake()} is called, or nothing has happened for so long. What the device has done and is
   * not for the loop does not end it.
   */
  void await(long timeoutNs);

  /** Ends an {@link #await}, or makes the next one return at once. Any thread. */
  void wake();
}
