package io.dpuactors.testkit;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.LoggerFactory;

/** The warnings and errors in the log of one test. Thread: any. */
final class WarningLog extends AppenderBase<ILoggingEvent> {
  private final Logger root;
  private final Queue<String> lines = new ConcurrentLinkedQueue<>();
  private final Queue<String> expected = new ConcurrentLinkedQueue<>();

  private WarningLog(Logger root) {
    this.root = root;
  }

  /** Collects from now on. The log has its other appenders too. */
  static WarningLog begin() {
    if (!(LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME) instanceof Logger root)) {
      throw new IllegalStateException("EngineTestKit checks the log, and needs Logback for that");
    }
    WarningLog log = new WarningLog(root);
    log.setContext(root.getLoggerContext());
    log.start();
    root.addAppender(log);
    return log;
  }

  @Override
  protected void append(ILoggingEvent event) {
    if (event.getLevel().isGreaterOrEqual(Level.WARN)) {
      lines.add(event.getFormattedMessage());
    }
  }

  void expect(String part) {
    expected.add(part);
  }

  /** Ends the collection; returns the unexpected lines and the missing ones. */
  List<String> end() {
    root.detachAppender(this);
    stop();
    List<String> problems = new ArrayList<>();
    for (String line : lines) {
      if (expected.stream().noneMatch(line::contains)) {
        problems.add("unexpected in the log: " + line);
      }
    }
    for (String part : expected) {
      if (lines.stream().noneMatch(line -> line.contains(part))) {
        problems.add("not in the log: " + part);
      }
    }
    return problems;
  }
}
