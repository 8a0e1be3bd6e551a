package io.dpuactors.loop;

import com.typesafe.config.Config;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.LibraryChoice;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The settings of an engine, read from {@code dpu.engine} and validated once. The module's {@code
 * reference.conf} explains every key.
 */
public record EngineSettings(
    LibraryChoice library,
    int submissionRing,
    int completionRing,
    int messageCells,
    int messageBytes,
    IdleMode idle,
    long idleSpinNs,
    long idleParkNs,
    long idleParkMaxNs,
    int maxMailboxRuns,
    int progressBudget,
    long stallWarningNs,
    Duration stopDeadline,
    Duration openDeadline) {

  /** One view, of less than 2 GiB, shows the rings and the cells. */
  private static final int MAX_CELL_BYTES = 1 << 30;

  private record Read(Config root, EngineSettings settings) {}

  /** The settings of the last configuration: each engine of an actor system reads the same one. */
  private static volatile @Nullable Read last;

  /** Checks the ranges of the values. */
  public EngineSettings {
    requirePowerOfTwo("submission-ring", submissionRing, 2, 65_536);
    requirePowerOfTwo("completion-ring", completionRing, 2 * submissionRing, 1 << 20);
    requirePowerOfTwo("message-cells", messageCells, 2, 65_536);
    if (messageBytes < 64 || messageBytes > 65_536 || messageBytes % 64 != 0) {
      throw new IllegalArgumentException(
          "dpu.engine.message-bytes is "
              + messageBytes
              + "; it must be a multiple of 64 from 64 to 65536");
    }
    if ((long) messageCells * messageBytes > MAX_CELL_BYTES) {
      throw new IllegalArgumentException(
          "dpu.engine.message-cells is %d, and message-bytes %d; their product must be at most %d"
              .formatted(messageCells, messageBytes, MAX_CELL_BYTES));
    }
    requirePositive("idle-park", idleParkNs);
    if (idleParkMaxNs < idleParkNs) {
      throw new IllegalArgumentException("dpu.engine.idle-park-max must be at least idle-park");
    }
    requirePositive("max-mailbox-runs", maxMailboxRuns);
    requirePositive("progress-budget", progressBudget);
    requirePositive("stall-warning", stallWarningNs);
    requirePositive("stop-deadline", stopDeadline.toNanos());
    requirePositive("open-deadline", openDeadline.toNanos());
    if (idleSpinNs < 0) {
      throw new IllegalArgumentException("dpu.engine.idle-spin must not be negative");
    }
  }

  /**
   * Reads the settings.
   *
   * @param root the whole configuration, as {@code system.settings().config()} returns it
   * @throws IllegalArgumentException naming the key that does not exist or whose value is out of
   *     range
   * @throws com.typesafe.config.ConfigException naming the key whose value has the wrong type
   */
  public static EngineSettings from(Config root) {
    Read known = last;
    if (known == null || known.root() != root) {
      known = new Read(root, read(root));
      last = known;
    }
    return known.settings();
  }

  /**
   * Reads the settings of one engine. Checks the whole configuration once, and each time only the
   * keys that replace others.
   *
   * @param root the whole configuration
   * @param own keys of the engine, which replace those of the configuration
   * @throws IllegalArgumentException as {@link #from(Config)}
   * @throws com.typesafe.config.ConfigException as {@link #from(Config)}
   */
  public static EngineSettings from(Config root, Config own) {
    EngineSettings usual = from(root);
    if (own.isEmpty()) {
      return usual;
    }
    ConfigKeys.check(own);
    Config all = own.withFallback(root);
    ConfigValues.check(all, own);
    return values(all);
  }

  private static EngineSettings read(Config root) {
    ConfigKeys.check(root);
    ConfigValues.check(root);
    return values(root);
  }

  private static EngineSettings values(Config root) {
    Config engine = root.getConfig("dpu.engine");
    return new EngineSettings(
        LibraryChoice.parse(root.getString("dpu.library")),
        engine.getInt("submission-ring"),
        engine.getInt("completion-ring"),
        engine.getInt("message-cells"),
        engine.getInt("message-bytes"),
        IdleMode.parse(engine.getString("idle")),
        engine.getDuration("idle-spin").toNanos(),
        engine.getDuration("idle-park").toNanos(),
        engine.getDuration("idle-park-max").toNanos(),
        engine.getInt("max-mailbox-runs"),
        engine.getInt("progress-budget"),
        engine.getDuration("stall-warning").toNanos(),
        engine.getDuration("stop-deadline"),
        engine.getDuration("open-deadline"));
  }

  /**
   * Returns the number of tasks that the engine can hold, over all contexts. The completion ring
   * has room for their records, and reserves a quarter for unsolicited events.
   */
  public int taskSlots() {
    return completionRing - completionRing / 4;
  }

  /** Returns how long the loop polls an idle device before it sleeps, nanoseconds. */
  public long spinNs() {
    return idle == IdleMode.ADAPTIVE ? idleSpinNs : 0;
  }

  private static void requirePositive(String key, long value) {
    if (value <= 0) {
      throw new IllegalArgumentException("dpu.engine." + key + " must be greater than zero");
    }
  }

  private static void requirePowerOfTwo(String key, int value, int least, int most) {
    if (value < least || value > most || Integer.bitCount(value) != 1) {
      throw new IllegalArgumentException(
          "dpu.engine."
              + key
              + " is "
              + value
              + "; it must be a power of two from "
              + least
              + " to "
              + most);
    }
  }

  /**
   * Refuses a message limit that exceeds the engine's message cells.
   *
   * @throws DocaException INVALID_VALUE, naming both settings
   */
  public void checkMessageBytes(int maxMessageBytes) {
    if (maxMessageBytes > messageBytes) {
      throw new DocaException(
          "open",
          DocaCode.INVALID_VALUE,
          ("messages of up to %d bytes (dpu.comch.max-message) exceed the engine's message"
                  + " cells of %d bytes (dpu.engine.message-bytes): lower max-message or raise"
                  + " message-bytes")
              .formatted(maxMessageBytes, messageBytes));
    }
  }
}
