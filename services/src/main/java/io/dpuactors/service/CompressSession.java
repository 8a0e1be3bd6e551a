package io.dpuactors.service;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.gzip.GzipMember;
import io.dpuactors.protocol.Busy;
import io.dpuactors.protocol.ConnectionEvent;
import io.dpuactors.protocol.ConnectionEvent.ConsumerJoined;
import io.dpuactors.protocol.ConnectionEvent.Message;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ConnectionProtocol.Send;
import io.dpuactors.protocol.ConsumerProtocol.ConsumerReply;
import io.dpuactors.protocol.ConsumerProtocol.Filled;
import io.dpuactors.protocol.ContextReply.OpenFailed;
import io.dpuactors.protocol.ContextReply.Opened;
import io.dpuactors.protocol.MemoryProtocol.PoolFailed;
import io.dpuactors.protocol.MemoryProtocol.PoolOpened;
import io.dpuactors.protocol.ProducerProtocol.Produced;
import io.dpuactors.protocol.ProducerProtocol.ProducerReply;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.service.CompressService.Limits;
import io.dpuactors.wire.CompressMessage;
import io.dpuactors.wire.CompressMessage.End;
import io.dpuactors.wire.CompressMessage.Failed;
import io.dpuactors.wire.CompressMessage.Hello;
import io.dpuactors.wire.CompressMessage.Reason;
import io.dpuactors.wire.CompressMessage.Welcome;
import io.dpuactors.wire.WireException;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.jspecify.annotations.Nullable;

/**
 * The server's end of one connection of the compress service: the messages, around the {@link
 * CompressPath} of its blocks. After a client's error the session sends the reason and closes the
 * connection.
 */
final class CompressSession extends ConnectionEnd {
  private enum Tick {
    STALL
  }

  private final CompressService service;
  private final CompressChannel channel;
  private @Nullable Hello granted;
  private @Nullable CompressPath path;
  private @Nullable End end;
  private boolean hasConsumer;
  private long reservedBytes;
  private boolean moved;
  private boolean summarized;

  private CompressSession(
      ActorContext<Object> context,
      TimerScheduler<Object> timers,
      CompressService service,
      ActorRef<ConnectionProtocol.Command> connection) {
    super(context, connection, service.engine());
    this.service = service;
    this.channel = new CompressChannel(this, service.device(), /* receivesSources= */ true);
    timers.startTimerWithFixedDelay(Tick.STALL, service.limits().stallLimit());
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
    return receiving()
        .onMessage(Filled.class, this::onFilled)
        .onMessage(TaskReply.Completed.class, this::onDeflated)
        .onMessage(Produced.class, this::onProduced)
        .onMessage(TaskReply.Failed.class, this::onNotDeflated)
        .onMessage(TaskReply.class, Busy.class::isInstance, this::onBusy)
        .onMessage(ProducerReply.class, reply -> channelFailed(Refusals.settle(reply)))
        .onMessage(ConsumerReply.class, reply -> channelFailed(Refusals.settle(reply)))
        .onMessage(Message.class, this::onMessage)
        .onMessage(ConsumerJoined.class, this::onConsumerJoined)
        .onMessage(PoolOpened.class, channel::on)
        .onMessage(PoolFailed.class, failed -> onRefused(Reason.BUSY, failed.error()))
        .onMessage(Opened.class, this::onOpened)
        .onMessage(OpenFailed.class, failed -> onRefused(Reason.DEVICE, failed.error()))
        .onMessageEquals(Tick.STALL, this::onStall)
        .onAnyMessage(other -> this)
        .build();
  }

  private Behavior<Object> onMessage(Message message) {
    moved = true;
    if (isStopping()) {
      return this;
    }
    try {
      CompressMessage decoded = CompressMessage.decode(message.bytes());
      if (decoded instanceof Hello requested && granted == null) {
        return onHello(requested);
      }
      if (decoded instanceof End last && path != null && end == null) {
        end = last;
        return onceComplete();
      }
      if (decoded instanceof Failed failed) {
        getContext().getLog().info("a compress client failed: {}", failed);
        return stop();
      }
      String name = decoded.getClass().getSimpleName();
      return fail(Reason.PROTOCOL, "unexpected message: %s".formatted(name));
    } catch (WireException e) {
      return fail(Reason.PROTOCOL, String.valueOf(e.getMessage()));
    }
  }

