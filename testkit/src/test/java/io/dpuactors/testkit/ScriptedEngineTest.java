package io.dpuactors.testkit;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.engine.HeapTaskOptions;
import io.dpuactors.engine.HeapTasks;
import io.dpuactors.protocol.BufferOptions;
import io.dpuactors.protocol.ClientOptions;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.CompressProtocol.Deflate;
import io.dpuactors.protocol.CompressProtocol.Opened;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.EngineProtocol.GetStatus;
import io.dpuactors.protocol.EngineProtocol.OpenComchClient;
import io.dpuactors.protocol.EngineProtocol.OpenCompress;
import io.dpuactors.protocol.EngineProtocol.Status;
import io.dpuactors.protocol.MemoryProtocol.BuffersFailed;
import io.dpuactors.protocol.MemoryProtocol.BuffersReply;
import io.dpuactors.protocol.MemoryProtocol.OpenBuffers;
import io.dpuactors.protocol.MemoryProtocol.OpenPool;
import io.dpuactors.protocol.MemoryProtocol.PoolFailed;
import io.dpuactors.protocol.MemoryProtocol.PoolOpened;
import io.dpuactors.protocol.MemoryProtocol.PoolReply;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.Stopped;
import io.dpuactors.protocol.TaskOptions;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the scripts of engines, without native libraries. */
class ScriptedEngineTest {
  private static final ByteString TEXT = ByteString.fromString("some text");

  private final ActorTestKit kit =
      ActorTestKit.create(
          "engines",
          ConfigFactory.parseString("dpu.engine.stop-deadline = 1ms")
              .withFallback(ActorTestKit.applicationTestConfig()));
  private final ScriptedContext<CompressProtocol.Command> compress = ScriptedContext.compress(kit);
  private final ScriptedEngine engine =
      ScriptedEngine.create(kit).withContext("compress", compress);

  @AfterEach
  void end() {
    kit.shutdownTestKit();
  }

  private CompletableFuture<HeapTasks<CompressProtocol.Command>> open() {
    TestProbe<CompressProtocol.OpenReply> opened = kit.createTestProbe();
    engine.ref().tell(new OpenCompress("compress", TaskOptions.defaults(), opened.getRef()));
    Opened reply = opened.expectMessageClass(Opened.class);
    assertThat(reply.context()).isEqualTo(compress.ref());
    return HeapTasks.open(
            kit.system(),
            engine.ref(),
            reply.context(),
            Deflate::new,
            HeapTaskOptions.of(4096, 4096).withInFlight(1))
        .toCompletableFuture();
  }

  @Test
  void theScriptOfAPreparedContextReachesHeapTasks() throws Exception {
    compress.next(Reaction.fail(DocaCode.IO_FAILED));
    HeapTasks<CompressProtocol.Command> tasks = open().get(10, TimeUnit.SECONDS);
    assertThatThrownBy(() -> tasks.run(TEXT).toCompletableFuture().get(10, TimeUnit.SECONDS))
        .hasMessageContaining("DOCA_ERROR_IO_FAILED");
    assertThat(tasks.run(TEXT).toCompletableFuture().get(10, TimeUnit.SECONDS)).isNotEqualTo(TEXT);
    tasks.close().toCompletableFuture().get(10, TimeUnit.SECONDS);
    engine.expect(OpenCompress.class);
    engine.expect(OpenBuffers.class);
  }

  @Test
  void theEngineRefusesOneCommandOfAType() throws Exception {
    engine.refuse(OpenBuffers.class, DocaCode.NO_MEMORY);
    assertThatThrownBy(() -> open().get(10, TimeUnit.SECONDS))
        .hasMessageContaining("DOCA_ERROR_NO_MEMORY");
  }

  @Test
  void otherContextsAreNotSupported() {
    TestProbe<ConnectionProtocol.OpenReply> opened = kit.createTestProbe();
    engine.ref().tell(new OpenComchClient("client", ClientOptions.of("x"), opened.getRef()));
    assertThat(opened.expectMessageClass(ConnectionProtocol.OpenFailed.class).error().code())
        .isEqualTo(DocaCode.NOT_SUPPORTED);
  }

  @Test
  void memoryBeyondTheHeapIsRefused() {
    TestProbe<PoolReply> pools = kit.createTestProbe();
    engine.ref().tell(new OpenPool(PoolOptions.of(2, Integer.MAX_VALUE), pools.getRef()));
    engine.ref().tell(new OpenPool(PoolOptions.of(1, Integer.MAX_VALUE), pools.getRef()));
    for (int i = 0; i < 2; i++) {
      assertThat(pools.expectMessageClass(PoolFailed.class).error().code())
          .isEqualTo(DocaCode.NO_MEMORY);
    }
    TestProbe<BuffersReply> buffers = kit.createTestProbe();
    BufferOptions tooLarge = BufferOptions.of(2, Integer.MAX_VALUE, 1);
    engine.ref().tell(new OpenBuffers(compress.ref(), tooLarge, buffers.getRef()));
    assertThat(buffers.expectMessageClass(BuffersFailed.class).error().code())
        .isEqualTo(DocaCode.NO_MEMORY);
    TestProbe<Status> status = kit.createTestProbe();
    engine.ref().tell(new GetStatus(status.getRef()));
    assertThat(status.receiveMessage()).isNotEqualTo(Status.ENDED);
  }

  @Test
  void aLostLeaseIsReportedAtTheDeadline() {
    TestProbe<PoolReply> pools = kit.createTestProbe();
    engine.ref().tell(new OpenPool(PoolOptions.of(1, 64), pools.getRef()));
    BufferPool pool = pools.expectMessageClass(PoolOpened.class).pool();
    requireNonNull(pool.lease());
    TestProbe<Stopped> stopped = kit.createTestProbe();
    engine.ref().tell(new Stop(stopped.getRef()));
    assertThat(stopped.receiveMessage()).isEqualTo(new Stopped(false, "1 BUFFER_POOL, 1 LEASE"));
    assertThat(pool.isClosed()).isTrue();
  }
}
