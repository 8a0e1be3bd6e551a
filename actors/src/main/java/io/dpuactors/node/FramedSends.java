package io.dpuactors.node;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaError;
import io.dpuactors.protocol.wire.Frames;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Splits payloads larger than a message into pieces and sends them through the lane, at most one
 * window at a time. The peer cannot use a partial payload or anything after it. A failed piece
 * therefore breaks the connection. Engine's thread.
 */
final class FramedSends {
  /** A payload, from its arrival to its one answer. */
  private static final class Payload {
    private final byte[] bytes;
    private final SendOutcome outcome;
    private final long deadlineNs;

    /** Number of pieces that are not sent; valid once the payload has begun. */
    private int left;

    Payload(byte[] bytes, SendOutcome outcome, long deadlineNs) {
      this.bytes = bytes;
      this.outcome = outcome;
      this.deadlineNs = deadlineNs;
    }
  }

  private final TaskLane<Outgoing> lane;
  private final LaneSettings settings;
  private final int maxPayloadBytes;
  private final Consumer<DocaError> broken;
  private final Queue<Payload> queue = new ArrayDeque<>();

  /** The payloads that have begun and have no answer, oldest first. */
  private final Queue<Payload> begun = new ArrayDeque<>();

  private @Nullable Frames frames;
  private @Nullable Payload current;
  private @Nullable Iterator<byte[]> pieces;
  private @Nullable DocaError finishing;
  private @Nullable DocaError closed;
  private int inFlight;

  FramedSends(
      TaskLane<Outgoing> lane,
      LaneSettings settings,
      int maxPayloadBytes,
      Consumer<DocaError> broken) {
    this.lane = lane;
    this.settings = settings;
    this.maxPayloadBytes = maxPayloadBytes;
    this.broken = broken;
  }

  /** Starts sending on the new connection, in messages of at most {@code messageBytes}. */
  void open(int messageBytes) {
    frames = Frames.create(messageBytes);
    pump();
  }

  void send(byte[] payload, SendOutcome outcome, long nowNs) {
    DocaError over = closed != null ? closed : finishing;
    if (over != null) {
      outcome.failed(over);
    } else if (payload.length > maxPayloadBytes) {
      outcome.failed(
          error(
              DocaCode.INVALID_VALUE,
              payload.length + " bytes; the limit of the connection is " + maxPayloadBytes));
    } else if (!isIdle() && queue.size() >= settings.queue()) {
      outcome.busy(queue.size());
    } else {
      queue.add(new Payload(payload, outcome, nowNs + settings.deadlineNs()));
      pump();
    }
  }

  /** Returns whether a new payload would start at once. */
  private boolean isIdle() {
    return frames != null && waiting() == 0 && inFlight < settings.window();
  }

  int waiting() {
    return queue.size() + (current == null ? 0 : 1);
  }

  /**
   * Fails the late payloads. The pieces of a payload that has begun are still sent, unless its
   * failure breaks the connection.
   */
  void turn(long nowNs, NextTurn next) {
    expire(queue, nowNs, next);
    expire(begun, nowNs, next);
  }

  private void expire(Queue<Payload> payloads, long nowNs, NextTurn next) {
    Payload head;
    while ((head = payloads.peek()) != null && head.deadlineNs - nowNs <= 0) {
      payloads.remove();
      head.outcome.failed(
          error(
              DocaCode.TIME_OUT,
              "the payload was not sent within " + settings.deadlineNs() / 1_000_000 + " ms"));
    }
    if (head != null) {
      next.at(head.deadlineNs);
    }
  }

  /** Refuses new payloads. Waiting payloads are sent until {@link #close}. */
  void finish(DocaError reason) {
    finishing = reason;
  }

  void close(DocaError reason) {
    if (closed != null) {
      return;
    }
    closed = reason;
    Payload next;
    while ((next = queue.poll()) != null) {
      next.outcome.failed(reason);
    }
    if (current != null && pieces != null && pieces.hasNext()) {
      fail(current, reason);
    }
  }

  private void pump() {
    Frames cutter = frames;
    while (cutter != null && closed == null && inFlight < settings.window()) {
      if (pieces == null || !pieces.hasNext()) {
        Payload next = queue.poll();
        if (next == null) {
          return;
        }
        next.left = cutter.count(next.bytes.length);
        begun.add(next);
        current = next;
        pieces = cutter.split(next.bytes);
      }
      Payload payload = current;
      Iterator<byte[]> rest = pieces;
      if (payload == null || rest == null) {
        return;
      }
      inFlight++;
      lane.accept(new Outgoing(rest.next(), new Piece(payload)));
    }
  }

  private void fail(Payload payload, DocaError error) {
    if (begun.remove(payload)) {
      payload.outcome.failed(error);
    }
    if (payload == current) {
      current = null;
      pieces = null;
    }
  }

  private static DocaError error(DocaCode code, String why) {
    return DocaError.of("send payload", code, why);
  }

  /** One message of a payload. */
  private final class Piece implements SendOutcome {
    private final Payload payload;

    Piece(Payload payload) {
      this.payload = payload;
    }

    @Override
    public void sent() {
      inFlight--;
      payload.left--;
      if (payload.left == 0 && payload == current) {
        current = null;
        pieces = null;
      }
      if (payload.left == 0 && begun.remove(payload)) {
        payload.outcome.sent();
      }
      pump();
    }

    @Override
    public void failed(DocaError error) {
      inFlight--;
      fail(payload, error);
      close(error);
      broken.accept(error);
    }

    @Override
    public void busy(int waiting) {
      failed(error(DocaCode.FULL, waiting + " messages wait already"));
    }
  }
}
