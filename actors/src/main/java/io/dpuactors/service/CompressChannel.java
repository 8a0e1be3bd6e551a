package io.dpuactors.service;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.Permission;
import io.dpuactors.protocol.EngineProtocol.OpenPool;
import io.dpuactors.protocol.EngineProtocol.Opened;
import io.dpuactors.protocol.EngineProtocol.PoolOpened;
import io.dpuactors.protocol.comch.ConnectionProtocol.OpenConsumer;
import io.dpuactors.protocol.comch.ConnectionProtocol.OpenProducer;
import io.dpuactors.protocol.comch.ConsumerProtocol;
import io.dpuactors.protocol.comch.DataOptions;
import io.dpuactors.protocol.comch.ProducerProtocol;
import java.util.Optional;
import java.util.Set;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.jspecify.annotations.Nullable;

/**
 * What one end of the compress service needs for its blocks, opened one after the other: two pools,
 * a consumer that fills one of them, a producer.
 */
final class CompressChannel {
  private static final String CONSUMER = "consumer";
  private static final String PRODUCER = "producer";

  private final Lender owner;
  private final Optional<String> device;
  private final boolean receivesSources;
  private @Nullable BufferPool sources;
  private @Nullable BufferPool destinations;
  private @Nullable ActorRef<ConsumerProtocol.Command> consumer;
  private @Nullable ActorRef<ProducerProtocol.Command> producer;

  /**
   * Nothing is open yet.
   *
   * @param owner asks, and passes on what is answered; a refusal is its own matter
   * @param device of the connection
   * @param receivesSources whether content comes from the other side; otherwise results do
   */
  CompressChannel(Lender owner, Optional<String> device, boolean receivesSources) {
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
    owner.asked();
    owner.engine.tell(new OpenPool(device, count, bytes, Set.of(permission), owner.self()));
  }

  /** A pool is there. The engine answers in order: sources first. */
  Behavior<Object> on(PoolOpened opened) {
    owner.answered();
    owner.own(opened.pool());
    if (!owner.isLeaving()) {
      if (sources == null) {
        sources = opened.pool();
      } else {
        destinations = opened.pool();
        openData();
      }
    }
    return owner.onceBack();
  }

  private void openData() {
    BufferPool received = receivesSources ? sources() : destinations();
    int window = received.capacity();
    owner.asked();
    owner.connection.tell(
        new OpenConsumer(CONSUMER, DataOptions.into(received).withWindow(window), owner.self()));
    owner.asked();
    owner.connection.tell(
        new OpenProducer(PRODUCER, DataOptions.defaults().withWindow(window), owner.self()));
  }

  /** The consumer or the producer is there. */
  void on(Opened<?> opened) {
    owner.answered();
    if (opened.name().equals(CONSUMER)) {
      consumer = opened.context().unsafeUpcast();
    } else {
      producer = opened.context().unsafeUpcast();
    }
  }

  /** Whether everything is there. */
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
