package io.dpuactors.service;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.bridge.TaskCapabilities;
import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLimits;
import io.dpuactors.protocol.BufferReply;
import io.dpuactors.protocol.CompressProtocol.Deflate;
import io.dpuactors.protocol.ConsumerProtocol.ConsumerReply;
import io.dpuactors.protocol.ConsumerProtocol.Filled;
import io.dpuactors.protocol.ConsumerProtocol.Post;
import io.dpuactors.protocol.ConsumerProtocol.PostFailed;
import io.dpuactors.protocol.ProducerProtocol.Produce;
import io.dpuactors.protocol.ProducerProtocol.ProduceFailed;
import io.dpuactors.protocol.ProducerProtocol.Produced;
import io.dpuactors.protocol.ProducerProtocol.ProducerReply;
import io.dpuactors.protocol.TaskReply;
import io.dpuactors.protocol.TaskReply.Ownership;
import io.dpuactors.wire.CompressMessage.Welcome;
import io.dpuactors.wire.CompressTag;
import io.dpuactors.wire.WireException;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Blocks in flight to the server and back. Members arrive in the order of their blocks. Each member
 * fills the destination that was posted with its block. A request gets its reply when both of its
 * buffers have returned.
 */
final class RemoteBlocks {
  private final ConnectionEnd owner;
  private final CompressChannel channel;
  private final int remoteConsumer;
  private final BlockCrc totals;
  private final Map<Long, Flight> flights = new HashMap<>();
  private @Nullable DocaError failure;

  /** One request. */
  private static final class Flight {
    final Deflate request;
    final int crc32;
    boolean srcBack;
    boolean dstBack;
    boolean srcRetained;
    boolean dstRetained;
    boolean filled;

    Flight(Deflate request, int crc32) {
      this.request = request;
      this.crc32 = crc32;
    }
  }

  RemoteBlocks(ConnectionEnd owner, CompressChannel channel, int remoteConsumer, BlockCrc totals) {
    this.owner = owner;
    this.channel = channel;
    this.remoteConsumer = remoteConsumer;
    this.totals = totals;
  }

  /** Sends a block, or refuses a wrong size, a wrong destination, or a buffer in use. */
  void accept(Deflate request) {
    String why = unusable(request);
    if (why == null) {
      send(request);
    } else {
      request.refuse(DocaError.of("remote compress", DocaCode.INVALID_VALUE, why));
    }
  }

  private @Nullable String unusable(Deflate request) {
    Buffer src = request.src();
    Buffer dst = request.dst();
    if (!src.isLeased() || !dst.isLeased()) {
      return "a buffer was already returned to its pool";
    }
    if (src == dst || isInUse(src) || isInUse(dst)) {
      return "a buffer is in use: an earlier request has it, or it is source and destination";
    }
    int limit = channel.sources().bufferBytes();
    return src.length() >= 1 && src.length() <= limit && dst.pool() == channel.destinations()
        ? null
        : "a block of %d bytes: it must have 1 to %d, and a destination of the connection's pool"
            .formatted(src.length(), limit);
  }

  /** The requests of a flight lend its buffers later, on the engine's thread. */
  private boolean isInUse(Buffer buffer) {
    return buffer.isLent()
        || flights.values().stream()
            .anyMatch(each -> each.request.src() == buffer || each.request.dst() == buffer);
  }

  /** Makes two requests: one fills the destination, one sends the source. */
  private void send(Deflate request) {
    long number = totals.blocks();
    int contentBytes = request.src().length();
    int crc32 = BlockCrc.of(request.src());
    request.dst().length(0);
    totals.add(contentBytes, crc32);
    flights.put(number, new Flight(request, crc32));
    owner.requestSent();
    channel.consumer().tell(new Post(request.dst(), number, owner.self()));
    byte[] tag = CompressTag.block(number, contentBytes, crc32).encode();
    owner.requestSent();
    channel.producer().tell(new Produce(request.src(), tag, remoteConsumer, number, owner.self()));
  }

  /** Returns the number of blocks whose requests have no reply. */
  int inFlight() {
    return flights.size();
  }

