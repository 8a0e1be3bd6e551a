package io.dpuactors.protocol.wire;

import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * Cuts payloads into messages of limited size, for a {@link Reassembler} on the other side. Use one
 * instance per connection and direction, because payloads are numbered. Not thread safe.
 */
public final class Frames {
  /** Bytes of each message in addition to its piece of the payload. */
  public static final int OVERHEAD_BYTES = FrameHeader.BYTES;

  private final int pieceBytes;
  private int nextNumber;

  private Frames(int pieceBytes) {
    this.pieceBytes = pieceBytes;
  }

  /**
   * Creates frames, beginning with payload 0.
   *
   * @param messageBytes size limit of a message
   * @throws IllegalArgumentException if a message has no room for a header and one byte
   */
  public static Frames create(int messageBytes) {
    if (messageBytes <= OVERHEAD_BYTES) {
      throw new IllegalArgumentException(
          "messages of %d bytes have no room for a frame's %d bytes and a payload"
              .formatted(messageBytes, OVERHEAD_BYTES));
    }
    return new Frames(messageBytes - OVERHEAD_BYTES);
  }

  /** Returns the number of messages of a payload, at least 1. */
  public int count(int payloadBytes) {
    return Math.max(1, (int) (((long) payloadBytes + pieceBytes - 1) / pieceBytes));
  }

  /**
   * Begins the next payload. The iterator copies each message when it is requested, so that a large
   * payload is not in memory twice. The caller sends all messages in this order, before the
   * messages of the next payload.
   *
   * @param payload must not change before the last message is made; may be empty
   */
  public Iterator<byte[]> split(byte[] payload) {
    return new Split(payload, nextNumber++);
  }

  private final class Split implements Iterator<byte[]> {
    private final byte[] payload;
    private final int number;
    private int offset;
    private boolean begun;

    Split(byte[] payload, int number) {
      this.payload = payload;
      this.number = number;
    }

    @Override
    public boolean hasNext() {
      return !begun || offset < payload.length;
    }

    @Override
    public byte[] next() {
      if (!hasNext()) {
        throw new NoSuchElementException("payload " + number + " has no more frames");
      }
      begun = true;
      int piece = Math.min(pieceBytes, payload.length - offset);
      byte[] message = new FrameHeader(number, payload.length, offset, piece).message(payload);
      offset += piece;
      return message;
    }
  }
}
