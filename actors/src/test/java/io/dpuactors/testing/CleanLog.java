package io.dpuactors.testing;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/** Fails a test that logs a warning or an error it did not announce with {@link ExpectedLog}. */
public final class CleanLog implements BeforeEachCallback, AfterEachCallback {
  private final Queue<ILoggingEvent> events = new ConcurrentLinkedQueue<>();
  private final AppenderBase<ILoggingEvent> appender =
      new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
          if (event.getLevel().isGreaterOrEqual(Level.WARN)) {
            events.add(event);
          }
        }
      };

  @Override
  public void beforeEach(ExtensionContext context) {
    events.clear();
    appender.setContext(root().getLoggerContext());
    appender.start();
    root().addAppender(appender);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    root().detachAppender(appender);
    appender.stop();
    Optional<ExpectedLog> announced =
        context.getTestMethod().map(method -> method.getAnnotation(ExpectedLog.class));
    List<String> expected =
        announced.map(annotation -> List.of(annotation.value())).orElse(List.of());
    List<String> messages = events.stream().map(ILoggingEvent::getFormattedMessage).toList();
    List<String> unexpected =
        messages.stream().filter(m -> expected.stream().noneMatch(m::contains)).toList();
    assertThat(unexpected).as("unexpected warnings in the log").isEmpty();
    announced.ifPresent(annotation -> count(annotation, messages));
  }

  private static void count(ExpectedLog announced, List<String> messages) {
    for (String part : announced.value()) {
      assertThat(messages.stream().filter(m -> m.contains(part)).count())
          .as("messages with \"%s\" among %s", part, messages)
          .isBetween(announced.always() ? 1L : 0L, (long) announced.most());
    }
  }

  private static Logger root() {
    return (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
  }
}
