package io.dpuactors.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.gzip.GzipMember;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.CompressProtocol.Deflate;
import io.dpuactors.protocol.ConnectionEvent;
import io.dpuactors.protocol.ConnectionEvent.Message;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.OpenConsumer;
import io.dpuactors.protocol.ConnectionProtocol.OpenProducer;
import io.dpuactors.protocol.ConsumerProtocol;
import io.dpuactors.protocol.ConsumerProtocol.Filled;
import io.dpuactors.protocol.ConsumerProtocol.Post;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.MemoryProtocol.ClosePool;
import io.dpuactors.protocol.MemoryProtocol.OpenPool;
import io.dpuactors.protocol.MemoryProtocol.PoolClosed;
import io.dpuactors.protocol.MemoryProtocol.PoolOpened;
import io.dpuactors.protocol.ProducerProtocol;
import io.dpuactors.protocol.Stop;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.service.CompressService.Limits;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.ExpectedLog;
import io.dpuactors.testkit.HeapBuffers;
import io.dpuactors.wire.CompressMessage.Hello;
import io.dpuactors.wire.CompressTag;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the end of a session that throws. */
@ExtendWith(CleanLog.class)
class CompressSessionTest {
  private static final int BLOCK = 1000;
  private static final long ONE_CLIENT = BLOCK + GzipMember.maxPayloadBytes(BLOCK);

  private final ActorTestKit kit = ActorTestKit.create();
  private final TestProbe<ConnectionProtocol.Command> connection = kit.createTestProbe();
  private final TestProbe<EngineProtocol.Command> engine = kit.createTestProbe();
  private final TestProbe<CompressProtocol.Command> compress = kit.createTestProbe();

  @AfterEach
  void shutdown() {
    kit.shutdownTestKit();
  }

  @Test
  @ExpectedLog("release: buffer 0 is not leased")
  void aSessionThatThrowsReturnsItsMemory() {
    CompressService service = service();
    ActorRef<ConnectionEvent> session = welcome(service);
    OpenPool open = engine.expectMessageClass(OpenPool.class);
    engine.expectMessageClass(OpenPool.class);
    assertThat(service.reserve(1)).isFalse();
    BufferPool pool = HeapBuffers.pool(1, BLOCK);
    open.replyTo().tell(new PoolOpened(pool));
    Buffer returned = Objects.requireNonNull(pool.lease());
    returned.release();
    session.<Object>unsafeUpcast().tell(new TaskReply.Completed(0, returned, returned, 0, 0));
    connection.expectMessageClass(Stop.class);
    DocaError leased = DocaError.of("close pool", DocaCode.IN_USE.value(), "leased");
    engine.expectMessageClass(ClosePool.class).replyTo().tell(new PoolClosed(Optional.of(leased)));
    ClosePool again = engine.expectMessageClass(ClosePool.class);
    assertThat(again.pool()).isSameAs(pool);
    assertThat(service.reserve(1)).isFalse();
    again.replyTo().tell(new PoolClosed(Optional.empty()));
    Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> service.reserve(ONE_CLIENT));
  }

  /** The source of the block is not leased, so the session cannot post it again. */
  @Test
  @ExpectedLog("length: buffer 0 is not leased")
  void aSessionThatThrowsReleasesTheDestinationOfADeflatedBlock() {
    ActorRef<ConnectionEvent> session = welcome(service());
    BufferPool destinations = HeapBuffers.pool(1, BLOCK);
    openPool(HeapBuffers.pool(1, BLOCK));
    openPool(destinations);
    TestProbe<ConsumerProtocol.Command> consumer = kit.createTestProbe();
    OpenConsumer openConsumer = connection.expectMessageClass(OpenConsumer.class);
    openConsumer
        .replyTo()
        .tell(new ConsumerProtocol.Opened(openConsumer.name(), consumer.getRef()));
    TestProbe<ProducerProtocol.Command> producer = kit.createTestProbe();
    OpenProducer openProducer = connection.expectMessageClass(OpenProducer.class);
    openProducer
        .replyTo()
        .tell(new ProducerProtocol.Opened(openProducer.name(), producer.getRef()));
    Buffer src = consumer.expectMessageClass(Post.class).dst();
    src.length(BLOCK);
    byte[] tag = CompressTag.block(0, BLOCK, 0).encode();
    session.<Object>unsafeUpcast().tell(new Filled(0, src, 1, tag));
    Deflate deflate = compress.expectMessageClass(Deflate.class);
    src.release();
    deflate.completed(0, 0);
    assertThat(engine.expectMessageClass(ClosePool.class).pool()).isSameAs(destinations);
    assertThat(destinations.available()).isEqualTo(1);
  }

  private CompressService service() {
    return CompressService.create(
        engine.getRef(),
        compress.getRef(),
        Optional.empty(),
        new Limits(BLOCK, 1, ONE_CLIENT, Duration.ofSeconds(30)));
  }

  /** Creates a session of a client that has requested one block in flight. */
  private ActorRef<ConnectionEvent> welcome(CompressService service) {
    ActorRef<ConnectionEvent> session =
        kit.spawn(CompressSession.create(service, connection.getRef()));
    session.tell(new Message(new Hello(BLOCK, 1).encode()));
    return session;
  }

  private void openPool(BufferPool pool) {
    engine.expectMessageClass(OpenPool.class).replyTo().tell(new PoolOpened(pool));
  }
}
