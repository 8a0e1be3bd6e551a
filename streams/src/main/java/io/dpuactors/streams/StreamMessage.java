package io.dpuactors.streams;

import io.dpuactors.bridge.DocaCode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.pekko.util.ByteString;

/**
 * Messages between the two ends of a stream over a connection. Each end may send as many elements
 * as the other has granted. All numbers are little endian.
 *
 * <pre>
 *   byte 0   further bytes
 *   1 open     version (1 byte, value 1), granted elements (4 bytes); the first message of each end
 *   2 element  the element
 *   3 grant    further granted elements (4 bytes)
 *   4 end      none: the sender has no further elements
 *   5 cancel   none: the sender takes no further elements
 *   6 fail     the reason in UTF-8: the stream of the sender has failed
 *   7 close    none: both directions have ended, and the sender sends no further message
 *   8 part     at least one byte: a part of an element, which ends with a message of type 2. Each
 *              of these messages uses a granted element
 * </pre>
 */
sealed interface StreamMessage {
  /** Bytes of a message beside its element. */
  int HEADER_BYTES = 1;

  /** Version of this format. */
  int VERSION = 1;

  /** Longest reason in bytes. */
  int MAX_REASON_BYTES = 1024;

  /** The first message. */
  record Open(int granted) implements StreamMessage {
    @Override
    public byte[] encode() {
      return message(1, 5).put((byte) VERSION).putInt(granted).array();
    }
  }

  /** An element, or the last part of one. */
  record Element(ByteString bytes) implements StreamMessage {
    @Override
    public byte[] encode() {
      return message(2, bytes);
    }
  }

  /** A part of an element, but not its last one. */
  record Part(ByteString bytes) implements StreamMessage {
    @Override
    public byte[] encode() {
      return message(8, bytes);
    }
  }

  /** Permits further elements. */
  record Grant(int elements) implements StreamMessage {
    @Override
    public byte[] encode() {
      return message(3, 4).putInt(elements).array();
    }
  }

  /** Messages without content. */
  enum Mark implements StreamMessage {
    /** The sender has no further elements. */
    END(4),
    /** The sender takes no further elements. */
    CANCEL(5),
    /** Both directions have ended, and the sender sends no further message. */
    CLOSE(7);

    private final int type;

    Mark(int type) {
      this.type = type;
    }

    @Override
    public byte[] encode() {
      return message(type, 0).array();
    }
  }

  /** The stream of the sender has failed. */
  record Fail(String reason) implements StreamMessage {
    @Override
    public byte[] encode() {
      byte[] text = reason.getBytes(StandardCharsets.UTF_8);
      byte[] bounded = Arrays.copyOf(text, Math.min(text.length, MAX_REASON_BYTES));
      return message(6, bounded.length).put(bounded).array();
    }
  }

  /** Returns the bytes on the wire. */
  byte[] encode();

  private static ByteBuffer message(int type, int bytes) {
    return ByteBuffer.allocate(HEADER_BYTES + bytes)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put((byte) type);
  }

  private static byte[] message(int type, ByteString bytes) {
    byte[] message = new byte[HEADER_BYTES + bytes.size()];
    message[0] = (byte) type;
    bytes.copyToBuffer(ByteBuffer.wrap(message, HEADER_BYTES, bytes.size()));
    return message;
  }

  /**
   * Returns the message of these bytes.
   *
   * @param bytes nothing else changes them
   * @throws io.dpuactors.bridge.DocaException BAD_STATE if they are no message of this format
   */
  static StreamMessage decode(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int type = in.hasRemaining() ? in.get() : 0;
    int rest = in.remaining();
    if (type == 1 && rest == 5 && in.get() == VERSION) {
      return new Open(positive(in.getInt()));
    }
    if (type == 2) {
      return new Element(ByteString.fromArrayUnsafe(bytes, HEADER_BYTES, rest));
    }
    if (type == 8 && rest > 0) {
      return new Part(ByteString.fromArrayUnsafe(bytes, HEADER_BYTES, rest));
    }
    if (type == 3 && rest == 4) {
      return new Grant(positive(in.getInt()));
    }
    if (type == 4 && rest == 0) {
      return Mark.END;
    }
    if (type == 5 && rest == 0) {
      return Mark.CANCEL;
    }
    if (type == 7 && rest == 0) {
      return Mark.CLOSE;
    }
    if (type == 6 && rest <= MAX_REASON_BYTES) {
      return new Fail(new String(bytes, HEADER_BYTES, rest, StandardCharsets.UTF_8));
    }
    throw Failures.exception(
        "receive",
        DocaCode.BAD_STATE,
        "a message of type %d with %d bytes is none of a stream, version %d"
            .formatted(type, bytes.length, VERSION));
  }

  private static int positive(int elements) {
    if (elements < 1) {
      throw Failures.exception(
          "receive", DocaCode.BAD_STATE, "the peer grants " + elements + " elements");
    }
    return elements;
  }
}
