package io.dpuactors.context;

import com.typesafe.config.Config;
import java.time.Duration;
import org.apache.pekko.actor.typed.SupervisorStrategy;

/**
 * Limits and delays of a context's restarts.
 *
 * @param max restarts within {@code calmNs}; after more restarts the context ends
 * @param backoffNs delay before the second restart in a row; doubles with each further restart
 * @param backoffMaxNs longest delay
 * @param calmNs after this time in RUNNING, a failure counts as the first again
 */
public record RestartSettings(int max, long backoffNs, long backoffMaxNs, long calmNs) {

  /** Reads a {@code restart} section. */
  public static RestartSettings from(Config restart) {
    return new RestartSettings(
        restart.getInt("max"),
        restart.getDuration("backoff").toNanos(),
        restart.getDuration("backoff-max").toNanos(),
        restart.getDuration("within").toNanos());
  }

  /**
   * Returns the strategy that limits the number of restarts. {@link RestartHistory} computes the
   * delays.
   */
  public SupervisorStrategy strategy() {
    return SupervisorStrategy.restart().withLimit(max, Duration.ofNanos(calmNs));
  }
}
