package io.dpuactors.fleet;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/** Keeps the log of a test away from standard error, until all members of the test have ended. */
final class DroppedLog implements BeforeEachCallback, AfterEachCallback {
  private final Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
  private final Appender<ILoggingEvent> stderr = root.getAppender("stderr");

  @Override
  public void beforeEach(ExtensionContext context) {
    root.detachAppender(stderr);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    root.addAppender(stderr);
  }
}
