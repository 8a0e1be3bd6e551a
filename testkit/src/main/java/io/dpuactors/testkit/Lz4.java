package io.dpuactors.testkit;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.testkit.device.XxHash32;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Decompression of LZ4 blocks and of the blocks of an LZ4 frame. */
final class Lz4 {
  private static final int MIN_MATCH = 4;

  /** Number of literals that end a block with matches, at least. */
  private static final int LAST_LITERALS = 5;

  private static final int HISTORY = 1 << 16;
  private static final int UNCOMPRESSED = 0x80000000;

  private final byte[] out;
  private int produced;

  private Lz4(int room) {
    out = new byte[room];
  }

  /** Decompresses one raw block. */
  static byte[] block(byte[] input, int room) {
    Lz4 decoder = new Lz4(room);
    decoder.decode(ByteBuffer.wrap(input), 0);
    return Arrays.copyOf(decoder.out, decoder.produced);
  }

  /**
   * Decompresses the blocks of a frame, up to its end mark.
   *
   * @param hasChecksums whether an xxHash-32 follows each block
   * @param areIndependent whether no block refers to earlier blocks
   */
  static byte[] stream(byte[] input, int room, boolean hasChecksums, boolean areIndependent) {
    Lz4 decoder = new Lz4(room);
    ByteBuffer in = ByteBuffer.wrap(input).order(ByteOrder.LITTLE_ENDIAN);
    while (in.hasRemaining()) {
      int header = decoder.field(in);
      int size = header & ~UNCOMPRESSED;
      if (size == 0) {
        break;
      }
      check(size <= in.remaining());
      ByteBuffer block = in.slice(in.position(), size);
      in.position(in.position() + size);
      check(
          !hasChecksums
              || decoder.field(in)
                  == XxHash32.of(input, in.position() - Integer.BYTES - size, size));
      if ((header & UNCOMPRESSED) != 0) {
        decoder.literals(block, size);
      } else {
        decoder.decode(
            block, areIndependent ? decoder.produced : Math.max(0, decoder.produced - HISTORY));
      }
    }
    return Arrays.copyOf(decoder.out, decoder.produced);
  }

  private int field(ByteBuffer in) {
    check(in.remaining() >= Integer.BYTES);
    return in.getInt();
  }

  /**
   * Decodes a block.
   *
   * @param begin first byte of the output that matches may refer to
   */
  private void decode(ByteBuffer in, int begin) {
    for (int least = 0; ; least = LAST_LITERALS) {
      check(in.hasRemaining());
      int token = in.get() & 0xff;
      int literals = length(in, token >>> 4);
      literals(in, literals);
      if (!in.hasRemaining()) {
        check(literals >= least);
        return;
      }
      check(in.remaining() >= Short.BYTES);
      int distance = (in.get() & 0xff) | ((in.get() & 0xff) << 8);
      match(distance, length(in, token & 15) + MIN_MATCH, begin);
    }
  }

  private static int length(ByteBuffer in, int nibble) {
    int length = nibble;
    int next = nibble == 15 ? 255 : 0;
    while (next == 255) {
      check(in.hasRemaining());
      next = in.get() & 0xff;
      length += next;
    }
    return length;
  }

  private void literals(ByteBuffer in, int count) {
    check(count >= 0 && count <= in.remaining() && count <= out.length - produced);
    in.get(out, produced, count);
    produced += count;
  }

  private void match(int distance, int count, int begin) {
    check(distance > 0 && distance <= produced - begin && count <= out.length - produced);
    for (int i = 0; i < count; i++) {
      out[produced] = out[produced - distance];
      produced++;
    }
  }

  private static void check(boolean isLegal) {
    if (!isLegal) {
      throw new TaskFailure(DocaCode.IO_FAILED);
    }
  }
}
