package com.example.service;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.ConfigFactory;
import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaLibrary;
import io.dpuactors.bridge.LibraryChoice;
import io.dpuactors.bridge.SoftDpu;
import io.dpuactors.engine.Engine;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.CompressProtocol.Deflate;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.MemoryProtocol.OpenPool;
import io.dpuactors.protocol.MemoryProtocol.PoolOpened;
import io.dpuactors.protocol.MemoryProtocol.PoolReply;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Failed;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SupervisedServiceTest {
  private static final SoftDpu DEVICE = SoftDpu.of(DocaLibrary.load(LibraryChoice.SOFTDPU));

  private final ActorTestKit kit = ActorTestKit.create();
  private final TestProbe<Object> events = kit.createTestProbe();

  @AfterEach
  void end() {
    DEVICE.clearFaults();
    kit.shutdownTestKit();
    DEVICE.profile("full");
  }

  @Test
  void theServiceOpensItsContext() {
    ActorRef<SupervisedService.Command> service = kit.spawn(SupervisedService.create(events.getRef()::tell));
    events.expectMessageClass(CompressProtocol.Opened.class);
    kit.stop(service);
  }

  @Test
  void theServiceEndsWhenItsContextFailsTooOften() {
    ActorRef<SupervisedService.Command> service = kit.spawn(SupervisedService.create(events.getRef()::tell));
    ActorRef<CompressProtocol.Command> compress =
        events.expectMessageClass(CompressProtocol.Opened.class).context();
    ActorRef<EngineProtocol.Command> engine =
        kit.spawn(Engine.create(), Engine.props());
    BufferPool pool = pool(engine);
    Buffer src = pool.lease();
    Buffer dst = pool.lease();
    assertNotNull(src);
    assertNotNull(dst);
    src.length(1);
    DEVICE.faults("compress-deflate:lost");
    TestProbe<TaskReply> replies = kit.createTestProbe();
    for (int i = 0; i < 4; i++) { // the limit is three restarts
      compress.tell(new Deflate(src, dst, replies.getRef()));
      replies.expectMessageClass(Failed.class);
    }
    events.expectMessage("compress has ended");
    events.expectTerminated(service);
    src.release();
    dst.release();
    TestProbe<Stopped> stopped = kit.createTestProbe();
    engine.tell(new Stop(stopped.getRef()));
    assertTrue(stopped.receiveMessage().clean());
  }

  @Test
  void theServiceReportsThatNoDeviceCompresses() {
    DEVICE.profile("bluefield3");
    ActorRef<SupervisedService.Command> service = kit.spawn(SupervisedService.create(events.getRef()::tell));
    String reason = assertInstanceOf(String.class, events.receiveMessage());
    assertTrue(reason.contains("DOCA_ERROR_NOT_SUPPORTED"), reason);
    events.expectTerminated(service);
  }

  @Test
  void theServiceReportsThatItsEngineCannotStart() {
    ActorTestKit other =
        ActorTestKit.create(
            ConfigFactory.parseString("dpu.library = doca")
                .withFallback(ConfigFactory.load("application-test")));
    try {
      ActorRef<SupervisedService.Command> service = other.spawn(SupervisedService.create(events.getRef()::tell));
      String reason = assertInstanceOf(String.class, events.receiveMessage());
      // The refusal of the Open command and the failure of the child have the same cause, and either may arrive first.
      assertTrue(reason.startsWith("no engine: ") || reason.startsWith("not opened: "), reason);
      assertTrue(reason.contains("dpu.library = doca"), reason);
      other.createTestProbe().expectTerminated(service);
    } finally {
      other.shutdownTestKit();
    }
  }

  private BufferPool pool(ActorRef<EngineProtocol.Command> engine) {
    TestProbe<PoolReply> probe = kit.createTestProbe();
    engine.tell(new OpenPool(PoolOptions.of(2, 4096), probe.getRef()));
    return probe.expectMessageClass(PoolOpened.class).pool();
  }
}
