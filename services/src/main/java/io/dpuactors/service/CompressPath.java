package io.dpuactors.service;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.protocol.CompressProtocol;
import io.dpuactors.protocol.CompressProtocol.Deflate;
import io.dpuactors.protocol.ConsumerProtocol.Filled;
import io.dpuactors.protocol.ConsumerProtocol.Post;
import io.dpuactors.protocol.ProducerProtocol.Produce;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.wire.CompressMessage;
import io.dpuactors.wire.CompressMessage.End;
import io.dpuactors.wire.CompressMessage.Failed;
import io.dpuactors.wire.CompressMessage.Reason;
import io.dpuactors.wire.CompressMessage.Summary;
import io.dpuactors.wire.CompressTag;
import io.dpuactors.wire.WireException;
import java.util.Optional;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * Path of a connection's blocks through the server.
 *
 * <pre>
 *   consumer -- block n --> source n -- Deflate --> destination n -- member n --> producer
 * </pre>
 *
 * <p>The path posts a source again as soon as the device has deflated it. The path sends members in
 * the order of their blocks. Each step returns its error, if any.
 */
final class CompressPath {
  private final ConnectionEnd owner;
  private final CompressChannel channel;
  private final ActorRef<CompressProtocol.Command> compress;
  private final CompressWindow window;
  private final BlockCrc totals = new BlockCrc();
  private int remoteConsumer;
  private long payloadBytes;

  CompressPath(
      ConnectionEnd owner, CompressChannel channel, ActorRef<CompressProtocol.Command> compress) {
    this.owner = owner;
    this.channel = channel;
    this.compress = compress;
    this.window = new CompressWindow(channel.destinations());
  }

  /** Posts all sources. */
  void begin() {
    for (Buffer src = channel.sources().lease(); src != null; src = channel.sources().lease()) {
      post(src);
    }
  }

  private void post(Buffer src) {
    owner.requestSent();
    src.length(0);
    channel.consumer().tell(new Post(src, owner.self()));
  }

  /** Sets the client's consumer, and sends the members that are ready. */
  void remoteConsumer(int id) {
    remoteConsumer = id;
    sendReady();
  }

  /** Takes a received block. */
  Optional<Failed> filled(Filled filled) {
    try {
      CompressTag tag =
          CompressTag.decode(filled.immediate(), CompressTag.Kind.BLOCK, filled.dst().length());
      if (tag.number() != totals.blocks()) {
        filled.dst().release();
        return failed(
            Reason.PROTOCOL,
            "received block %d, expected block %d".formatted(tag.number(), totals.blocks()));
      }
      totals.add(tag.contentBytes(), tag.crc32());
      window.add(tag, filled.dst());
      deflate();
      return Optional.empty();
    } catch (WireException e) {
      filled.dst().release();
      return failed(Reason.PROTOCOL, String.valueOf(e.getMessage()));
    }
  }

  /** Deflates waiting blocks while destinations are free. */
  private void deflate() {
    for (CompressWindow.Flight next = window.start(); next != null; next = window.start()) {
      owner.requestSent();
      compress.tell(new Deflate(next.src(), next.dst(), next.number(), owner.self()));
    }
  }

  /** Takes a block that the device has deflated. */
  Optional<Failed> deflated(TaskReply.Completed reply) {
    CompressTag tag = window.deflated(reply.tag());
    post(reply.src());
    if (tag.crc32() != reply.crc32()) {
      return failed(
          Reason.DAMAGED,
          "block %d: the client sent CRC-32 %08x, the device computed %08x"
              .formatted(tag.number(), tag.crc32(), reply.crc32()));
    }
    sendReady();
    return Optional.empty();
  }

  private void sendReady() {
    if (remoteConsumer == 0) {
      return;
    }
    for (CompressWindow.Flight next = window.ready(); next != null; next = window.ready()) {
      owner.requestSent();
      byte[] tag = next.tag().member(next.dst().length()).encode();
      payloadBytes += next.dst().length();
      channel
          .producer()
          .tell(new Produce(next.dst(), tag, remoteConsumer, next.number(), owner.self()));
    }
  }

  /** Counts a member that the client has received. The destination of the member is free again. */
  void produced() {
    window.sent();
    deflate();
  }

  /** Returns the reply to the client's {@link End}; empty: not all members are sent yet. */
  Optional<CompressMessage> summary(End end) {
    if (totals.blocks() > end.blocks()) {
      return Optional.of(
          new Failed(
              Reason.PROTOCOL,
              "received %d blocks, but the client sent %d"
                  .formatted(totals.blocks(), end.blocks())));
    }
    if (window.sentBlocks() < end.blocks()) {
      return Optional.empty();
    }
    End mine = totals.end();
    return Optional.of(
        mine.equals(end)
            ? new Summary(end.blocks(), end.contentBytes(), payloadBytes, end.crc32())
            : new Failed(
                Reason.DAMAGED, "the totals differ: client %s, server %s".formatted(end, mine)));
  }

  /** Releases the leases that no request holds. */
  void release() {
    window.release();
  }

  private static Optional<Failed> failed(Reason reason, String text) {
    return Optional.of(new Failed(reason, text));
  }
}
