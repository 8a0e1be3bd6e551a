package io.dpuactors.apps.cli;

import ch.qos.logback.classic.Level;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Options of every command. */
public final class CommonOptions {
  @Option(
      names = "-D",
      paramLabel = "KEY=VALUE",
      mapFallbackValue = "true",
      converter = KeyConverter.class,
      description = "Override a key of the configuration, as in -Ddpu.library=softdpu.")
  public Map<String, String> overrides = new LinkedHashMap<>();

  @Option(
      names = "--debug",
      description = "Log internal events, and print stack traces with errors.")
  public boolean debug;

  @Mixin HelpOption help = new HelpOption();

  /** Creates options without overrides. Picocli sets them. */
  public CommonOptions() {}

  /** Applies the options. Call it before the program reads the configuration or logs. */
  public void apply() {
    apply(Level.WARN);
  }

  private void apply(Level usual) {
    overrides.forEach(System::setProperty);
    if (debug) {
      System.setProperty(LogSetup.LEVEL_PROPERTY, Level.DEBUG.toString());
    } else if (System.getProperty(LogSetup.LEVEL_PROPERTY) == null) {
      System.setProperty(LogSetup.LEVEL_PROPERTY, usual.toString());
    }
  }

  /** Applies the options and initializes logging. Call it before the program starts threads. */
  public void start() {
    start(Level.WARN);
  }

  /**
   * Applies the options and initializes logging. Logback delays events that other threads log
   * during its start, and prints a warning.
   *
   * @param usual log level without {@code --debug}
   */
  public void start(Level usual) {
    apply(usual);
    LoggerFactory.getILoggerFactory();
  }

  /** Refuses a key without a name. Picocli uses it for the keys, and its own for the values. */
  static final class KeyConverter implements ITypeConverter<String> {
    @Override
    public String convert(String key) {
      if (key.isBlank()) {
        throw new TypeConversionException("the key is empty: write KEY=VALUE");
      }
      return key;
    }
  }
}
