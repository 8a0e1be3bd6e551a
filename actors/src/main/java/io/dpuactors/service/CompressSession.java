package io.dpuactors.service;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.Permission;
import io.dpuactors.protocol.CompressProtocol.Deflate;
import io.dpuactors.protocol.EngineProtocol.OpenFailed;
import io.dpuactors.protocol.EngineProtocol.OpenPool;
import io.dpuactors.protocol.EngineProtocol.Opened;
import io.dpuactors.protocol.EngineProtocol.PoolFailed;
import io.dpuactors.protocol.EngineProtocol.PoolOpened;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.comch.ConnectionEvent;
import io.dpuactors.protocol.comch.ConnectionEvent.ConsumerJoined;
import io.dpuactors.protocol.comch.ConnectionEvent.Message;
import io.dpuactors.protocol.comch.ConnectionProtocol;
import io.dpuactors.protocol.comch.ConnectionProtocol.OpenConsumer;
import io.dpuactors.protocol.comch.ConnectionProtocol.OpenProducer;
import io.dpuactors.protocol.comch.ConnectionProtocol.Send;
import io.dpuactors.protocol.comch.ConsumerProtocol;
import io.dpuactors.protocol.comch.ConsumerProtocol.ConsumerReply;
import io.dpuactors.protocol.comch.ConsumerProtocol.Filled;
import io.dpuactors.protocol.comch.ConsumerProtocol.Post;
import io.dpuactors.protocol.comch.ConsumerProtocol.PostFailed;
import io.dpuactors.protocol.comch.DataOptions;
import io.dpuactors.protocol.comch.ProducerProtocol;
import io.dpuactors.protocol.comch.ProducerProtocol.Produce;
import io.dpuactors.protocol.comch.ProducerProtocol.ProduceFailed;
import io.dpuactors.protocol.comch.ProducerProtocol.Produced;
import io.dpuactors.protocol.comch.ProducerProtocol.ProducerReply;
import io.dpuactors.protocol.gzip.GzipMember;
import io.dpuactors.protocol.wire.CompressMessage;
import io.dpuactors.protocol.wire.CompressMessage.End;
import io.dpuactors.protocol.wire.CompressMessage.Failed;
import io.dpuactors.protocol.wire.CompressMessage.Hello;
import io.dpuactors.protocol.wire.CompressMessage.Reason;
import io.dpuactors.protocol.wire.CompressMessage.Summary;
import io.dpuactors.protocol.wire.CompressMessage.Welcome;
import io.dpuactors.protocol.wire.CompressTag;
import io.dpuactors.protocol.wire.WireException;
import io.dpuactors.service.CompressService.Limits;
import java.util.Set;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.actor.typed.javadsl.ReceiveBuilder;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.jspecify.annotations.Nullable;

/**
 * The server's end of one connection of the compress service.
 *
 * <pre>
 *   consumer -- block n --> source n -- Deflate --> destination n -- member n --> producer
 * </pre>
 *
 * <p>Sources are posted again as soon as they are deflated, members go back in the order of their
 * blocks. Whatever a client does wrong, it is told, and its connection is closed.
 */
final class CompressSession extends Lender {
  private enum Tick {
    PATIENCE
  }

  private final CompressService service;
  private final BlockCrc totals = new BlockCrc();
  private @Nullable Hello hello;
  private @Nullable End end;
  private @Nullable BufferPool sources;
  private @Nullable CompressWindow window;
  private @Nullable ActorRef<ConsumerProtocol.Command> consumer;
  private @Nullable ActorRef<ProducerProtocol.Command> producer;
  private int remoteConsumer;
  private long reservedBytes;
  private long payloadBytes;
  private boolean moved;
  private boolean summarized;

  private CompressSession(
      ActorContext<Object> context,
      TimerScheduler<Object> timers,
      CompressService service,
      ActorRef<ConnectionProtocol.Command> connection) {
    super(context, connection, service.engine());
    this.service = service;
    timers.startTimerWithFixedDelay(Tick.PATIENCE, service.limits().patience());
  }

  static Behavior<ConnectionEvent> create(
      CompressService service, ActorRef<ConnectionProtocol.Command> connection) {
    return Behaviors.<Object>setup(
            context ->
                Behaviors.withTimers(
                    timers -> new CompressSession(context, timers, service, connection)))
        .narrow();
  }

  @Override
  public Receive<Object> createReceive() {
    ReceiveBuilder<Object> data =
        receiving()
            .onMessage(Filled.class, this::onFilled)
            .onMessage(TaskReply.Completed.class, this::onDeflated)
            .onMessage(Produced.class, this::onProduced)
            .onMessage(TaskReply.class, this::onNotDeflated)
            .onMessage(ProducerReply.class, this::onNotProduced)
            .onMessage(ConsumerReply.class, this::onNotFilled);
    return data.onMessage(Message.class, this::onMessage)
        .onMessage(ConsumerJoined.class, this::onConsumerJoined)
        .onMessage(PoolOpened.class, this::onPool)
        .onMessage(PoolFailed.class, failed -> onRefused(Reason.BUSY, failed.error().toString()))
        .onMessage(Opened.class, this::onOpened)
        .onMessage(OpenFailed.class, failed -> onRefused(Reason.DEVICE, failed.error().toString()))
        .onMessageEquals(Tick.PATIENCE, this::onPatience)
        .onAnyMessage(other -> this)
        .build();
  }

