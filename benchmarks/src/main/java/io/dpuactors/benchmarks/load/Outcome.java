package io.dpuactors.benchmarks.load;

/** Result of a run of a load. */
public sealed interface Outcome {
  /**
   * All tasks are done.
   *
   * @param count number of tasks
   * @param elapsedNs from the first request to the last reply
   * @param allocatedBytes during the run, on the thread of the load, or {@link #UNKNOWN}
   */
  record Done(long count, long elapsedNs, long allocatedBytes) implements Outcome {
    static final long UNKNOWN = -1;

    /** Returns whether the allocation was measured. */
    public boolean isAllocationKnown() {
      return allocatedBytes != UNKNOWN;
    }
  }

  /** A task failed; the text contains the cause. */
  record Broken(String why) implements Outcome {}

  /**
   * Returns the result of a successful run.
   *
   * @throws IllegalStateException if a task failed, with the cause
   */
  default Done orThrow() {
    if (this instanceof Broken broken) {
      throw new IllegalStateException(broken.why());
    }
    return (Done) this;
  }
}
