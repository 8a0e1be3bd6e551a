package io.dpuactors.simulation;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.AppenderBase;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.slf4j.LoggerFactory;

/**
 * Collects the warnings and errors of the process instead of printing them. {@link #close} restores
 * the previous appenders.
 */
final class LogWatch extends AppenderBase<ILoggingEvent> implements AutoCloseable {
  private final Logger root;
  private final Level level;
  private final List<Appender<ILoggingEvent>> replaced = new ArrayList<>();
  private final List<String> events = new ArrayList<>();

  private LogWatch(Logger root) {
    this.root = root;
    this.level = root.getLevel();
  }

  /** Replaces the appenders of the root logger. */
  static LogWatch begin() {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    LogWatch watch = new LogWatch(context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME));
    Iterator<Appender<ILoggingEvent>> appenders = watch.root.iteratorForAppenders();
    appenders.forEachRemaining(watch.replaced::add);
    watch.replaced.forEach(watch.root::detachAppender);
    watch.setContext(context);
    watch.start();
    watch.root.addAppender(watch);
    watch.root.setLevel(Level.WARN);
    return watch;
  }

  @Override
  protected synchronized void append(ILoggingEvent event) {
    if (event.getLevel().isGreaterOrEqual(Level.WARN)) {
      String text = event.getLevel() + " " + event.getLoggerName() + ": ";
      String cause =
          event.getThrowableProxy() == null ? "" : " " + event.getThrowableProxy().getMessage();
      events.add(text + event.getFormattedMessage() + cause);
    }
  }

  /** Returns and removes the collected lines. */
  synchronized List<String> take() {
    List<String> taken = List.copyOf(events);
    events.clear();
    return taken;
  }

  @Override
  public void close() {
    root.detachAppender(this);
    replaced.forEach(root::addAppender);
    root.setLevel(level);
    stop();
  }
}
