package io.dpuactors.protocol.wire;

import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * Cuts payloads into messages of limited size, for a {@link Reassembler} on the other side. One per
 * connection and direction, since payloads are numbered. Not thread safe.
 */
public final class Frames {
  /** What each message carries besides its piece of the payload. */
  public static final int OVERHEAD_BYTES = FrameHeader.BYTES;

  private final int pieceBytes;
  private int nextNumber;

  private Frames(int pieceBytes) {
    this.pieceBytes = pieceBytes;
  }

  /**
   * Frames of the first payload and those after it.
   *
   * @param messageBytes the most that one message carries
   * @throws IllegalArgumentException when not even a header and one byte fit into a message
   */
  public static Frames create(int messageBytes) {
    if (messageBytes <= OVERHEAD_BYTES) {
      throw new IllegalArgumentException(
          "messages of %d bytes have no room for a frame's %d bytes and a payload"
              .formatted(messageBytes, OVERHEAD_BYTES));
    }
    return new Frames(messageBytes - OVERHEAD_BYTES);
  }

  /** How many messages a payload of so many bytes takes: at least 1. */
  public int count(int payloadBytes) {
    return Math.max(1, (int) (((long) payloadBytes + pieceBytes - 1) / pieceBytes));
  }

  /**
   * Begins the next payload. Each message is made, by one copy, when it is asked for, so that a
   * large payload is not there twice. The messages must be sent in this order, all of them, and
   * before those of the payload after it.
   *
   * @param payload not changed until the last message has been made; may be empty
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