  /** Takes a reply. Returns its error, or null. */
  @Nullable DocaError on(ConsumerReply reply) {
    Flight flight = flight(reply.tag());
    flight.dstBack = true;
    DocaError wrong = null;
    if (reply instanceof Filled filled) {
      wrong = check(filled, flight);
      flight.filled = wrong == null;
    } else if (reply instanceof PostFailed failed) {
      flight.dstRetained = failed.ownership() == Ownership.RETAINED;
      wrong = failed.error();
    } else {
      wrong = error(DocaCode.FULL, reply.tag(), "the queue of the consumer is full");
    }
    fail(wrong);
    answer(reply.tag(), flight);
    return wrong;
  }

  /** Takes a reply. Returns its error, or null. */
  @Nullable DocaError on(ProducerReply reply) {
    Flight flight = flight(reply.tag());
    flight.srcBack = true;
    DocaError wrong = null;
    if (reply instanceof ProduceFailed failed) {
      flight.srcRetained = failed.ownership() == Ownership.RETAINED;
      wrong = failed.error();
    } else if (!(reply instanceof Produced)) {
      wrong = error(DocaCode.FULL, reply.tag(), "the queue of the producer is full");
    }
    fail(wrong);
    answer(reply.tag(), flight);
    return wrong;
  }

  /**
   * Answers all blocks in flight in their order, because the actor ends and receives no more
   * replies. Their buffers return to their pools with these replies.
   */
  void abandon(DocaError why) {
    fail(why);
    new TreeMap<>(flights)
        .forEach(
            (number, flight) -> {
              flight.srcRetained |= !flight.srcBack;
              flight.dstRetained |= !flight.dstBack;
              flight.srcBack = true;
              flight.dstBack = true;
              answer(number, flight);
            });
  }

  /**
   * Sets the reason for requests that end without a result. The first reason counts.
   *
   * @param why null: no reason
   */
  void fail(@Nullable DocaError why) {
    if (failure == null) {
      failure = why;
    }
  }

  private Flight flight(long number) {
    Flight flight = flights.get(number);
    if (flight == null) {
      throw new IllegalStateException("block " + number + " is not in flight");
    }
    return flight;
  }

  private static @Nullable DocaError check(Filled filled, Flight flight) {
    try {
      CompressTag tag =
          CompressTag.decode(filled.immediate(), CompressTag.Kind.MEMBER, filled.dst().length());
      boolean same =
          tag.number() == filled.tag()
              && tag.contentBytes() == flight.request.src().length()
              && tag.crc32() == flight.crc32;
      return same
          ? null
          : error(DocaCode.UNEXPECTED, filled.tag(), "the server returned another member: " + tag);
    } catch (WireException e) {
      return error(DocaCode.UNEXPECTED, filled.tag(), String.valueOf(e.getMessage()));
    }
  }

  private void answer(long number, Flight flight) {
    if (!flight.srcBack || !flight.dstBack) {
      return;
    }
    flights.remove(number);
    Deflate request = flight.request;
    boolean retained = flight.srcRetained || flight.dstRetained;
    if (flight.filled && !retained) {
      BufferReply.send(
          request.replyTo(),
          new TaskReply.Completed(request.tag(), request.src(), request.dst(), flight.crc32, 0));
      return;
    }
    if (retained) {
      // The receiver must touch neither buffer, so this method releases the returned one.
      releaseUnless(flight.srcRetained, request.src());
      releaseUnless(flight.dstRetained, request.dst());
    }
    DocaError why = failure;
    BufferReply.send(
        request.replyTo(),
        new TaskReply.Failed(
            request.tag(),
            why == null ? error(DocaCode.UNEXPECTED, number, "the server returned no result") : why,
            request.src(),
            request.dst(),
            retained ? Ownership.RETAINED : Ownership.RETURNED));
  }

  private static void releaseUnless(boolean retained, Buffer buffer) {
    if (!retained) {
      buffer.releaseAfterTasks(); // does not throw, so that the other blocks get their answers
    }
  }

  /** Returns the known capabilities of the server's device. */
  static TaskCapabilities capabilities(@Nullable Welcome welcome) {
    return welcome == null
        ? TaskCapabilities.NONE
        : new TaskCapabilities(
            Map.of(TaskKind.COMPRESS_DEFLATE, new TaskLimits(true, welcome.blockBytes(), 1)),
            welcome.window());
  }

  private static DocaError error(DocaCode code, long number, String why) {
    return DocaError.of("remote compress", code, "block " + number + ": " + why);
  }
}
