package io.dpuactors.simulation;

import java.time.Duration;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.ActorContext;

/**
 * The delays of a consumer, which the seed chooses. A slow consumer has little credit, and grants
 * more or posts its next buffer late: its messages wait meanwhile. World's thread.
 */
final class ConsumerPace {
  /** Percentage of slow consumers. */
  private static final int SLOW = 25;

  /** Longest delays, unless the deadlines of the run need shorter ones. */
  private static final int[] LONGEST_NS = {10_000, 1_000_000, 50_000_000};

  private final Run run;
  private final int longestNs;

  private ConsumerPace(Run run, int longestNs) {
    this.run = run;
    this.longestNs = longestNs;
  }

  /** Draws the pace of a consumer. */
  static ConsumerPace draw(Run run) {
    boolean isSlow = run.chance(SLOW);
    if (isSlow) {
      run.reached("slow consumer");
    }
    if (!isSlow) {
      return new ConsumerPace(run, 0);
    }
    int longestNs = LONGEST_NS[run.draw(0, LONGEST_NS.length - 1)];
    return new ConsumerPace(run, (int) Math.min(longestNs, Deadlines.longestPauseNs(run)));
  }

  /**
   * Returns the first credit of a subscription.
   *
   * @param most credit of a consumer that is not slow
   */
  int credit(int most) {
    return longestNs == 0 ? most : run.draw(1, most);
  }

  /** Sends a message, such as a grant, at once or later. */
  <T> void tell(ActorContext<?> consumer, ActorRef<T> to, T message) {
    if (longestNs == 0) {
      to.tell(message);
    } else {
      consumer.scheduleOnce(Duration.ofNanos(run.draw(1, longestNs)), to, message);
    }
  }
}
