package io.dpuactors.loop;

import java.util.Locale;

/** What an engine's thread does when there is nothing to do; see {@code dpu.engine.idle}. */
public enum IdleMode {
  /** Never sleeps. */
  BUSY,
  /** Looks at the device for a while, then sleeps until it is woken. */
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
