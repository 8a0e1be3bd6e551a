package io.dpuactors.context;

/** What a context's incarnations leave to the next one. Engine's thread. */
public final class RestartHistory {
  private final RestartSettings settings;
  private boolean hasRun;
  private int failuresInARow;
  private long runningSinceNs;

  /** Of a context that has not been started. */
  public RestartHistory(RestartSettings settings) {
    this.settings = settings;
  }

  /** Whether any incarnation has ever run. */
  public boolean hasRun() {
    return hasRun;
  }

  /** An incarnation runs. */
  public void running(long nowNs) {
    hasRun = true;
    runningSinceNs = nowNs;
  }

  /** It has failed. */
  public void failed(long nowNs) {
    boolean calm = hasRun && nowNs - runningSinceNs >= settings.calmNs();
    failuresInARow = calm ? 1 : failuresInARow + 1;
  }

  /**
   * How long the next incarnation waits before it opens its context: nothing at first, then
   * doubling.
   */
  public long delayNs() {
    if (failuresInARow < 2) {
      return 0;
    }
    int doublings = Math.min(failuresInARow - 2, 30);
    return Math.min(settings.backoffNs() << doublings, settings.backoffMaxNs());
  }
}
