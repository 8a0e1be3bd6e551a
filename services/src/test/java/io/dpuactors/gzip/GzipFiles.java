package io.dpuactors.gzip;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/** Makes files in the project's gzip format with the JDK's deflater. */
final class GzipFiles {
  private GzipFiles() {}

  static byte[] text(int bytes, long seed) {
    Random random = new Random(seed);
    byte[] text = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      text[i] = (byte) ('a' + random.nextInt(6));
    }
    return text;
  }

  static byte[] file(byte[] content, int blockBytes) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int from = 0; from < content.length; from += blockBytes) {
      byte[] block = Arrays.copyOfRange(content, from, Math.min(content.length, from + blockBytes));
      out.writeBytes(member(block, deflate(block)));
    }
    if (content.length == 0) {
      ByteBuffer empty = ByteBuffer.allocate(30);
      GzipMember.putEmpty(empty);
      out.writeBytes(empty.array());
    }
    return out.toByteArray();
  }

  static byte[] member(byte[] content, byte[] payload) {
    CRC32 crc = new CRC32();
    crc.update(content);
    ByteBuffer out =
        ByteBuffer.allocate(GzipMember.HEADER_BYTES + payload.length + GzipMember.TRAILER_BYTES);
    GzipMember.putHeader(out, payload.length);
    out.put(payload);
    GzipMember.putTrailer(out, (int) crc.getValue(), content.length);
    return out.array();
  }

  static byte[] deflate(byte[] content) {
    Deflater deflater = new Deflater(6, true);
    try {
      deflater.setInput(content);
      deflater.finish();
      byte[] out = new byte[(int) GzipMember.maxPayloadBytes(content.length)];
      int length = deflater.deflate(out);
      if (!deflater.finished()) {
        throw new AssertionError("deflate needed more than the bound");
      }
      return Arrays.copyOf(out, length);
    } finally {
      deflater.end();
    }
  }

  static GzipSummary scan(Path folder, byte[] file, GzipLimits limits) throws IOException {
    Path path = folder.resolve("scanned.gz");
    Files.write(path, file);
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      return GzipSummary.scan(channel, limits);
    }
  }
}
