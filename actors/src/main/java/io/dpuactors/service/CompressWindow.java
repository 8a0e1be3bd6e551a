package io.dpuactors.service;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.protocol.wire.CompressTag;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of one connection that are between its consumer and its producer, in order.
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

  /** A block has come. */
  void add(CompressTag tag, Buffer src) {
    flights.add(new Flight(tag, src));
  }

  /** The next block that has a destination now, and is to be deflated; null: there is none. */
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

  /** The device is done with a block, whose source is the caller's now. */
  CompressTag deflated(long number) {
    for (Flight flight : flights) {
      if (flight.number() == number && flight.state == State.DEFLATING) {
        flight.state = State.READY;
        return flight.tag;
      }
    }
    throw new IllegalStateException("block " + number + " is not with the device");
  }

  /** The oldest block, if it is ready; the caller has its destination now. */
  @Nullable Flight ready() {
    Flight oldest = flights.peek();
    return oldest != null && oldest.state == State.READY ? flights.poll() : null;
  }

  /** A member is on the other side. */
  void sent() {
    sent++;
  }

  long sentBlocks() {
    return sent;
  }

  /** Releases what nobody else has: sources that wait, destinations that are ready. */
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