  private Behavior<Object> onHello(Hello requested) {
    Limits limits = service.limits();
    int blockBytes = Math.min(requested.blockBytes(), limits.blockBytes());
    int window = Math.min(requested.window(), limits.window());
    granted = new Hello(blockBytes, window);
    int payloadBytes = (int) GzipMember.maxPayloadBytes(blockBytes);
    long bytes = window * ((long) blockBytes + payloadBytes);
    if (!service.reserve(bytes)) {
      return fail(Reason.BUSY, "the server has no memory left for another client; try again later");
    }
    reservedBytes = bytes;
    channel.open(window, blockBytes, payloadBytes);
    return this;
  }

  private Behavior<Object> onOpened(Opened<?> opened) {
    channel.on(opened);
    Hello requested = granted;
    if (channel.isOpen() && !isStopping() && requested != null) {
      path = new CompressPath(this, channel, service.compress());
      path.begin();
      send(
          new Welcome(
              requested.blockBytes(),
              (int) GzipMember.maxPayloadBytes(requested.blockBytes()),
              requested.window()));
    }
    return continueStop();
  }

  private Behavior<Object> onRefused(Reason reason, DocaError error) {
    replyReceived();
    return isEnd(error) ? lost(error.toString()) : fail(reason, error.toString());
  }

  private Behavior<Object> onConsumerJoined(ConsumerJoined joined) {
    CompressPath open = path;
    if (hasConsumer || open == null) {
      return fail(Reason.PROTOCOL, "unexpected consumer");
    }
    hasConsumer = true;
    if (!isStopping()) {
      open.remoteConsumer(joined.consumer());
    }
    return this;
  }

  private Behavior<Object> onFilled(Filled filled) {
    replyReceived();
    moved = true;
    CompressPath open = path;
    if (isStopping() || open == null) {
      filled.dst().release();
      return continueStop();
    }
    return unless(open.filled(filled));
  }

  private Behavior<Object> onDeflated(TaskReply.Completed reply) {
    replyReceived();
    CompressPath open = path;
    if (isStopping() || open == null) {
      reply.src().release();
      reply.dst().release();
      return continueStop();
    }
    return unless(open.deflated(reply));
  }

  private Behavior<Object> onProduced(Produced reply) {
    replyReceived();
    moved = true;
    Buffer dst = reply.src();
    if (dst != null) {
      dst.release();
    }
    CompressPath open = path;
    if (isStopping() || open == null) {
      return continueStop();
    }
    open.produced();
    return onceComplete();
  }

  private Behavior<Object> unless(Optional<Failed> wrong) {
    return wrong.map(failed -> fail(failed.reason(), failed.text())).orElse(this);
  }

  /** Sends the summary after the last member. The totals of both sides must agree. */
  private Behavior<Object> onceComplete() {
    End last = end;
    CompressPath open = path;
    if (last == null || open == null || summarized) {
      return this;
    }
    Optional<CompressMessage> summary = open.summary(last);
    if (summary.isPresent() && summary.get() instanceof Failed failed) {
      return fail(failed.reason(), failed.text());
    }
    summarized = summary.isPresent();
    summary.ifPresent(this::send);
    return this;
  }

  private Behavior<Object> onNotDeflated(TaskReply.Failed reply) {
    replyReceived();
    return fail(Reason.DEVICE, "block %d: %s".formatted(reply.tag(), Refusals.settle(reply)));
  }

  private Behavior<Object> onBusy(TaskReply reply) {
    replyReceived();
    return fail(Reason.BUSY, Refusals.settleBusy(reply).toString());
  }

  private Behavior<Object> channelFailed(DocaError error) {
    replyReceived();
    return summarized || isEnd(error)
        ? lost(error.toString())
        : fail(Reason.DEVICE, error.toString());
  }

  /**
   * Closes the connection of a silent client, also after its summary: it holds memory that other
   * clients wait for.
   */
  private Behavior<Object> onStall() {
    if (!moved && !isStopping()) {
      long seconds = service.limits().stallLimit().toSeconds();
      return fail(Reason.PROTOCOL, "the client sent nothing for %d s".formatted(seconds));
    }
    moved = false;
    return this;
  }

  private void send(CompressMessage message) {
    connection.tell(Send.orFail(message.encode()));
  }

  private Behavior<Object> fail(Reason reason, String text) {
    if (!isStopping()) {
      getContext().getLog().warn("closing the connection of a compress client: {}", text);
      send(new Failed(reason, text));
    }
    return stop();
  }

  @Override
  Behavior<Object> lost(String why) {
    if (granted != null && !summarized && !isStopping()) {
      getContext().getLog().info("lost a compress client: {}", why);
    }
    return stop();
  }

  @Override
  void releaseLeases() {
    if (path != null) {
      path.release();
    }
  }

  @Override
  void ended() {}

  /** The memory stays reserved until it is free, also if the actor has thrown. */
  @Override
  void poolsClosed() {
    service.releaseMemory(reservedBytes);
  }
}
