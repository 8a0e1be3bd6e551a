package io.dpuactors.loop;

import com.typesafe.config.Config;
import java.util.OptionalInt;

/**
 * The settings of an engine's thread.
 *
 * @param name of the thread; empty: the name of its dispatcher
 * @param cpu the only CPU that may run the thread; empty: any
 * @param nice Linux nice value; empty: that of the process
 */
public record ThreadSettings(String name, OptionalInt cpu, OptionalInt nice) {
  /**
   * Reads the settings.
   *
   * @param root the whole configuration
   * @throws IllegalArgumentException naming the key whose value is out of range
   */
  public static ThreadSettings from(Config root) {
    return new ThreadSettings(
        root.getString("dpu.engine.thread-name"),
        number(root, "dpu.engine.cpu", "any", 0, 4095),
        number(root, "dpu.engine.priority", "default", -20, 19));
  }

  private static OptionalInt number(Config root, String key, String none, int least, int most) {
    String text = root.getString(key);
    if (text.equals(none)) {
      return OptionalInt.empty();
    }
    try {
      int value = Integer.parseInt(text);
      if (value >= least && value <= most) {
        return OptionalInt.of(value);
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(refusal(key, text, none, least, most), e);
    }
    throw new IllegalArgumentException(refusal(key, text, none, least, most));
  }

  private static String refusal(String key, String text, String none, int least, int most) {
    return "%s is '%s'; it must be %s, or a number from %d to %d"
        .formatted(key, text, none, least, most);
  }
}
