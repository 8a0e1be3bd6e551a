package io.dpuactors.context;

/** State that survives a context's restarts. Engine's thread. */
public final class RestartHistory {
  private final RestartSettings settings;
  private boolean hasRun;
  private int failuresInARow;
  private long runningSinceNs;

  /** Creates the history of a context that has not started. */
  public RestartHistory(RestartSettings settings) {
    this.settings = settings;
  }

  /** Returns whether any incarnation has run. */
  public boolean hasRun() {
    return hasRun;
  }

  /** Records that an incarnation runs. */
  public void running(long nowNs) {
    hasRun = true;
    runningSinceNs = nowNs;
  }

  /** Records that the current incarnation has failed. */
  public void failed(long nowNs) {
    boolean calm = hasRun && nowNs - runningSinceNs >= settings.calmNs();
    failuresInARow = calm ? 1 : failuresInARow + 1;
  }

  /**
   * Returns the delay before the next incarnation opens its context, nanoseconds. It is 0 after the
   * first failure, then the back-off, which doubles with each further failure.
   */
  public long delayNs() {
    if (failuresInARow < 2) {
      return 0;
    }
    int doublings = Math.min(failuresInARow - 2, 30);
    return Math.min(settings.backoffNs() << doublings, settings.backoffMaxNs());
  }
}
