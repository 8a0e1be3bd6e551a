package io.dpuactors.service;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.protocol.ConnectionEvent;
import io.dpuactors.protocol.ConnectionEvent.Message;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.OpenConsumer;
import io.dpuactors.protocol.ConnectionProtocol.Send;
import io.dpuactors.protocol.ConnectionProtocol.Subscribe;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.MemoryProtocol.ClosePool;
import io.dpuactors.protocol.MemoryProtocol.ImportMemory;
import io.dpuactors.protocol.MemoryProtocol.OpenPool;
import io.dpuactors.protocol.MemoryProtocol.PoolOpened;
import io.dpuactors.protocol.MemoryProtocol.PoolReply;
import io.dpuactors.protocol.Stop;
import io.dpuactors.service.BlockReceiver.ReceiverOptions;
import io.dpuactors.service.MemoryCopier.CopierOptions;
import io.dpuactors.service.Transfer.TransferFailed;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testkit.HeapBuffers;
import io.dpuactors.wire.DataGeometry;
import io.dpuactors.wire.DmaOffer;
import java.util.Optional;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.ManualTime;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests clients of a silent server without a device, on a manual clock. */
@ExtendWith(CleanLog.class)
class TransferEndTest {
  private static final DataGeometry GEOMETRY = new DataGeometry(1, 64);

  private final ActorTestKit kit = ServiceRig.manualTime();
  private final ManualTime time = ManualTime.get(kit.system());
  private final TestProbe<ConnectionProtocol.Command> connection = kit.createTestProbe();
  private final TestProbe<EngineProtocol.Command> engine = kit.createTestProbe();
  private final TestProbe<Transfer> results = kit.createTestProbe();

  @AfterEach
  void shutdown() {
    kit.shutdownTestKit();
  }

  @Test
  void aReceiverLeavesAServerThatSendsNoGeometry() {
    receiver();
    expectFailureAfterLimit();
  }

  @Test
  void aCopierLeavesAServerThatSendsNoOffer() {
    copier();
    expectFailureAfterLimit();
  }

  @Test
  void aPingLeavesAServerThatStopsAnswering() {
    TestProbe<Ping.Result> pings = kit.createTestProbe();
    ActorRef<ConnectionEvent> ping =
        kit.spawn(Ping.create(connection.getRef(), 2, 4, time -> {}, pings.getRef()));
    connection.expectMessageClass(Send.class);
    ping.tell(new Message("pong".getBytes(US_ASCII)));
    connection.expectMessageClass(Send.class);
    time.expectNoMessageFor(TransferEnd.LIMIT.minusSeconds(1), connection);
    time.timePasses(TransferEnd.LIMIT);
    assertThat(pings.expectMessageClass(Ping.PingFailed.class).why())
        .isEqualTo("the server sent nothing for 30 s");
    connection.expectMessageClass(Stop.class);
  }

  @Test
  void aReceiverHasTimeForItsMemory() {
    receiver().tell(new Message(GEOMETRY.encode(false)));
    OpenPool open = engine.expectMessageClass(OpenPool.class);
    time.timePasses(TransferEnd.LIMIT.multipliedBy(2));
    open.replyTo().tell(new PoolOpened(HeapBuffers.pool(1, 64)));
    connection.expectMessageClass(OpenConsumer.class);
  }

  @Test
  void aCopierHasTimeForItsMemory() {
    copier().tell(new Message(DmaOffer.of(GEOMETRY, new byte[100]).encode()));
    ImportMemory imports = engine.expectMessageClass(ImportMemory.class);
    time.timePasses(TransferEnd.LIMIT.multipliedBy(2));
    imports.replyTo().tell(new PoolOpened(HeapBuffers.pool(1, 64)));
    engine.expectMessageClass(OpenPool.class);
  }

  @Test
  void aReceiverWhoseEngineStopsFails() {
    receiver().tell(new Message(GEOMETRY.encode(false)));
    expectFailureWithout(engine.expectMessageClass(OpenPool.class).replyTo(), stopped());
  }

  /** An engine that has ended has closed its pools. */
  @Test
  void aReceiverWhoseEngineHasEndedFails() {
    receiver().tell(new Message(GEOMETRY.encode(false)));
    BufferPool closed = HeapBuffers.pool(1, 64);
    closed.close();
    expectFailureWithout(engine.expectMessageClass(OpenPool.class).replyTo(), closed);
  }

  @Test
  void aCopierWhoseEngineStopsFails() {
    copier().tell(new Message(DmaOffer.of(GEOMETRY, new byte[100]).encode()));
    ActorRef<PoolReply> imports = engine.expectMessageClass(ImportMemory.class).replyTo();
    imports.tell(new PoolOpened(HeapBuffers.pool(1, 64)));
    expectFailureWithout(engine.expectMessageClass(OpenPool.class).replyTo(), stopped());
  }

  @Test
  void aCopierWhoseImportLendsNothingFails() {
    copier().tell(new Message(DmaOffer.of(GEOMETRY, new byte[100]).encode()));
    ActorRef<PoolReply> imports = engine.expectMessageClass(ImportMemory.class).replyTo();
    imports.tell(new PoolOpened(stopped()));
    BufferPool room = HeapBuffers.pool(1, 64);
    expectFailureWithout(engine.expectMessageClass(OpenPool.class).replyTo(), room);
    assertThat(room.available()).isEqualTo(1);
  }

  private static BufferPool stopped() {
    BufferPool pool = HeapBuffers.pool(1, 64);
    pool.stopLending();
    return pool;
  }

  /** Expects that the actor closes the connection and its pools, and does not throw. */
  private void expectFailureWithout(ActorRef<PoolReply> replyTo, BufferPool pool) {
    replyTo.tell(new PoolOpened(pool));
    connection.expectMessageClass(Stop.class);
    connection.stop();
    ClosePool close = engine.expectMessageClass(ClosePool.class);
    assertThat(close.pool()).isSameAs(pool);
    engine.stop();
    assertThat(results.expectMessageClass(TransferFailed.class).why())
        .isEqualTo("the engine is stopping");
  }

  private void expectFailureAfterLimit() {
    time.expectNoMessageFor(TransferEnd.LIMIT.minusSeconds(1), connection);
    time.timePasses(TransferEnd.LIMIT);
    connection.expectMessageClass(Stop.class);
    connection.stop();
    assertThat(results.expectMessageClass(TransferFailed.class).why())
        .isEqualTo("the server sent nothing for 30 s");
  }

  private ActorRef<Object> receiver() {
    ReceiverOptions options = new ReceiverOptions(Optional.empty(), Transfers.PLENTY, true);
    ActorRef<Object> receiver =
        kit.spawn(
            BlockReceiver.create(
                connection.getRef(),
                engine.getRef(),
                engine.getRef().narrow(),
                options,
                results.getRef()));
    connection.expectMessageClass(Subscribe.class);
    return receiver;
  }

  private ActorRef<Object> copier() {
    CopierOptions options = new CopierOptions(Optional.empty(), 1, Transfers.PLENTY, true);
    ActorRef<Object> copier =
        kit.spawn(
            MemoryCopier.create(
                connection.getRef(),
                engine.getRef(),
                engine.getRef().narrow(),
                options,
                results.getRef()));
    connection.expectMessageClass(Subscribe.class);
    return copier;
  }
}
