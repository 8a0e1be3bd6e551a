package io.dpuactors.simulation;

import java.util.Map;
import java.util.TreeMap;

/**
 * The additions of several sides to a number, which begins with 0 and only grows. Completed
 * additions do not overlap, and all additions limit the number. World's thread.
 */
final class Additions {
  /** The summands of completed additions, by the number before each. */
  private final TreeMap<Long, Long> completed = new TreeMap<>();

  private long least;
  private long most;

  /** Adds an addition without an answer. */
  void requested(long summand) {
    most += summand;
  }

  /** Removes an addition that the device has not received. */
  void refused(long summand) {
    most -= summand;
  }

  /** Returns the sum of the completed additions, below which the number cannot be. */
  long least() {
    return least;
  }

  /** Returns whether the number may have been this value since it was at least another one. */
  boolean isPossible(long sinceLeast, long value) {
    return sinceLeast <= value && value <= most;
  }

  /** Returns the sum of all additions. */
  long most() {
    return most;
  }

  /**
   * Adds a completed addition.
   *
   * @param before the number before it
   * @return false if the addition overlaps another one
   */
  boolean completed(long before, long summand) {
    Map.Entry<Long, Long> previous = completed.floorEntry(before + summand - 1);
    if (previous != null && previous.getKey() + previous.getValue() > before) {
      return false;
    }
    completed.put(before, summand);
    least += summand;
    return true;
  }
}
