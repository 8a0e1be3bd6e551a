package io.dpuactors.context;

import com.typesafe.config.Config;
import java.time.Duration;
import org.apache.pekko.actor.typed.SupervisorStrategy;

/**
 * How often, and how soon, a context that fails comes back.
 *
 * @param max restarts within {@code calmNs}; beyond that the context ends
 * @param backoffNs before the second restart in a row; doubled for each further one
 * @param backoffMaxNs at most
 * @param calmNs a context that ran for so long starts over without back-off
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

  /** The strategy that counts; the waiting is done by {@link RestartHistory}. */
  public SupervisorStrategy strategy() {
    return SupervisorStrategy.restart().withLimit(max, Duration.ofNanos(calmNs));
  }
}
