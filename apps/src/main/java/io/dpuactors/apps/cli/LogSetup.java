package io.dpuactors.apps.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.ContextAwareBase;
import ch.qos.logback.core.spi.FilterReply;
import org.slf4j.Logger;

/**
 * Configures logging: warnings on stderr, one line each. With {@code --debug} it logs all levels
 * with stack traces. Logback finds this class as a service, and therefore need not find and read a
 * file.
 */
public final class LogSetup extends ContextAwareBase implements Configurator {
  static final String LEVEL_PROPERTY = "dpu.log.level";

  /** Constructor for the service loader. */
  public LogSetup() {}

  @Override
  public ExecutionStatus configure(LoggerContext context) {
    Level level = Level.toLevel(System.getProperty(LEVEL_PROPERTY), Level.WARN);
    boolean debug = level.toInt() < Level.INFO.toInt();
    LogLayout layout = new LogLayout(debug);
    layout.setContext(context);
    layout.start();
    LayoutWrappingEncoder<ILoggingEvent> encoder = new LayoutWrappingEncoder<>();
    encoder.setContext(context);
    encoder.setLayout(layout);
    encoder.start();
    ConsoleAppender<ILoggingEvent> console = new ConsoleAppender<>();
    console.setContext(context);
    console.setName("stderr");
    console.setTarget("System.err");
    console.setEncoder(encoder);
    if (!debug) {
      console.addFilter(new AnsweredFailures());
    }
    console.start();
    context.getLogger(Logger.ROOT_LOGGER_NAME).setLevel(level);
    context.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(console);
    context.getLogger("org.apache.pekko").setLevel(debug ? Level.INFO : Level.WARN);
    // Reports each attempt to connect to a lost member; the cluster reports the member.
    context.getLogger("org.apache.pekko.stream").setLevel(debug ? Level.INFO : Level.ERROR);
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }

  /**
   * Drops a supervisor's report about a failed context. The requesters receive the same error with
   * more detail, and report it.
   */
  private static final class AnsweredFailures extends Filter<ILoggingEvent> {
    @Override
    public FilterReply decide(ILoggingEvent event) {
      return event.getMessage().startsWith("Supervisor ") ? FilterReply.DENY : FilterReply.NEUTRAL;
    }
  }
}
