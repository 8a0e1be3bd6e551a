package io.dpuactors.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.TaskCapabilities;
import io.dpuactors.protocol.CompressProtocol.Deflate;
import io.dpuactors.protocol.CompressProtocol.GetCapabilities;
import io.dpuactors.protocol.ConnectionEvent.ConsumerJoined;
import io.dpuactors.protocol.ConnectionEvent.Message;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.OpenConsumer;
import io.dpuactors.protocol.ConnectionProtocol.OpenProducer;
import io.dpuactors.protocol.ConnectionProtocol.Send;
import io.dpuactors.protocol.ConnectionProtocol.Subscribe;
import io.dpuactors.protocol.ConsumerProtocol;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.MemoryProtocol.ClosePool;
import io.dpuactors.protocol.MemoryProtocol.OpenPool;
import io.dpuactors.protocol.MemoryProtocol.PoolClosed;
import io.dpuactors.protocol.MemoryProtocol.PoolOpened;
import io.dpuactors.protocol.ProducerProtocol;
import io.dpuactors.protocol.ProducerProtocol.Produced;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ExpectedLog;
import io.dpuactors.testkit.HeapBuffers;
import io.dpuactors.wire.CompressMessage.Hello;
import io.dpuactors.wire.CompressMessage.Welcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.ManualTime;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests the limits of the server's answers and the end of a client that throws, on a manual clock.
 */
@ExtendWith(CleanLog.class)
class RemoteCompressTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final int BLOCK = 1024;
  private static final int WINDOW = 4;

  private final ActorTestKit kit = ServiceRig.manualTime();
  private final ManualTime time = ManualTime.get(kit.system());
  private final TestProbe<ConnectionProtocol.Command> connection = kit.createTestProbe();
  private final TestProbe<EngineProtocol.Command> engine = kit.createTestProbe();
  private final TestProbe<RemoteCompress.Event> events = kit.createTestProbe();

  @AfterEach
  void shutdown() {
    kit.shutdownTestKit();
  }

  /** The limit of the start ends with the start, and does not shorten the limit of the summary. */
  @Test
  void theLimitOfTheSummaryBeginsWithTheFinish() {
    ActorRef<Object> remote = connect();
    time.timePasses(LIMIT.minusSeconds(1));
    remote.tell(RemoteCompress.Finish.INSTANCE);
    connection.expectMessageClass(Send.class);
    time.timePasses(LIMIT.minusSeconds(1));
    awaitTurn(remote);
    connection.expectNoMessage(Duration.ZERO);
    time.timePasses(Duration.ofSeconds(1));
    connection.expectMessageClass(Stop.class);
  }

  /** The user has returned the source of the first block too early. */
  @Test
  @ExpectedLog("block 7 is not in flight")
  void aClientThatThrowsAnswersItsBlocksInOrderAndClosesItsPools() {
    ActorRef<Object> remote = connect();
    remote.tell(new Message(new Welcome(BLOCK, BLOCK, WINDOW).encode()));
    BufferPool sources = openPool();
    BufferPool destinations = openPool();
    OpenConsumer consumer = connection.expectMessageClass(OpenConsumer.class);
    consumer.replyTo().tell(new ConsumerProtocol.Opened(consumer.name(), ignored()));
    OpenProducer producer = connection.expectMessageClass(OpenProducer.class);
    producer.replyTo().tell(new ProducerProtocol.Opened(producer.name(), ignored()));
    remote.tell(new ConsumerJoined(1));
    events.expectMessageClass(RemoteCompress.Ready.class);
    TestProbe<TaskReply> replies = kit.createTestProbe();
    List<Buffer> sent = new ArrayList<>();
    for (int block = 0; block < WINDOW; block++) {
      Buffer src = Objects.requireNonNull(sources.lease());
      src.length(BLOCK);
      sent.add(src);
      Buffer dst = Objects.requireNonNull(destinations.lease());
      remote.tell(new Deflate(src, dst, block, replies.getRef()));
    }
    remote.tell(new Produced(0, sent.get(0)));
    awaitTurn(remote);
    sent.get(0).release();
    remote.tell(new Produced(7, null));
    for (int block = 0; block < WINDOW; block++) {
      assertThat(replies.expectMessageClass(TaskReply.Failed.class).tag()).isEqualTo(block);
    }
    events.expectMessageClass(RemoteCompress.Ended.class);
    connection.expectMessageClass(Stop.class);
    ClosePool first = engine.expectMessageClass(ClosePool.class);
    assertThat(first.pool()).isSameAs(destinations);
    first.replyTo().tell(new PoolClosed(Optional.empty()));
    assertThat(engine.expectMessageClass(ClosePool.class).pool()).isSameAs(sources);
  }

  private ActorRef<Object> connect() {
    ActorRef<Object> remote =
        kit.spawn(
            RemoteCompress.create(
                connection.getRef(),
                engine.getRef(),
                Optional.empty(),
                new Hello(BLOCK, WINDOW),
                events.getRef()));
    connection.expectMessageClass(Subscribe.class);
    connection.expectMessageClass(Send.class);
    return remote;
  }

  private BufferPool openPool() {
    BufferPool pool = HeapBuffers.pool(WINDOW, BLOCK);
    engine.expectMessageClass(OpenPool.class).replyTo().tell(new PoolOpened(pool));
    return pool;
  }

  private <T> ActorRef<T> ignored() {
    return kit.system().ignoreRef();
  }

  /** Waits until the actor has handled its earlier messages. */
  private void awaitTurn(ActorRef<Object> remote) {
    TestProbe<TaskCapabilities> reply = kit.createTestProbe();
    remote.tell(new GetCapabilities(reply.getRef()));
    reply.receiveMessage();
  }
}
