package io.dpuactors.bridge.internal;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** Bytes to compress, and their results from the JDK's codecs. */
final class Inputs {
  private Inputs() {}

  static byte[] random(int bytes) {
    byte[] content = new byte[bytes];
    new Random(7).nextBytes(content);
    return content;
  }

  static byte[] zeros(int bytes) {
    return new byte[bytes];
  }

  static byte[] text(int bytes) {
    StringBuilder text = new StringBuilder(bytes + 64);
    for (int line = 0; text.length() < bytes; line++) {
      text.append("line ").append(line).append(": every context is an actor\n");
    }
    return text.substring(0, bytes).getBytes(StandardCharsets.US_ASCII);
  }

  /** Returns the content of the frames under test/resources/lz4. */
  static byte[] steps(int bytes) {
    byte[] content = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      content[i] = (byte) ((i >> 10) * 31 + i % 7);
    }
    return content;
  }

  static byte[] inflate(byte[] raw, int plainBytes) throws DataFormatException {
    Inflater inflater = new Inflater(true);
    try {
      byte[] plain = new byte[plainBytes];
      inflater.setInput(raw);
      int produced = 0;
      while (!inflater.finished() && produced < plainBytes) {
        produced += inflater.inflate(plain, produced, plainBytes - produced);
      }
      if (produced != plainBytes || inflater.getRemaining() > 0) {
        throw new DataFormatException(produced + " bytes, " + inflater.getRemaining() + " left");
      }
      return plain;
    } finally {
      inflater.end();
    }
  }

  static byte[] deflate(byte[] plain) {
    Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
    try {
      deflater.setInput(plain);
      deflater.finish();
      byte[] room = new byte[plain.length + 1024];
      int produced = deflater.deflate(room);
      return java.util.Arrays.copyOf(room, produced);
    } finally {
      deflater.end();
    }
  }
}
