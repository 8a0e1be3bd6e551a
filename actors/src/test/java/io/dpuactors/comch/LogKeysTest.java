package io.dpuactors.comch;

import static io.dpuactors.testing.RunningSystem.buffer;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.loop.BreakableLoops;
import io.dpuactors.loop.EngineLog;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.CompressProtocol.Deflate;
import io.dpuactors.protocol.MemoryProtocol.OpenPool;
import io.dpuactors.protocol.MemoryProtocol.PoolOpened;
import io.dpuactors.protocol.MemoryProtocol.PoolReply;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.TaskOptions;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ExpectedLog;
import io.dpuactors.testing.FreshSoftDpu;
import io.dpuactors.testing.RunningSystem;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;

/** Tests the MDC keys of every log line of a whole scenario, also of lines outside of actors. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class LogKeysTest {
  private static final Logger ROOT = (Logger) LoggerFactory.getLogger("io.dpuactors");

  /** The packages of engines and contexts; Pekko's supervisors log by the loggers of actors. */
  private static final List<String> PACKAGES =
      List.of(
          "io.dpuactors.loop.",
          "io.dpuactors.node.",
          "io.dpuactors.engine.",
          "io.dpuactors.context.",
          "io.dpuactors.comch.");

  private record Line(String logger, String message, Map<String, String> keys) {
    String engine() {
      return keys.getOrDefault(EngineLog.ENGINE, "");
    }

    String context() {
      return keys.getOrDefault(EngineLog.CONTEXT, "");
    }

    String device() {
      return keys.getOrDefault(EngineLog.DEVICE, "");
    }
  }

  private final Queue<Line> lines = new ConcurrentLinkedQueue<>();
  private final AppenderBase<ILoggingEvent> appender =
      new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
          if (PACKAGES.stream().anyMatch(event.getLoggerName()::startsWith)
              && !event.getMessage().startsWith("Supervisor ")) {
            lines.add(
                new Line(
                    event.getLoggerName(),
                    event.getFormattedMessage(),
                    Map.copyOf(event.getMDCPropertyMap())));
          }
        }
      };

  @BeforeEach
  void listen() {
    appender.setContext(ROOT.getLoggerContext());
    appender.start();
    ROOT.addAppender(appender);
    ROOT.setLevel(Level.DEBUG);
  }

  @AfterEach
  void end() {
    ROOT.setLevel(null);
    ROOT.detachAppender(appender);
  }

  @Test
  @ExpectedLog({"the context stopped by itself", "a turn of the device failed"})
  void everyLineNamesItsEngineAndItsContext() throws InterruptedException {
    try (ServerRig rig = ServerRig.create(BreakableLoops.CONFIG)) {
      rig.pair(true);
      loseDevice(rig.system);
      BreakableLoops.breakTurns("one", 1);
      rig.assertNothingLeft();
    }
    assertThat(lines)
        .hasSizeGreaterThan(50)
        .allSatisfy(line -> assertThat(line.engine()).as(line.toString()).isIn("one", "two"));
    assertThat(lines)
        .filteredOn(line -> line.logger().startsWith("io.dpuactors.node."))
        .allSatisfy(line -> assertThat(line.context()).as(line.toString()).isNotEmpty());
    assertThat(lines)
        .filteredOn(line -> line.message().contains("STARTING -> RUNNING"))
        .isNotEmpty()
        .allSatisfy(line -> assertThat(line.device()).as(line.toString()).startsWith("0000:"));
    assertThat(lines)
        .filteredOn(line -> line.logger().endsWith(".ComchConnection"))
        .isNotEmpty()
        .allSatisfy(line -> assertThat(line.device()).as(line.toString()).isEqualTo("0000:03:00.0"))
        .allSatisfy(line -> assertThat(line.context()).startsWith("server/connection-"));
  }

  private static void loseDevice(RunningSystem system) {
    TestProbe<PoolReply> opened = system.kit.createTestProbe();
    system.engine.tell(new OpenPool(PoolOptions.of(2, 64).onDevice("03:00.1"), opened.getRef()));
    BufferPool pool = ((PoolOpened) opened.receiveMessage()).pool();
    ActorRef<CompressProtocol.Command> compress =
        system.opened("compress", TaskOptions.defaults().onDevice("03:00.1"));
    FreshSoftDpu.DEVICE.faults("compress-deflate:lost:nth=1");
    TestProbe<TaskReply> replies = system.kit.createTestProbe();
    compress.tell(new Deflate(buffer(pool, (byte) 1), buffer(pool), replies.getRef()));
    RunningSystem.releaseBuffers(replies.receiveMessage());
  }
}
