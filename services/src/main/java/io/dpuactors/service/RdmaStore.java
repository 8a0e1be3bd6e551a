package io.dpuactors.service;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.RemoteMemory;
import io.dpuactors.protocol.RdmaConnectionProtocol;
import io.dpuactors.protocol.RdmaConnectionProtocol.Closed;
import io.dpuactors.protocol.RdmaConnectionProtocol.Event;
import io.dpuactors.protocol.RdmaConnectionProtocol.Failed;
import io.dpuactors.protocol.RdmaConnectionProtocol.Message;
import io.dpuactors.protocol.RdmaConnectionProtocol.Reply;
import io.dpuactors.protocol.RdmaConnectionProtocol.Send;
import io.dpuactors.protocol.RdmaProtocol.PeerBehavior;
import io.dpuactors.protocol.TaskReply.Ownership;
import io.dpuactors.wire.RdmaOffer;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.zip.CRC32C;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server's end of the RDMA service, one per connection. The store offers the client a part of
 * the memory, counts the client's messages, and adds up their checksums on request. The store sees
 * no access to the memory, so each client begins with a message; a client without one loses its
 * connection.
 */
public final class RdmaStore extends AbstractBehavior<RdmaStore.Command> {
  private static final Logger LOG = LoggerFactory.getLogger(RdmaStore.class);

  /** Immediate data of a client's message: add up checksums from now on. */
  static final int CHECK = 1;

  /** Immediate data of a client's message: send the sum. */
  static final int REPORT = 2;

  /** Immediate data of a client's message: the client begins. */
  static final int BEGIN = 3;

  /** Size of the report: the number of messages, and the sum of their CRC-32C. */
  static final int REPORT_BYTES = 2 * Long.BYTES;

  /** A message to this actor. */
  public sealed interface Command {}

  private record FromClient(Event event) implements Command {}

  private record Answered(Reply reply) implements Command {}

  private record Silent(Duration limit) implements Command {}

  /**
   * The state that all connections share.
   *
   * @param parts one buffer for each connection, shared as {@code memory}
   * @param messages buffers for the messages of the server, one for each connection
   * @param messageBytes longest message that the server receives
   */
  public record Shared(
      BufferPool parts, RemoteMemory memory, BufferPool messages, int messageBytes) {}

  private final ActorRef<RdmaConnectionProtocol.Command> client;
  private final TimerScheduler<Command> timers;
  private final ActorRef<Reply> replies;
  private final Buffer part;
  private final Buffer message;
  private final CRC32C crc = new CRC32C();
  private boolean isSending;
  private boolean isChecking;
  private long received;
  private long checked;
  private long sum;

  private RdmaStore(
      ActorContext<Command> context,
      TimerScheduler<Command> timers,
      ActorRef<RdmaConnectionProtocol.Command> client,
      Shared shared,
      Buffer part,
      Buffer message) {
    super(context);
    this.timers = timers;
    this.client = client;
    this.replies = context.messageAdapter(Reply.class, Answered::new);
    this.part = part;
    this.message = message;
    long begin = (long) part.index() * part.capacity();
    byte[] memory = shared.memory().bytes();
    send(new RdmaOffer(begin, part.capacity(), shared.messageBytes(), memory).encode());
  }

  /**
   * Returns the behavior of all connections. A connection beyond the number of parts closes.
   *
   * @param firstMessage time to the first message of a client
   */
  public static PeerBehavior of(Shared shared, Duration firstMessage) {
    return PeerBehavior.of(FromClient::new, client -> create(client, shared, firstMessage));
  }

  private static Behavior<Command> create(
      ActorRef<RdmaConnectionProtocol.Command> client, Shared shared, Duration firstMessage) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(timers -> open(context, timers, client, shared, firstMessage)));
  }

  private static Behavior<Command> open(
      ActorContext<Command> context,
      TimerScheduler<Command> timers,
      ActorRef<RdmaConnectionProtocol.Command> client,
      Shared shared,
      Duration firstMessage) {
    Buffer part = shared.parts().lease();
    if (part == null) {
      LOG.warn("a client is refused: all parts of {} are in use", shared.parts());
      return Behaviors.stopped();
    }
    Buffer message = shared.messages().lease();
    if (message == null) {
      part.release();
      LOG.warn("a client is refused: all buffers of {} are in use", shared.messages());
      return Behaviors.stopped();
    }
    timers.startSingleTimer(new Silent(firstMessage), firstMessage);
    return new RdmaStore(context, timers, client, shared, part, message);
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(FromClient.class, message -> onEvent(message.event()))
        .onMessage(Answered.class, message -> onAnswered(message.reply()))
        .onMessage(Silent.class, this::onSilent)
        .onSignal(PostStop.class, signal -> onEnd())
        .build();
  }

  private Behavior<Command> onSilent(Silent silent) {
    LOG.warn(
        "closing the connection of an RDMA client: it has sent no message for {} ms",
        silent.limit().toMillis());
    return Behaviors.stopped();
  }

  private Behavior<Command> onEvent(Event event) {
    if (event instanceof Message message) {
      timers.cancelAll();
      switch (message.immediate().orElse(0)) {
        case CHECK -> begin();
        case REPORT -> report();
        case BEGIN -> {}
        default -> count(message.bytes());
      }
    } else if (event instanceof Closed) {
      return Behaviors.stopped();
    }
    return this;
  }

  private void begin() {
    isChecking = true;
    checked = 0;
    sum = 0;
  }

  private void count(byte[] bytes) {
    if (isChecking) {
      crc.reset();
      crc.update(bytes);
      sum += crc.getValue();
      checked++;
    }
    if (++received % RdmaOffer.HANDLED == 0) {
      client.tell(new Send(null, OptionalInt.empty(), 0, replies));
    }
  }

  private void report() {
    isChecking = false;
    send(ByteBuffer.allocate(REPORT_BYTES).putLong(checked).putLong(sum).array());
  }

  /** Sends a message. A client that asks for the next report too early gets none. */
  private void send(byte[] bytes) {
    if (!isSending) {
      isSending = true;
      message.bytes().clear().put(bytes);
      message.length(bytes.length);
      client.tell(new Send(message, 0, replies));
    }
  }

  private Behavior<Command> onAnswered(Reply reply) {
    boolean isReturned =
        !(reply instanceof Failed failed) || failed.ownership() == Ownership.RETURNED;
    if (reply.src() != null && isReturned) {
      isSending = false;
    }
    return this;
  }

  private Behavior<Command> onEnd() {
    part.release();
    if (!isSending) {
      message.release();
    }
    return this;
  }
}
