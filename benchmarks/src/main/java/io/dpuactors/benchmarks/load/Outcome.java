package io.dpuactors.benchmarks.load;

/** How a run of a load went. */
public sealed interface Outcome {
  /**
   * All tasks are done.
   *
   * @param count of them
   * @param elapsedNs from the first request to the last reply
   * @param allocatedBytes on the thread of the load, meanwhile
   */
  record Done(long count, long elapsedNs, long allocatedBytes) implements Outcome {}

  /** One of them was not; why, for people. */
  record Broken(String why) implements Outcome {}
}
