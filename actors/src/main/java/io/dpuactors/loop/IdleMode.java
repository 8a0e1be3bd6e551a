package io.dpuactors.loop;

import java.util.Locale;

/** Strategy of an idle engine thread; see {@code dpu.engine.idle}. */
public enum IdleMode {
  /** Never sleeps. */
  BUSY,
  /** Polls the device for a while, then sleeps until an event wakes it. */
  ADAPTIVE,
  /** Sleeps at once. */
  EVENT;

  static IdleMode parse(String name) {
    for (IdleMode mode : values()) {
      if (mode.name().toLowerCase(Locale.ROOT).equals(name)) {
        return mode;
      }
    }
    throw new IllegalArgumentException(
        "dpu.engine.idle is '" + name + "'; it must be busy, adaptive or event");
  }
}
