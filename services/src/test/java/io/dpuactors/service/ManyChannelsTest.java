package io.dpuactors.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.Permission;
import io.dpuactors.protocol.ConnectionEvent;
import io.dpuactors.protocol.ConnectionEvent.ConsumerJoined;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.OpenConsumer;
import io.dpuactors.protocol.ConnectionProtocol.OpenProducer;
import io.dpuactors.protocol.ConsumerProtocol;
import io.dpuactors.protocol.ConsumerProtocol.Filled;
import io.dpuactors.protocol.ConsumerProtocol.Post;
import io.dpuactors.protocol.ContextReply.OpenFailed;
import io.dpuactors.protocol.DataOptions;
import io.dpuactors.protocol.MemoryProtocol.OpenPool;
import io.dpuactors.protocol.MemoryProtocol.PoolOpened;
import io.dpuactors.protocol.MemoryProtocol.PoolReply;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.ProducerProtocol;
import io.dpuactors.protocol.ProducerProtocol.Produce;
import io.dpuactors.testing.CleanLog;
import io.dpuactors.testing.FreshSoftDpu;
import java.util.Objects;
import java.util.Set;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests that every connection of a full server can have a consumer and a producer on each side. */
@ExtendWith({CleanLog.class, FreshSoftDpu.class})
class ManyChannelsTest {
  /** default of {@code dpu.comch.server.max-connections} */
  private static final int CONNECTIONS = 512;

  @Test
  void theDefaultsHaveRoomForAllConnections() throws Exception {
    try (ServiceRig rig = new ServiceRig()) {
      TestProbe<Object> results = rig.system.kit.createTestProbe();
      BufferPool ofServer = rig.pool(ServiceRig.DPU, CONNECTIONS, 64, Permission.PCI_READ_WRITE);
      rig.serve(connection -> End.create(connection, ofServer, results.getRef()));
      BufferPool ofClients = clientPool(rig);
      for (int i = 0; i < CONNECTIONS; i++) {
        rig.connect(connection -> End.create(connection, ofClients, results.getRef()));
      }
      for (int i = 0; i < 2 * CONNECTIONS; i++) {
        assertThat(results.receiveMessage()).isInstanceOf(Filled.class);
      }
      rig.stop();
    }
  }

  private static BufferPool clientPool(ServiceRig rig) {
    TestProbe<PoolReply> probe = rig.system.kit.createTestProbe();
    rig.clients.tell(
        new OpenPool(
            PoolOptions.of(CONNECTIONS, 64)
                .onDevice(ServiceRig.HOST)
                .withPermissions(Set.of(Permission.PCI_READ_WRITE)),
            probe.getRef()));
    return probe.expectMessageClass(PoolOpened.class).pool();
  }

  /** One side of a connection: it sends a message to the peer's consumer and receives one. */
  private static final class End extends AbstractBehavior<Object> {
    private final BufferPool pool;
    private final ActorRef<Object> results;
    private @Nullable ActorRef<ProducerProtocol.Command> producer;
    private int consumer;

    private End(ActorContext<Object> context, BufferPool pool, ActorRef<Object> results) {
      super(context);
      this.pool = pool;
      this.results = results;
    }

    static Behavior<ConnectionEvent> create(
        ActorRef<ConnectionProtocol.Command> connection,
        BufferPool pool,
        ActorRef<Object> results) {
      return Behaviors.<Object>setup(
              context -> {
                connection.tell(
                    new OpenConsumer("in", DataOptions.into(pool), context.getSelf().narrow()));
                connection.tell(
                    new OpenProducer("out", DataOptions.defaults(), context.getSelf().narrow()));
                return new End(context, pool, results);
              })
          .narrow();
    }

    @Override
    public Receive<Object> createReceive() {
      return newReceiveBuilder()
          .onMessage(ConsumerProtocol.Opened.class, this::onConsumer)
          .onMessage(ProducerProtocol.Opened.class, this::onProducer)
          .onMessage(ConsumerJoined.class, this::onJoined)
          .onMessage(Filled.class, this::onFilled)
          .onMessage(OpenFailed.class, this::onFailed)
          .onAnyMessage(other -> this)
          .build();
    }

    private Behavior<Object> onConsumer(ConsumerProtocol.Opened opened) {
      opened
          .context()
          .tell(new Post(Objects.requireNonNull(pool.lease()), getContext().getSelf().narrow()));
      return this;
    }

    private Behavior<Object> onProducer(ProducerProtocol.Opened opened) {
      producer = opened.context();
      return send();
    }

    private Behavior<Object> onJoined(ConsumerJoined joined) {
      consumer = joined.consumer();
      return send();
    }

    private Behavior<Object> send() {
      if (producer != null && consumer != 0) {
        producer.tell(
            new Produce(null, new byte[] {1}, consumer, 0, getContext().getSelf().narrow()));
      }
      return this;
    }

    private Behavior<Object> onFilled(Filled filled) {
      filled.dst().release();
      results.tell(filled);
      return this;
    }

    private Behavior<Object> onFailed(OpenFailed<?> failed) {
      results.tell(failed);
      return this;
    }
  }
}
