package io.dpuactors.service;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.MemoryExport;
import io.dpuactors.bridge.MemoryOptions;
import io.dpuactors.protocol.BatchReply;
import io.dpuactors.protocol.BatchReply.BatchFailed;
import io.dpuactors.protocol.Busy;
import io.dpuactors.protocol.ConnectionEvent.Message;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.Send;
import io.dpuactors.protocol.ConnectionProtocol.SendFailed;
import io.dpuactors.protocol.ConnectionProtocol.Sent;
import io.dpuactors.protocol.ContextReply.OpenFailed;
import io.dpuactors.protocol.ContextReply.Opened;
import io.dpuactors.protocol.EngineProtocol;
import io.dpuactors.protocol.MemoryProtocol;
import io.dpuactors.protocol.MemoryProtocol.ImportMemory;
import io.dpuactors.protocol.MemoryProtocol.PoolClosed;
import io.dpuactors.protocol.MemoryProtocol.PoolFailed;
import io.dpuactors.protocol.MemoryProtocol.PoolOpened;
import io.dpuactors.wire.DataGeometry;
import io.dpuactors.wire.DmaOffer;
import io.dpuactors.wire.WireException;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.jspecify.annotations.Nullable;

/**
 * The client's end of the DMA service.
 *
 * <ol>
 *   <li>It imports the server's memory, then makes room for all blocks.
 *   <li>It copies all blocks with several copies in flight. It keeps two batches queued.
 *   <li>It closes the import and sends {@code done}.
 *   <li>It checks the blocks.
 * </ol>
 *
 * <p>This actor is fastest on the engine's thread. The engine then waits while the actor fills the
 * memory and while it checks the blocks.
 */
public final class MemoryCopier extends TransferEnd {
  private final CopierOptions options;
  private @Nullable DmaOffer offer;
  private @Nullable BufferPool imported;
  private @Nullable BlockRoom room;
  private @Nullable BlockCopies copies;

  /**
   * Options of a copier.
   *
   * @param device PCI address of the device that copies; empty: the first capable device
   * @param parallel number of copies in flight, at least 1
   * @param maxBytes largest number of bytes that a server may make this client allocate
   * @param verify check the content of each block
   */
  public record CopierOptions(
      Optional<String> device, int parallel, long maxBytes, boolean verify) {}

  /** Signals that the DMA context has stopped. */
  private enum DmaEnded {
    INSTANCE
  }

  private MemoryCopier(
      ActorContext<Object> context,
      ActorRef<ConnectionProtocol.Command> connection,
      ActorRef<EngineProtocol.Command> engine,
      ActorRef<MemoryProtocol.Command> memory,
      CopierOptions options,
      ActorRef<? super Transfer> replyTo) {
    super(context, connection, engine, memory, LIMIT, replyTo);
    this.options = options;
  }

  /**
   * Copies all blocks of a server once, closes the connection, replies, and stops.
   *
   * @param connection of a client; it has no other subscriber
   * @param engine of the connection; it runs a DMA context during the copies
   * @param memory opens and closes the pools: the engine, which allocates new memory, or a {@link
   *     KeptMemory}
   * @param replyTo receives one {@link Transfer} after this actor has released the memory; before,
   *     if it has thrown
   */
  public static Behavior<Object> create(
      ActorRef<ConnectionProtocol.Command> connection,
      ActorRef<EngineProtocol.Command> engine,
      ActorRef<MemoryProtocol.Command> memory,
      CopierOptions options,
      ActorRef<? super Transfer> replyTo) {
    return Behaviors.setup(
        context -> new MemoryCopier(context, connection, engine, memory, options, replyTo));
  }

  @Override
  public Receive<Object> createReceive() {
    return transferring()
        .onMessage(BatchReply.Ended.class, this::onEnded)
        .onMessage(Message.class, this::onMessage)
        .onMessage(PoolOpened.class, this::onPool)
        .onMessage(PoolFailed.class, failed -> refused(failed.error().toString()))
        .onMessage(Opened.class, this::onDma)
        .onMessage(OpenFailed.class, failed -> refused(failed.error().toString()))
        .onMessage(BatchFailed.class, this::onFailed)
        .onMessage(Busy.class, this::onBusy)
        .onMessageEquals(DmaEnded.INSTANCE, this::onDmaEnded)
        .onMessage(Sent.class, sent -> onDoneSent())
        .onMessage(SendFailed.class, failed -> refused(failed.error().toString()))
        .onAnyMessage(other -> this)
        .build();
  }

  private Behavior<Object> onBusy(Busy busy) {
    return refused(
        busy instanceof BatchReply ? "the DMA context is busy" : "the connection is busy");
  }