  private Behavior<Object> onMessage(Message message) {
    moved = true;
    if (isLeaving()) {
      return this;
    }
    try {
      CompressMessage said = CompressMessage.decode(message.bytes());
      if (said instanceof Hello wishes && hello == null) {
        return onHello(wishes);
      }
      if (said instanceof End last && producer != null && end == null) {
        end = last;
        return onceComplete();
      }
      if (said instanceof Failed failed) {
        getContext().getLog().info("a client of the compress service gives up: {}", failed);
        return leave();
      }
      return fail(Reason.PROTOCOL, "a %s is not expected".formatted(name(said)));
    } catch (WireException e) {
      return fail(Reason.PROTOCOL, String.valueOf(e.getMessage()));
    }
  }

  private static String name(CompressMessage message) {
    return message.getClass().getSimpleName();
  }

  private Behavior<Object> onHello(Hello wishes) {
    Limits limits = service.limits();
    Hello granted =
        new Hello(
            Math.min(wishes.blockBytes(), limits.blockBytes()),
            Math.min(wishes.window(), limits.window()));
    hello = granted;
    long payload = GzipMember.maxPayloadBytes(granted.blockBytes());
    long bytes = granted.window() * (granted.blockBytes() + payload);
    if (!service.reserve(bytes)) {
      return fail(Reason.BUSY, "the server has no memory left for one more client");
    }
    reservedBytes = bytes;
    asked();
    asked();
    openPool(granted.window(), granted.blockBytes(), Permission.PCI_READ_WRITE);
    openPool(granted.window(), (int) payload, Permission.LOCAL_READ_WRITE);
    return this;
  }

  private void openPool(int count, int bytes, Permission permission) {
    engine.tell(new OpenPool(service.device(), count, bytes, Set.of(permission), self()));
  }

  /** The engine answers in order: sources first. */
  private Behavior<Object> onPool(PoolOpened opened) {
    answered();
    own(opened.pool());
    if (isLeaving()) {
      return onceBack();
    }
    BufferPool first = sources;
    if (first == null) {
      sources = opened.pool();
      return this;
    }
    window = new CompressWindow(opened.pool());
    asked();
    asked();
    int blocks = first.capacity();
    connection.tell(new OpenConsumer("blocks", DataOptions.into(first).withWindow(blocks), self()));
    connection.tell(new OpenProducer("members", DataOptions.defaults().withWindow(blocks), self()));
    return this;
  }

  private Behavior<Object> onOpened(Opened<?> opened) {
    answered();
    if (opened.name().equals("blocks")) {
      consumer = opened.context().unsafeUpcast();
    } else {
      producer = opened.context().unsafeUpcast();
    }
    BufferPool blocks = sources;
    Hello granted = hello;
    if (isLeaving() || consumer == null || producer == null || blocks == null || granted == null) {
      return onceBack();
    }
    for (Buffer src = blocks.lease(); src != null; src = blocks.lease()) {
      post(src);
    }
    connection.tell(
        Send.orFail(
            new Welcome(
                    granted.blockBytes(),
                    (int) GzipMember.maxPayloadBytes(granted.blockBytes()),
                    granted.window())
                .encode()));
    return this;
  }

  private Behavior<Object> onRefused(Reason reason, String why) {
    answered();
    return fail(reason, why);
  }

  private Behavior<Object> onConsumerJoined(ConsumerJoined joined) {
    if (remoteConsumer != 0) {
      return fail(Reason.PROTOCOL, "a second consumer is not expected");
    }
    remoteConsumer = joined.consumer();
    return sendReady();
  }

  private void post(Buffer src) {
    ActorRef<ConsumerProtocol.Command> open = consumer;
    if (open == null || isLeaving()) {
      src.release();
    } else {
      asked();
      src.length(0);
      open.tell(new Post(src, self()));
    }
  }

  private Behavior<Object> onFilled(Filled filled) {
    answered();
    moved = true;
    CompressWindow flights = window;
    if (isLeaving() || flights == null) {
      filled.dst().release();
      return onceBack();
    }
    try {
      CompressTag tag =
          CompressTag.decode(filled.immediate(), CompressTag.Kind.BLOCK, filled.dst().length());
      if (tag.number() != totals.blocks() || end != null) {
        filled.dst().release();
        return fail(
            Reason.PROTOCOL,
            end == null
                ? "block %d came where block %d was expected"
                    .formatted(tag.number(), totals.blocks())
                : "block %d came after the end".formatted(tag.number()));
      }
      totals.add(tag.contentBytes(), tag.crc32());
      flights.add(tag, filled.dst());
      return deflate(flights);
    } catch (WireException e) {
      filled.dst().release();
      return fail(Reason.PROTOCOL, String.valueOf(e.getMessage()));
    }
  }

