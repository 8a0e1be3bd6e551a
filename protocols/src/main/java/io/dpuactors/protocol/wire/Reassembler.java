package io.dpuactors.protocol.wire;

import io.dpuactors.protocol.wire.FrameException.Problem;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reassembles payloads that {@link Frames} has cut into messages. Use one instance per connection
 * and direction. After an exception the connection must be closed; the reassembler refuses every
 * further message. Not thread safe.
 */
public final class Reassembler {
  private static final int FIRST_BYTES = 64 << 10;

  private final int maxPayloadBytes;
  private int number;
  private int received;
  private byte @Nullable [] payload;
  private int total;
  private @Nullable String broken;

  private Reassembler(int maxPayloadBytes) {
    this.maxPayloadBytes = maxPayloadBytes;
  }

  /**
   * Creates a reassembler that expects the first payload.
   *
   * @param maxPayloadBytes the largest accepted payload; limits the memory for any announcement of
   *     a peer
   */
  public static Reassembler create(int maxPayloadBytes) {
    if (maxPayloadBytes < 0) {
      throw new IllegalArgumentException("a limit of " + maxPayloadBytes + " bytes");
    }
    return new Reassembler(maxPayloadBytes);
  }

  /**
   * Accepts the next message.
   *
   * @return the completed payload, owned by the caller; empty if more messages follow
   * @throws FrameException if the message is no frame, damaged, out of order, or of a payload that
   *     is too large
   */
  public Optional<byte[]> accept(byte[] message) throws FrameException {
    try {
      return add(FrameHeader.of(message), message);
    } catch (FrameException e) {
      broken = broken == null ? e.getMessage() : broken;
      payload = null;
      throw e;
    }
  }

  /**
   * Returns whether a payload has begun and is not complete. Such a payload is lost if the
   * connection ends.
   */
  public boolean isInside() {
    return payload != null;
  }

  private Optional<byte[]> add(FrameHeader header, byte[] message) throws FrameException {
    checkOrder(header);
    byte[] room = room(header);
    System.arraycopy(message, FrameHeader.BYTES, room, received, header.piece());
    received += header.piece();
    if (received < total) {
      return Optional.empty();
    }
    payload = null;
    received = 0;
    number++;
    return Optional.of(room);
  }

  private void checkOrder(FrameHeader header) throws FrameException {
    if (broken != null) {
      throw new FrameException(
          Problem.OUT_OF_ORDER, "nothing is accepted any more, since earlier " + broken);
    }
    if (header.number() != number || header.offset() != received) {
      throw new FrameException(
          Problem.OUT_OF_ORDER,
          "%s came where byte %d of payload %s was expected: a message is lost, doubled or out of order"
              .formatted(header, received, Integer.toUnsignedString(number)));
    }
    if (payload != null && header.total() != total) {
      throw new FrameException(
          Problem.CONTRADICTION,
          "%s came after a frame that said %d bytes in all".formatted(header, total));
    }
    if (header.total() > maxPayloadBytes) {
      throw new FrameException(
          Problem.TOO_LARGE,
          "a payload of %d bytes is announced; the limit is %d"
              .formatted(header.total(), maxPayloadBytes));
    }
  }

  /**
   * Allocates the full payload only after a considerable part of it has arrived, so that an
   * announcement alone costs little.
   */
  private byte[] room(FrameHeader header) {
    total = header.total();
    byte[] room = payload;
    int needed = received + header.piece();
    if (room == null) {
      room = new byte[Math.min(total, Math.max(needed, FIRST_BYTES))];
    } else if (room.length < needed) {
      byte[] larger = new byte[total];
      System.arraycopy(room, 0, larger, 0, received);
      room = larger;
    }
    payload = room;
    return room;
  }
}
