package io.dpuactors.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.TaskBatch;
import io.dpuactors.protocol.BatchReply;
import io.dpuactors.protocol.ConnectionEvent;
import io.dpuactors.protocol.ConnectionEvent.Message;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.OpenConsumer;
import io.dpuactors.protocol.ConnectionProtocol.OpenProducer;
import io.dpuactors.protocol.ConnectionProtocol.Send;
import io.dpuactors.protocol.ConnectionProtocol.Subscribe;
import io.dpuactors.protocol.ConsumerProtocol;
import io.dpuactors.protocol.ConsumerProtocol.PostBatch;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.MemoryProtocol.ClosePool;
import io.dpuactors.protocol.MemoryProtocol.OpenPool;
import io.dpuactors.protocol.MemoryProtocol.OpenWindows;
import io.dpuactors.protocol.MemoryProtocol.PoolOpened;
import io.dpuactors.protocol.Stop;
import io.dpuactors.service.BlockReceiver.ReceiverOptions;
import io.dpuactors.service.Transfer.TransferFailed;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ExpectedLog;
import io.dpuactors.testkit.HeapBuffers;
import io.dpuactors.wire.DataGeometry;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the end of actors of the data service that throw. */
@ExtendWith(CleanLog.class)
class ConnectionEndTest {
  private static final int BLOCK = 100;

  private final ActorTestKit kit = ActorTestKit.create();
  private final TestProbe<ConnectionProtocol.Command> connection = kit.createTestProbe();
  private final TestProbe<EngineProtocol.Command> engine = kit.createTestProbe();

  @AfterEach
  void shutdown() {
    kit.shutdownTestKit();
  }

  /** The device has the first of two posted batches. */
  @Test
  @ExpectedLog("out of bounds")
  void aReceiverThatThrowsFailsItsTransferAndReturnsItsMemory() {
    DataGeometry geometry = new DataGeometry(300, BLOCK);
    TestProbe<Transfer> results = kit.createTestProbe();
    ActorRef<Object> receiver =
        kit.spawn(
            BlockReceiver.create(
                connection.getRef(),
                engine.getRef(),
                engine.getRef().narrow(),
                new ReceiverOptions(Optional.empty(), Transfers.PLENTY, true),
                results.getRef()));
    connection.expectMessageClass(Subscribe.class);
    receiver.tell(new Message(geometry.encode(false)));
    BufferPool pool = HeapBuffers.pool(geometry.blocks(), BLOCK);
    engine.expectMessageClass(OpenPool.class).replyTo().tell(new PoolOpened(pool));
    TestProbe<ConsumerProtocol.Command> consumer = kit.createTestProbe();
    OpenConsumer open = connection.expectMessageClass(OpenConsumer.class);
    open.replyTo().tell(new ConsumerProtocol.Opened(open.name(), consumer.getRef()));
    TaskBatch running = consumer.expectMessageClass(PostBatch.class).batch();
    TaskBatch waiting = consumer.expectMessageClass(PostBatch.class).batch();
    assertThat(running.begin()).isTrue();
    receiver.tell(new BatchReply.Ended(0, batchOfSends()));
    assertThat(results.expectMessageClass(TransferFailed.class).why())
        .isEqualTo("the actor of the transfer has ended");
    connection.expectMessageClass(Stop.class);
    assertThat(engine.expectMessageClass(ClosePool.class).pool()).isSameAs(pool);
    assertThat(pool.available()).isEqualTo(waiting.size());
    running.end();
    assertThat(pool.available()).isEqualTo(pool.capacity());
    results.expectNoMessage(Duration.ZERO);
  }

  @Test
  @ExpectedLog("was not sent")
  void aSenderThatThrowsClosesItsWindows() {
    BlockMemory blocks = BlockMemory.fill(HeapBuffers.pool(2, BLOCK), new DataGeometry(2, BLOCK));
    ActorRef<ConnectionEvent> sender =
        kit.spawn(
            BlockSender.create(
                connection.getRef(), engine.getRef(), blocks, false, Duration.ofSeconds(30)));
    connection.expectMessageClass(Send.class);
    connection.expectMessageClass(OpenProducer.class);
    BufferPool windows = HeapBuffers.pool(2, BLOCK);
    engine.expectMessageClass(OpenWindows.class).replyTo().tell(new PoolOpened(windows));
    sender.<Object>unsafeUpcast().tell(new BatchReply.Ended(0, batchOfSends()));
    connection.expectMessageClass(Stop.class);
    assertThat(engine.expectMessageClass(ClosePool.class).pool()).isSameAs(windows);
  }

  /** Returns a batch that no actor of these tests has sent. */
  private static TaskBatch batchOfSends() {
    Buffer buffer = Objects.requireNonNull(HeapBuffers.pool(1, BLOCK).lease());
    return TaskBatch.ofSends(List.of(buffer));
  }
}
