package io.dpuactors.context;

import com.typesafe.config.Config;
import io.dpuactors.node.Nanos;
import java.time.Duration;
import org.apache.pekko.actor.typed.SupervisorStrategy;

/**
 * Strategy, limits and delays of a context's restarts. {@link RestartHistory} computes the delays.
 * The strategy has none: while a strategy waits, Pekko stashes requests and Stop, and drops them if
 * no incarnation follows.
 *
 * @param strategy restarts the actor at once
 * @param maxInARow restarts in a row; after more restarts the context ends
 * @param firstNs delay before the first restart in a row
 * @param backoffNs delay before the second restart in a row if the first has none. The delay
 *     doubles with each further restart
 * @param backoffMaxNs longest delay
 * @param calmNs after this time in RUNNING, a failure counts as the first again
 */
public record RestartSettings(
    SupervisorStrategy strategy,
    int maxInARow,
    long firstNs,
    long backoffNs,
    long backoffMaxNs,
    long calmNs) {
  private static final int NO_LIMIT = Integer.MAX_VALUE;

  /** Reads a {@code restart} section. Its strategy limits the number of restarts. */
  public static RestartSettings from(Config restart) {
    Duration within = restart.getDuration("within");
    return new RestartSettings(
        SupervisorStrategy.restart().withLimit(restart.getInt("max"), within),
        NO_LIMIT,
        0,
        Nanos.of(restart.getDuration("backoff")),
        Nanos.of(restart.getDuration("backoff-max")),
        Nanos.of(within));
  }

  /**
   * Returns the settings of a context with another strategy. The delays and the limit of {@code
   * restartWithBackoff} become those of the history, without the random factor.
   *
   * @throws IllegalArgumentException as {@link Strategies#check}
   */
  public RestartSettings under(SupervisorStrategy given) {
    SupervisorStrategy checked = Strategies.check(given);
    if (!(checked instanceof SupervisorStrategy.Backoff backoff)) {
      return new RestartSettings(checked, NO_LIMIT, 0, backoffNs, backoffMaxNs, calmNs);
    }
    long minNs = Math.min(backoff.minBackoff().toNanos(), Nanos.FOREVER);
    return new RestartSettings(
        SupervisorStrategy.restart()
            .withLoggingEnabled(backoff.loggingEnabled())
            .withLogLevel(backoff.logLevel()),
        backoff.maxRestarts() > 0 ? backoff.maxRestarts() : NO_LIMIT,
        minNs,
        minNs,
        Math.min(backoff.maxBackoff().toNanos(), Nanos.FOREVER),
        Nanos.of(backoff.getResetBackoffAfter()));
  }
}
