package io.dpuactors.service;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.MemoryOptions;
import io.dpuactors.bridge.Permission;
import io.dpuactors.protocol.ConnectionProtocol.OpenConsumer;
import io.dpuactors.protocol.ConnectionProtocol.OpenProducer;
import io.dpuactors.protocol.ConsumerProtocol;
import io.dpuactors.protocol.ContextReply.Opened;
import io.dpuactors.protocol.DataOptions;
import io.dpuactors.protocol.MemoryProtocol.OpenPool;
import io.dpuactors.protocol.MemoryProtocol.PoolOpened;
import io.dpuactors.protocol.PoolOptions;
import io.dpuactors.protocol.ProducerProtocol;
import java.util.Optional;
import java.util.Set;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.jspecify.annotations.Nullable;

/**
 * Two pools, a consumer that fills one of them, and a producer: the data path of one end of the
 * compress service. The pools open first, then the consumer and the producer.
 */
final class CompressChannel {
  private static final String CONSUMER = "consumer";
  private static final String PRODUCER = "producer";

  private final ConnectionEnd owner;
  private final Optional<String> device;
  private final boolean receivesSources;
  private @Nullable BufferPool sources;
  private @Nullable BufferPool destinations;
  private @Nullable ActorRef<ConsumerProtocol.Command> consumer;
  private @Nullable ActorRef<ProducerProtocol.Command> producer;

  /**
   * Creates a channel without opening anything.
   *
   * @param owner sends the requests and passes on the replies; it handles refusals
   * @param device of the connection
   * @param receivesSources true: the peer sends content; false: the peer sends results
   */
  CompressChannel(ConnectionEnd owner, Optional<String> device, boolean receivesSources) {
    this.owner = owner;
    this.device = device;
    this.receivesSources = receivesSources;
  }

  void open(int window, int sourceBytes, int destinationBytes) {
    openPool(window, sourceBytes, receivesSources);
    openPool(window, destinationBytes, !receivesSources);
  }

  private void openPool(int count, int bytes, boolean received) {
    Permission permission = received ? Permission.PCI_READ_WRITE : Permission.LOCAL_READ_WRITE;
    owner.requestSent();
    owner.engine.tell(
        new OpenPool(
            new PoolOptions(
                count, bytes, device, MemoryOptions.defaults().withPermissions(Set.of(permission))),
            owner.self()));
  }

  /** Takes an opened pool. The engine replies in order: the pool of the sources comes first. */
  Behavior<Object> on(PoolOpened opened) {
    owner.replyReceived();
    owner.own(opened.pool());
    if (!owner.isStopping()) {
      if (sources == null) {
        sources = opened.pool();
      } else {
        destinations = opened.pool();
        openData();
      }
    }
    return owner.continueStop();
  }

  private void openData() {
    BufferPool received = receivesSources ? sources() : destinations();
    int window = received.capacity();
    owner.requestSent();
    owner.connection.tell(
        new OpenConsumer(CONSUMER, DataOptions.into(received).withWindow(window), owner.self()));
    owner.requestSent();
    owner.connection.tell(
        new OpenProducer(PRODUCER, DataOptions.defaults().withWindow(window), owner.self()));
  }

  /** Takes the opened consumer or producer. */
  void on(Opened<?> opened) {
    owner.replyReceived();
    if (opened.name().equals(CONSUMER)) {
      consumer = opened.context().unsafeUpcast();
    } else {
      producer = opened.context().unsafeUpcast();
    }
  }

  /** Returns whether the pools, the consumer and the producer are open. */
  boolean isOpen() {
    return consumer != null && producer != null;
  }

  BufferPool sources() {
    return opened(sources);
  }

  BufferPool destinations() {
    return opened(destinations);
  }

  ActorRef<ConsumerProtocol.Command> consumer() {
    return opened(consumer);
  }

  ActorRef<ProducerProtocol.Command> producer() {
    return opened(producer);
  }

  private static <T> T opened(@Nullable T value) {
    if (value == null) {
      throw new IllegalStateException("used before it was opened");
    }
    return value;
  }
}
