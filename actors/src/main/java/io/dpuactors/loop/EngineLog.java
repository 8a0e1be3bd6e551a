package io.dpuactors.loop;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.MDC;
import org.slf4j.event.Level;

/**
 * Logs lines with the keys {@link #ENGINE}, {@link #CONTEXT} and {@link #DEVICE} in the MDC. Each
 * line sets its keys, because Pekko clears the MDC after each message of an actor. Any thread.
 */
public final class EngineLog {
  /** Name of the engine's dispatcher without the prefix {@code dpu-engine-}. */
  public static final String ENGINE = "engine";

  /** Name of the context, the connection, the producer or the consumer. */
  public static final String CONTEXT = "context";

  /** PCI address of the device of the context. */
  public static final String DEVICE = "device";

  private static final String PREFIX = "dpu-engine-";

  private final Supplier<Logger> logger;
  private final Map<String, String> keys;

  private EngineLog(Supplier<Logger> logger, Map<String, String> keys) {
    this.logger = logger;
    this.keys = keys;
  }

  /**
   * Returns a log of an engine.
   *
   * @param logger returns the logger of a line; in an actor {@code context::getLog}
   */
  public static EngineLog of(Supplier<Logger> logger, String engine) {
    return new EngineLog(logger, Map.of(ENGINE, engine));
  }

  /** Returns a log of an engine. */
  public static EngineLog of(Logger logger, String engine) {
    return of(() -> logger, engine);
  }

  /** Returns the name of the engine on a dispatcher. */
  static String engine(String dispatcher) {
    return dispatcher.startsWith(PREFIX) ? dispatcher.substring(PREFIX.length()) : dispatcher;
  }

  /** Returns this log for one context. */
  public EngineLog context(String name) {
    return with(CONTEXT, name);
  }

  /** Returns this log for one device; without a key if the address is empty. */
  public EngineLog device(String pciAddress) {
    return pciAddress.isEmpty() ? this : with(DEVICE, pciAddress);
  }

  private EngineLog with(String key, String value) {
    Map<String, String> more = new LinkedHashMap<>(keys);
    more.put(key, value);
    return new EngineLog(logger, more);
  }

  /** Logs a line at DEBUG; the arguments are SLF4J's. */
  public void debug(String format, @Nullable Object... arguments) {
    log(Level.DEBUG, format, arguments);
  }

  /** Logs a line at INFO. */
  public void info(String format, @Nullable Object... arguments) {
    log(Level.INFO, format, arguments);
  }

  /** Logs a line at WARN. */
  public void warn(String format, @Nullable Object... arguments) {
    log(Level.WARN, format, arguments);
  }

  /** Logs a line at ERROR. */
  public void error(String format, @Nullable Object... arguments) {
    log(Level.ERROR, format, arguments);
  }

  private void log(Level level, String format, @Nullable Object... arguments) {
    Logger target = logger.get();
    if (!target.isEnabledForLevel(level)) {
      return;
    }
    keys.forEach(MDC::put);
    try {
      switch (level) {
        case ERROR -> target.error(format, arguments);
        case WARN -> target.warn(format, arguments);
        case INFO -> target.info(format, arguments);
        default -> target.debug(format, arguments);
      }
    } finally {
      keys.keySet().forEach(MDC::remove);
    }
  }
}
