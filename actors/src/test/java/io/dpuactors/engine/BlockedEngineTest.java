package io.dpuactors.engine;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ExpectedLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;

/** Tests an actor that blocks the thread of its engine. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class BlockedEngineTest {
  @Test
  @ExpectedLog("the engine's thread")
  void theLogNamesThreadActorAndStackWhileTheActorStillBlocks() throws Exception {
    CompletableFuture<String> line = new CompletableFuture<>();
    AppenderBase<ILoggingEvent> appender = completing(line);
    Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
    appender.setContext(root.getLoggerContext());
    appender.start();
    root.addAppender(appender);
    try (RunningSystem system = RunningSystem.create("dpu.engine.stall-warning = 200ms")) {
      CompletableFuture<String> answer = new CompletableFuture<>();
      ActorRef<String> blocking =
          system.kit.spawn(
              blocksUntil(answer),
              "blocking",
              EngineDispatchers.select(system.kit.system(), "one"));
      blocking.tell("block");
      try {
        assertThat(line.get(10, TimeUnit.SECONDS))
            .contains("dpu-engine-one: a turn has lasted")
            .contains("actor pekko://test/user/blocking")
            .contains("BlockedEngineTest");
      } finally {
        answer.complete("at last");
      }
      assertThat(system.stopEngine().clean()).isTrue();
    } finally {
      root.detachAppender(appender);
    }
  }

  private static Behavior<String> blocksUntil(CompletableFuture<String> answer) {
    return Behaviors.receive(String.class)
        .onAnyMessage(
            message -> {
              answer.join();
              return Behaviors.same();
            })
        .build();
  }

  private static AppenderBase<ILoggingEvent> completing(CompletableFuture<String> line) {
    return new AppenderBase<>() {
      @Override
      protected void append(ILoggingEvent event) {
        if (event.getFormattedMessage().contains("user/blocking blocks the engine's thread")) {
          line.complete(event.getFormattedMessage());
        }
      }
    };
  }
}