  /** As many as there are destinations for. */
  private Behavior<Object> deflate(CompressWindow flights) {
    for (CompressWindow.Flight next = flights.start(); next != null; next = flights.start()) {
      asked();
      service.compress().tell(new Deflate(next.src(), next.dst(), next.number(), self()));
    }
    return this;
  }

  private Behavior<Object> onDeflated(TaskReply.Completed reply) {
    answered();
    post(reply.src());
    CompressWindow flights = window;
    if (isLeaving() || flights == null) {
      reply.dst().release();
      return onceBack();
    }
    CompressTag tag = flights.deflated(reply.tag());
    if (tag.crc32() != reply.crc32()) {
      return fail(
          Reason.DAMAGED,
          "block %d has CRC-32 %08x on its way, and %08x in the device"
              .formatted(tag.number(), tag.crc32(), reply.crc32()));
    }
    return sendReady();
  }

  private Behavior<Object> sendReady() {
    ActorRef<ProducerProtocol.Command> open = producer;
    CompressWindow flights = window;
    if (open == null || flights == null || remoteConsumer == 0 || isLeaving()) {
      return this;
    }
    for (CompressWindow.Flight next = flights.ready(); next != null; next = flights.ready()) {
      asked();
      byte[] tag = next.tag().member(next.dst().length()).encode();
      payloadBytes += next.dst().length();
      open.tell(new Produce(next.dst(), tag, remoteConsumer, next.number(), self()));
    }
    return this;
  }

  private Behavior<Object> onProduced(Produced reply) {
    answered();
    moved = true;
    CompressWindow flights = window;
    if (reply.src() != null) {
      reply.src().release();
    }
    if (isLeaving() || flights == null) {
      return onceBack();
    }
    flights.sent();
    deflate(flights);
    return onceComplete();
  }

  /** Both sides' totals must agree when the last member is sent. */
  private Behavior<Object> onceComplete() {
    End last = end;
    CompressWindow flights = window;
    if (last == null || flights == null || summarized) {
      return this;
    }
    if (totals.blocks() > last.blocks()) {
      return fail(
          Reason.PROTOCOL,
          "%d blocks came, but the end says %d".formatted(totals.blocks(), last.blocks()));
    }
    if (flights.sentBlocks() < last.blocks()) {
      return this;
    }
    if (!totals.end().equals(last)) {
      return fail(Reason.DAMAGED, "the end says %s, but it was %s".formatted(last, totals.end()));
    }
    summarized = true;
    connection.tell(
        Send.orFail(
            new Summary(last.blocks(), last.contentBytes(), payloadBytes, last.crc32()).encode()));
    return this;
  }

  private Behavior<Object> onNotDeflated(TaskReply reply) {
    answered();
    if (reply instanceof TaskReply.Busy busy) {
      busy.src().release();
      busy.dst().release();
      return fail(Reason.BUSY, "the device is busy");
    }
    TaskReply.Failed failed = (TaskReply.Failed) reply;
    if (failed.ownership() == TaskReply.Ownership.RETURNED) {
      failed.src().release();
      failed.dst().release();
    }
    return fail(Reason.DEVICE, "block %d: %s".formatted(failed.tag(), failed.error()));
  }

  private Behavior<Object> onNotProduced(ProducerReply reply) {
    answered();
    Buffer src = reply.src();
    if (reply instanceof ProduceFailed failed) {
      if (src != null && failed.ownership() == TaskReply.Ownership.RETURNED) {
        src.release();
      }
      return channelFailed(failed.error());
    }
    if (src != null) {
      src.release();
    }
    return fail(Reason.BUSY, "the producer takes no more");
  }

  private Behavior<Object> onNotFilled(ConsumerReply reply) {
    answered();
    if (reply instanceof PostFailed failed) {
      if (failed.ownership() == TaskReply.Ownership.RETURNED) {
        failed.dst().release();
      }
      return channelFailed(failed.error());
    }
    reply.dst().release();
    return fail(Reason.BUSY, "the consumer takes no more");
  }

  private Behavior<Object> channelFailed(DocaError error) {
    return isEnd(error) ? lost(error.toString()) : fail(Reason.DEVICE, error.toString());
  }

  /** A client that has its summary may stay as long as it wants to, but not with the memory. */
  private Behavior<Object> onPatience() {
    if (!moved && !isLeaving()) {
      return fail(
          Reason.PROTOCOL,
          "nothing came for %d s".formatted(service.limits().patience().toSeconds()));
    }
    moved = false;
    return this;
  }

  private Behavior<Object> fail(Reason reason, String text) {
    if (!isLeaving()) {
      getContext().getLog().warn("a client of the compress service is sent away: {}", text);
      connection.tell(Send.orFail(new Failed(reason, text).encode()));
    }
    return leave();
  }

  @Override
  Behavior<Object> lost(String why) {
    if (hello != null && !summarized && !isLeaving()) {
      getContext().getLog().info("a client of the compress service is gone: {}", why);
    }
    return leave();
  }

  @Override
  void releaseLeases() {
    if (window != null) {
      window.release();
    }
  }

  @Override
  void ended() {
    service.giveBack(reservedBytes);
  }
}
