package io.dpuactors.engine;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.dpuactors.bridge.DocaLibrary;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.EngineProtocol.GetStatus;
import io.dpuactors.protocol.EngineProtocol.Status;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ExpectedLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;

/** Tests an actor that blocks the thread of its engine. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class BlockedEngineTest {
  private final CompletableFuture<String> line = new CompletableFuture<>();

  /** Spawns an actor on the engine's thread, which blocks until the answer. */
  private static ActorRef<String> spawnBlocking(
      RunningSystem system, CompletableFuture<String> answer) {
    return system.kit.spawn(
        blocksUntil(answer), "blocking", EngineDispatchers.select(system.kit.system(), "one"));
  }

  @Test
  @ExpectedLog("the engine's thread")
  void theLogNamesThreadActorAndStackWhileTheActorStillBlocks() throws Exception {
    AppenderBase<ILoggingEvent> appender = completing(line);
    try (RunningSystem system = RunningSystem.create("dpu.engine.stall-warning = 200ms")) {
      CompletableFuture<String> answer = new CompletableFuture<>();
      ActorRef<String> blocking = spawnBlocking(system, answer);
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
      root().detachAppender(appender);
    }
  }

  /**
   * Loading the libraries is no turn that takes long. The second engine waits for the lock of the
   * libraries before the first engine is blocked. The log reports the first engine only.
   */
  @Test
  @ExpectedLog("dpu-engine-one: a turn")
  @SuppressWarnings("LockOnNonEnclosingClassLiteral") // so that the libraries do not load
  void anEngineThatLoadsItsLibrariesIsNotReported() throws Exception {
    AppenderBase<ILoggingEvent> appender = completing(line);
    try (RunningSystem system = RunningSystem.create("dpu.engine.stall-warning = 1s")) {
      CompletableFuture<String> answer = new CompletableFuture<>();
      ActorRef<String> blocking = spawnBlocking(system, answer);
      assertThat(system.counter("stalls")).as("the first engine runs").isZero();
      ActorRef<EngineProtocol.Command> second;
      synchronized (DocaLibrary.class) {
        second = system.spawnEngine("second");
        Awaitility.await().until(BlockedEngineTest::isSecondEngineBlocked);
        blocking.tell("block");
        line.get(20, TimeUnit.SECONDS);
        answer.complete("at last");
      }
      TestProbe<Status> status = system.kit.createTestProbe();
      second.tell(new GetStatus(status.getRef()));
      assertThat(status.receiveMessage().counters()).containsEntry("stalls", 0L);
    } finally {
      root().detachAppender(appender);
    }
  }

  private static boolean isSecondEngineBlocked() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(
            thread ->
                thread.getName().contains("dpu-engine-second")
                    && thread.getState() == Thread.State.BLOCKED);
  }

  private static Logger root() {
    return (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
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

  /** Returns an attached appender that completes the line of the blocking actor. */
  private static AppenderBase<ILoggingEvent> completing(CompletableFuture<String> line) {
    AppenderBase<ILoggingEvent> appender =
        new AppenderBase<>() {
          @Override
          protected void append(ILoggingEvent event) {
            if (event.getFormattedMessage().contains("user/blocking blocks the engine's thread")) {
              line.complete(event.getFormattedMessage());
            }
          }
        };
    appender.setContext(root().getLoggerContext());
    appender.start();
    root().addAppender(appender);
    return appender;
  }
}
