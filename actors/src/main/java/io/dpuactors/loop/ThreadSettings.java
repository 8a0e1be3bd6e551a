package io.dpuactors.loop;

import com.typesafe.config.Config;
import io.dpuactors.bridge.internal.CurrentThread;
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

  /**
   * Applies the settings to the calling thread.
   *
   * @param defaultName name of the thread if the settings have none
   * @throws IllegalArgumentException if Linux refuses the CPU or the priority
   */
  void apply(String defaultName) {
    Thread.currentThread().setName(name.isEmpty() ? defaultName : name);
    cpu.ifPresent(number -> check("cpu", number, CurrentThread.pin(number)));
    nice.ifPresent(value -> check("priority", value, CurrentThread.nice(value)));
  }

  private static void check(String key, int value, int errno) {
    if (errno != 0) {
      throw new IllegalArgumentException(
          "dpu.engine.%s is %d; Linux refuses it: errno %d".formatted(key, value, errno));
    }
  }

  private static String refusal(String key, String text, String none, int least, int most) {
    return "%s is '%s'; it must be %s, or a number from %d to %d"
        .formatted(key, text, none, least, most);
  }
}
