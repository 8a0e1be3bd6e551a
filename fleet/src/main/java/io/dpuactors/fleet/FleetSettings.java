package io.dpuactors.fleet;

import com.typesafe.config.Config;
import java.time.Duration;
import java.util.List;
import org.apache.pekko.actor.typed.ActorSystem;

/** The keys below {@code dpu.fleet}, which reference.conf explains. */
record FleetSettings(
    List<HostPort> seeds,
    int workers,
    int window,
    int buffers,
    int contents,
    int maxJobs,
    Duration fetchAgainAfter,
    Duration pauseAfterFailure,
    Duration drainDeadline,
    int clientWindow,
    Duration joinDeadline,
    Duration redoAfter,
    Duration stallLimit) {
  /** With a smaller window, Pekko's controller stops after the first message. */
  private static final int MIN_WINDOW = 4;

  static FleetSettings of(ActorSystem<?> system) {
    return from(system.settings().config());
  }

  /** Reads the keys; throws IllegalArgumentException for values out of range. */
  static FleetSettings from(Config config) {
    Config fleet = config.getConfig("dpu.fleet");
    return new FleetSettings(
        fleet.getStringList("seeds").stream().map(HostPort::parse).toList(),
        atLeast(1, fleet, "node.workers"),
        atLeast(MIN_WINDOW, fleet, "node.window"),
        atLeast(1, fleet, "node.buffers"),
        atLeast(1, fleet, "node.contents"),
        atLeast(1, fleet, "node.max-jobs"),
        fleet.getDuration("node.fetch-again-after"),
        fleet.getDuration("node.pause-after-failure"),
        fleet.getDuration("node.drain-deadline"),
        window(fleet),
        fleet.getDuration("client.join-deadline"),
        fleet.getDuration("client.redo-after"),
        fleet.getDuration("client.stall-limit"));
  }

  /**
   * Returns the limit of the shutdown's phase that drains a node: the gateway's deadline is first.
   */
  Duration drainPhase() {
    return drainDeadline.plusSeconds(1);
  }

  private static int window(Config fleet) {
    int window = atLeast(1, fleet, "client.window");
    if (window > FleetEngine.MAX_IN_FLIGHT) {
      throw new IllegalArgumentException(
          "dpu.fleet.client.window is %d; it must be at most %d"
              .formatted(window, FleetEngine.MAX_IN_FLIGHT));
    }
    return window;
  }

  private static int atLeast(int least, Config fleet, String key) {
    int value = fleet.getInt(key);
    if (value < least) {
      throw new IllegalArgumentException(
          "dpu.fleet.%s is %d; it must be at least %d".formatted(key, value, least));
    }
    return value;
  }
}
