package io.dpuactors.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.protocol.ConnectionEvent;
import io.dpuactors.protocol.ConnectionEvent.ConsumerJoined;
import io.dpuactors.protocol.ConnectionEvent.ConsumerLeft;
import io.dpuactors.protocol.ConnectionEvent.Message;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.OpenProducer;
import io.dpuactors.protocol.ConnectionProtocol.Send;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.MemoryProtocol.ClosePool;
import io.dpuactors.protocol.MemoryProtocol.OpenWindows;
import io.dpuactors.protocol.MemoryProtocol.PoolClosed;
import io.dpuactors.protocol.MemoryProtocol.PoolOpened;
import io.dpuactors.protocol.ProducerProtocol;
import io.dpuactors.protocol.Stop;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ExpectedLog;
import io.dpuactors.testkit.HeapBuffers;
import io.dpuactors.wire.DataGeometry;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.ManualTime;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the sender of blocks without a device, on a manual clock. */
@ExtendWith(CleanLog.class)
class BlockSenderTest {
  private static final int BLOCK = 100;
  private static final Duration STALL_LIMIT = Duration.ofSeconds(4);
  private static final Duration BEFORE = STALL_LIMIT.minusSeconds(1);
  private static final String NO_CONSUMER = "it has requested no blocks for 4000 ms";

  private final ActorTestKit kit = ServiceRig.manualTime();
  private final ManualTime time = ManualTime.get(kit.system());
  private final TestProbe<ConnectionProtocol.Command> connection = kit.createTestProbe();
  private final TestProbe<EngineProtocol.Command> engine = kit.createTestProbe();
  private final TestProbe<ProducerProtocol.Command> producer = kit.createTestProbe();
  private @Nullable OpenProducer opens;

  @AfterEach
  void shutdown() {
    kit.shutdownTestKit();
  }

  @Test
  @ExpectedLog(NO_CONSUMER)
  void aClientThatIsSilentAfterItsConsumerIsDisconnected() {
    ActorRef<ConnectionEvent> sender = sender();
    join(sender, 1);
    sender.tell(new ConsumerLeft(1));
    time.expectNoMessageFor(BEFORE, connection);
    time.timePasses(STALL_LIMIT.minus(BEFORE));
    connection.expectMessageClass(Stop.class);
  }

  /** The deadline of the server for a first request does not cover this client. */
  @Test
  @ExpectedLog(NO_CONSUMER)
  void aClientThatIsSilentAfterAMessageIsDisconnected() {
    ActorRef<ConnectionEvent> sender = sender();
    sender.tell(new Message(new byte[1]));
    time.timePasses(STALL_LIMIT);
    connection.expectMessageClass(Stop.class);
  }

  @Test
  @ExpectedLog(NO_CONSUMER)
  void eachConsumerBeginsTheLimitAgain() {
    ActorRef<ConnectionEvent> sender = sender();
    for (int consumer = 1; consumer < 4; consumer++) {
      join(sender, consumer);
      sender.tell(new ConsumerLeft(consumer));
      time.expectNoMessageFor(BEFORE, connection);
    }
    time.timePasses(STALL_LIMIT.minus(BEFORE));
    connection.expectMessageClass(Stop.class);
  }

  /** The deadline of the server for a first request covers this client. */
  @Test
  void aClientWithoutARequestStaysConnected() {
    sender();
    time.expectNoMessageFor(STALL_LIMIT.multipliedBy(2), connection);
  }

  /** An engine that stops lends no windows, and then stops its connections. */
  @Test
  void aSenderWhoseEngineStopsEndsInOrder() {
    ActorRef<ConnectionEvent> sender = sender();
    BufferPool windows = HeapBuffers.pool(2, BLOCK);
    windows.stopLending();
    Objects.requireNonNull(opens)
        .replyTo()
        .tell(new ProducerProtocol.Opened("blocks", producer.getRef()));
    engine.expectMessageClass(OpenWindows.class).replyTo().tell(new PoolOpened(windows));
    join(sender, 1);
    connection.expectMessageClass(Stop.class);
    connection.stop();
    ClosePool close = engine.expectMessageClass(ClosePool.class);
    assertThat(close.pool()).isSameAs(windows);
    close.replyTo().tell(new PoolClosed(Optional.empty()));
    engine.expectTerminated(sender);
  }

  /** An engine that has ended has closed the windows. */
  @Test
  void aSenderWhoseEngineHasEndedEndsInOrder() {
    ActorRef<ConnectionEvent> sender = sender();
    BufferPool windows = HeapBuffers.pool(2, BLOCK);
    engine.expectMessageClass(OpenWindows.class).replyTo().tell(new PoolOpened(windows));
    windows.close();
    Objects.requireNonNull(opens)
        .replyTo()
        .tell(new ProducerProtocol.Opened("blocks", producer.getRef()));
    join(sender, 1);
    connection.expectMessageClass(Stop.class);
    engine.stop();
    connection.expectTerminated(sender);
  }

  private ActorRef<ConnectionEvent> sender() {
    BlockMemory blocks = BlockMemory.fill(HeapBuffers.pool(2, BLOCK), new DataGeometry(2, BLOCK));
    ActorRef<ConnectionEvent> sender =
        kit.spawn(
            BlockSender.create(connection.getRef(), engine.getRef(), blocks, false, STALL_LIMIT));
    connection.expectMessageClass(Send.class);
    opens = connection.expectMessageClass(OpenProducer.class);
    return sender;
  }

  private static void join(ActorRef<ConnectionEvent> sender, int consumer) {
    sender.tell(new ConsumerJoined(consumer));
  }
}
