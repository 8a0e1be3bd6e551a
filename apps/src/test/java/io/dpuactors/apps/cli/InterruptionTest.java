package io.dpuactors.apps.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class InterruptionTest {
  private final Logger logger = (Logger) LoggerFactory.getLogger(Interruption.class);
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();

  @BeforeEach
  void capture() {
    log.start();
    logger.addAppender(log);
    logger.setAdditive(false);
  }

  @AfterEach
  void release() {
    logger.setAdditive(true);
    logger.detachAppender(log);
  }

  private List<String> messages() {
    return log.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  @Test
  void aStepThatDoesNotEndIsLogged() {
    CompletableFuture<Void> never = new CompletableFuture<>();
    assertThat(Interruption.await(never, Duration.ofMillis(1), "end of the actors")).isFalse();
    assertThat(messages()).containsExactly("end of the actors: no end within 1 ms");
  }

  @Test
  void aStepThatFailsIsLogged() {
    CompletableFuture<Void> failed =
        CompletableFuture.failedFuture(new IllegalStateException("the device is gone"));
    assertThat(Interruption.await(failed, Duration.ofSeconds(1), "orderly stop")).isFalse();
    assertThat(messages())
        .containsExactly(
            "orderly stop: failed: java.lang.IllegalStateException: the device is gone");
  }

  @Test
  void aStepThatEndsIsNot() {
    assertThat(
            Interruption.await(
                CompletableFuture.completedFuture(null), Duration.ofSeconds(1), "stop"))
        .isTrue();
    assertThat(messages()).isEmpty();
  }
}
