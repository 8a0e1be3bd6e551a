package io.dpuactors.wire;

import io.dpuactors.wire.CompressMessage.End;
import io.dpuactors.wire.CompressMessage.Failed;
import io.dpuactors.wire.CompressMessage.Hello;
import io.dpuactors.wire.CompressMessage.Reason;
import io.dpuactors.wire.CompressMessage.Summary;
import io.dpuactors.wire.CompressMessage.Welcome;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The bytes of a {@link CompressMessage}. All numbers are little endian.
 *
 * <pre>
 *   offset  size  field
 *        0     4  magic    'D' 'P' 'U' 'C'
 *        4     1  version  1
 *        5     1  type     1 Hello, 2 Welcome, 3 End, 4 Summary, 5 Failed
 *        6     2  length   of what follows
 *        8     n  Hello    4 block size, 4 window
 *                 Welcome  4 block size, 4 payload size, 4 window
 *                 End      8 blocks, 8 content bytes, 4 CRC-32
 *                 Summary  8 blocks, 8 content bytes, 8 payload bytes, 4 CRC-32
 *                 Failed   1 reason, the rest is text in UTF-8
 * </pre>
 */
final class CompressCodec {
  static final int HEADER_BYTES = 8;

  private static final int MAGIC = 'D' | 'P' << 8 | 'U' << 16 | 'C' << 24;
  private static final byte VERSION = 1;
  private static final Reason[] REASONS = Reason.values();

  private CompressCodec() {}

  static byte[] encode(CompressMessage message) {
    ByteBuffer out = ByteBuffer.allocate(CompressMessage.MAX_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    out.position(HEADER_BYTES);
    byte type = body(message, out);
    int length = out.position() - HEADER_BYTES;
    out.putInt(0, MAGIC).put(4, VERSION).put(5, type).putShort(6, (short) length);
    return Arrays.copyOf(out.array(), out.position());
  }

  private static byte body(CompressMessage message, ByteBuffer out) {
    if (message instanceof Hello hello) {
      out.putInt(hello.blockBytes()).putInt(hello.window());
      return 1;
    }
    if (message instanceof Welcome welcome) {
      out.putInt(welcome.blockBytes()).putInt(welcome.payloadBytes()).putInt(welcome.window());
      return 2;
    }
    if (message instanceof End end) {
      out.putLong(end.blocks()).putLong(end.contentBytes()).putInt(end.crc32());
      return 3;
    }
    if (message instanceof Summary summary) {
      out.putLong(summary.blocks()).putLong(summary.contentBytes());
      out.putLong(summary.payloadBytes()).putInt(summary.crc32());
      return 4;
    }
    Failed failed = (Failed) message;
    out.put((byte) failed.reason().ordinal()).put(cut(failed.text()));
    return 5;
  }

  /** Encodes as much of the text as fits, and never half a character. */
  private static byte[] cut(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length <= CompressMessage.MAX_TEXT_BYTES) {
      return bytes;
    }
    int end = CompressMessage.MAX_TEXT_BYTES;
    while (end > 0 && (bytes[end] & 0xc0) == 0x80) {
      end--;
    }
    return Arrays.copyOf(bytes, end);
  }

  static CompressMessage decode(byte[] message) throws WireException {
    ByteBuffer in = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
    if (message.length < HEADER_BYTES || in.getInt() != MAGIC) {
      throw new WireException(
          "%s is no message of the compress service".formatted(Ascii.quote(message)));
    }
    int version = Byte.toUnsignedInt(in.get());
    if (version != VERSION) {
      throw new WireException(
          "the peer has version %d of the compress service; this side has version %d"
              .formatted(version, VERSION));
    }
    int type = Byte.toUnsignedInt(in.get());
    if (Short.toUnsignedInt(in.getShort()) != in.remaining()
        || message.length > CompressMessage.MAX_BYTES) {
      throw malformed(type, "it is %d bytes long".formatted(message.length));
    }
    try {
      CompressMessage read = body(type, in);
      if (in.hasRemaining()) {
        throw malformed(type, "%d bytes are left over".formatted(in.remaining()));
      }
      return read;
    } catch (BufferUnderflowException e) {
      throw malformed(type, "it ends too early");
    } catch (IllegalArgumentException e) {
      throw malformed(type, String.valueOf(e.getMessage()));
    }
  }

  private static CompressMessage body(int type, ByteBuffer in) throws WireException {
    return switch (type) {
      case 1 -> new Hello(in.getInt(), in.getInt());
      case 2 -> new Welcome(in.getInt(), in.getInt(), in.getInt());
      case 3 -> new End(in.getLong(), in.getLong(), in.getInt());
      case 4 -> new Summary(in.getLong(), in.getLong(), in.getLong(), in.getInt());
      case 5 -> new Failed(reason(in.get()), text(in));
      default -> throw malformed(type, "there is no such type");
    };
  }

  private static Reason reason(byte number) throws WireException {
    if (number < 0 || number >= REASONS.length) {
      throw malformed(5, "there is no reason " + Byte.toUnsignedInt(number));
    }
    return REASONS[number];
  }

  private static String text(ByteBuffer in) throws WireException {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(in).toString();
    } catch (CharacterCodingException e) {
      throw malformed(5, "its text is not UTF-8");
    }
  }

  private static WireException malformed(int type, String why) {
    return new WireException(
        "a message of type %d of the compress service is malformed: %s".formatted(type, why));
  }
}