  private Behavior<Object> onMessage(Message message) {
    if (offer != null || isStopping()) {
      return fail("the server sent a message after its offer");
    }
    try {
      DmaOffer decoded = DmaOffer.decode(message.bytes());
      DataGeometry shape = decoded.geometry();
      Optional<String> obstacle = BlockRoom.obstacle(shape, options.maxBytes());
      if (obstacle.isPresent()) {
        return fail(obstacle.get());
      }
      offer = decoded;
      stopWaiting();
      requestSent();
      engine.tell(
          new ImportMemory(
              options.device(),
              MemoryExport.of(decoded.descriptor()),
              shape.blocks(),
              Optional.of(getContext().getSelf()),
              self()));
      return this;
    } catch (WireException e) {
      return fail(String.valueOf(e.getMessage()));
    }
  }

  private Behavior<Object> onPool(PoolOpened opened) {
    replyReceived();
    own(opened.pool());
    DmaOffer known = offer;
    if (isStopping() || known == null) {
      return continueStop();
    }
    BufferPool source = imported;
    return source == null ? onImport(opened.pool(), known) : onRoom(opened.pool(), source, known);
  }

  private Behavior<Object> onImport(BufferPool source, DmaOffer known) {
    imported = source;
    DataGeometry shape = known.geometry();
    if (source.bufferBytes() < Math.min(shape.totalBytes(), Integer.MAX_VALUE)) {
      return fail("the export has %d bytes, fewer than %s".formatted(source.bufferBytes(), known));
    }
    openRoom(shape, options.device(), MemoryOptions.defaults().withHugePages());
    return this;
  }

  private Behavior<Object> onRoom(BufferPool pool, BufferPool source, DmaOffer known) {
    BlockRoom leased = BlockRoom.lease(pool, known.geometry());
    room = leased;
    if (leased == null) {
      return fail(ENGINE_STOPS);
    }
    try {
      CopyPlan plan = CopyPlan.of(source, leased, known.geometry(), options.parallel());
      if (plan == null) {
        return fail(ENGINE_STOPS);
      }
      copies = new BlockCopies(this, plan, leased);
      copies.open(options);
      return this;
    } catch (IndexOutOfBoundsException e) {
      return fail("the export ends before the last block of " + known);
    }
  }

  private Behavior<Object> onDma(Opened<?> opened) {
    // From here the outstanding reply is the context's end.
    getContext().watchWith(opened.context(), DmaEnded.INSTANCE);
    copies().on(opened);
    return this;
  }

  private Behavior<Object> onEnded(BatchReply.Ended reply) {
    replyReceived();
    Optional<String> failure = copies().on(reply);
    return failure.isPresent() ? fail(failure.get()) : checkCopied();
  }

  private Behavior<Object> onFailed(BatchFailed reply) {
    replyReceived();
    copies().on(reply);
    return fail(reply.error().toString());
  }

  private Behavior<Object> onDmaEnded() {
    replyReceived();
    copies().contextEnded();
    return checkCopied();
  }

  private BlockCopies copies() {
    if (copies == null) {
      throw new IllegalStateException("a reply arrived before the copies were planned");
    }
    return copies;
  }

  /**
   * Closes the import after the DMA context and all batches have ended. The server may free its
   * memory when it receives {@code done}. A failing context ends before the replies that carry the
   * reason.
   */
  private Behavior<Object> checkCopied() {
    if (isStopping()) {
      return continueStop();
    }
    BufferPool source = imported;
    if (!copies().hasEnded() || source == null) {
      return this;
    }
    if (!copies().isComplete()) {
      return fail("the DMA context has ended");
    }
    copies().releaseSources();
    requestSent();
    engine.tell(new MemoryProtocol.ClosePool(source, self()));
    return this;
  }

  @Override
  Behavior<Object> onOwnClose(PoolClosed closed) {
    replyReceived();
    if (closed.failure().isPresent()) {
      return fail(closed.failure().get().toString());
    }
    BufferPool source = imported;
    if (source != null) {
      disown(source);
    }
    if (isStopping()) {
      return continueStop();
    }
    requestSent();
    connection.tell(new Send(DmaOffer.done(), self()));
    return this;
  }

  private Behavior<Object> onDoneSent() {
    replyReceived();
    DmaOffer known = offer;
    if (isStopping() || known == null) {
      return continueStop();
    }
    int wrong = options.verify() && room != null ? room.countWrong() : 0;
    return end(copies().result(known.geometry().blockBytes(), wrong));
  }

  @Override
  void stopContexts() {
    if (copies != null) {
      copies.stop();
    }
  }

  @Override
  void releaseLeases() {
    if (copies != null) {
      copies.abandon();
    }
    if (room != null) {
      room.release();
    }
  }
}
