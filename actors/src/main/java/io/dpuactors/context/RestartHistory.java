package io.dpuactors.context;

/** State that survives a context's restarts. Engine's thread. */
public final class RestartHistory {
  private final RestartSettings settings;
  private boolean hasRun;
  private boolean isRunning;
  private boolean isStopping;
  private long runningSinceNs;
  private int failures;
  private long delayNs;

  /** Creates the history of a context that has not started. */
  public RestartHistory(RestartSettings settings) {
    this.settings = settings;
  }

  /** Records that the context was asked to stop: no incarnation follows the current one. */
  public void stopping() {
    isStopping = true;
  }

  /** Returns whether the context was asked to stop. */
  public boolean isStopping() {
    return isStopping;
  }

  /**
   * Returns whether no incarnation follows the current one: the context was asked to stop, or has
   * no restart left.
   */
  public boolean isOver() {
    return isStopping || failures > settings.maxInARow();
  }

  /** Returns whether any incarnation has run. */
  public boolean hasRun() {
    return hasRun;
  }

  /** Records that an incarnation runs. */
  public void running(long nowNs) {
    hasRun = true;
    isRunning = true;
    runningSinceNs = nowNs;
  }

  /** Records that the current incarnation has failed. */
  public void failed(long nowNs) {
    boolean isFirst = failures == 0 || (isRunning && nowNs - runningSinceNs >= settings.calmNs());
    isRunning = false;
    failures = isFirst ? 1 : failures + 1;
    delayNs = isFirst ? settings.firstNs() : longer();
  }

  private long longer() {
    long mostNs = settings.backoffMaxNs();
    return delayNs == 0
        ? Math.min(settings.backoffNs(), mostNs)
        : delayNs > mostNs / 2 ? mostNs : 2 * delayNs;
  }

  /**
   * Returns the delay before the next incarnation opens its context, nanoseconds. The delay is the
   * first one after the first failure, then the back-off, which doubles with each further failure.
   */
  public long delayNs() {
    return delayNs;
  }
}
