package io.dpuactors.service;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.wire.CompressTag;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * Blocks of one connection between its consumer and its producer, in order.
 *
 * <pre>
 *   sent | ready ... deflating ... deflating | waiting for a destination
 * </pre>
 */
final class CompressWindow {
  private enum State {
    WAITING,
    DEFLATING,
    READY
  }

  /** One block. */
  static final class Flight {
    private final CompressTag tag;
    private final Buffer src;
    private @Nullable Buffer dst;
    private State state = State.WAITING;

    private Flight(CompressTag tag, Buffer src) {
      this.tag = tag;
      this.src = src;
    }

    CompressTag tag() {
      return tag;
    }

    long number() {
      return tag.number();
    }

    Buffer src() {
      return src;
    }

    Buffer dst() {
      Buffer leased = dst;
      if (leased == null) {
        throw new IllegalStateException("block " + number() + " has no destination yet");
      }
      return leased;
    }
  }

  private final BufferPool destinations;
  private final Deque<Flight> flights = new ArrayDeque<>();
  private long sent;

  CompressWindow(BufferPool destinations) {
    this.destinations = destinations;
  }

  /** Adds a received block. */
  void add(CompressTag tag, Buffer src) {
    flights.add(new Flight(tag, src));
  }

  /**
   * Leases a destination for the oldest waiting block and returns the block. The caller deflates
   * it. Returns null without a waiting block or a free destination.
   */
  @Nullable Flight start() {
    for (Flight flight : flights) {
      if (flight.state == State.WAITING) {
        Buffer dst = destinations.lease();
        if (dst == null) {
          return null;
        }
        flight.dst = dst;
        flight.state = State.DEFLATING;
        return flight;
      }
    }
    return null;
  }

  /**
   * Marks a block as ready after the device has deflated it. The source of the block belongs to the
   * caller.
   */
  CompressTag deflated(long number) {
    for (Flight flight : flights) {
      if (flight.number() == number && flight.state == State.DEFLATING) {
        flight.state = State.READY;
        return flight.tag;
      }
    }
    throw new IllegalStateException("block " + number + " is not in flight");
  }

  /**
   * Removes and returns the oldest block if it is ready, or null. The destination of the block
   * belongs to the caller.
   */
  @Nullable Flight ready() {
    Flight oldest = flights.peek();
    return oldest != null && oldest.state == State.READY ? flights.poll() : null;
  }

  /** Counts a member that the client has received. */
  void sent() {
    sent++;
  }

  long sentBlocks() {
    return sent;
  }

  /**
   * Releases the buffers that no request holds: waiting sources and ready destinations. The buffers
   * of a deflating block return with the reply to its request, also if its receiver has ended.
   */
  void release() {
    for (Iterator<Flight> each = flights.iterator(); each.hasNext(); ) {
      Flight flight = each.next();
      if (flight.state == State.WAITING) {
        flight.src.release();
      } else if (flight.state == State.READY) {
        flight.dst().release();
      }
      each.remove();
    }
  }
}
