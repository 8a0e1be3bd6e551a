package io.dpuactors.testkit;

import io.dpuactors.testkit.device.XxHash32;
import java.util.zip.Adler32;
import java.util.zip.CRC32;

/**
 * The result of one task.
 *
 * @param output bytes of the destination
 * @param crc32 as {@code TaskReply.Completed#crc32}
 * @param checksum as {@code TaskReply.Completed#checksum}
 */
@SuppressWarnings("ArrayRecordComponent") // no code compares results
record TaskResult(byte[] output, int crc32, int checksum) {
  /** Returns a result without checksums. */
  static TaskResult of(byte[] output) {
    return new TaskResult(output, 0, 0);
  }

  /** Returns a result with CRC-32 and Adler-32 of the plain bytes. */
  static TaskResult ofDeflate(byte[] output, byte[] plain) {
    Adler32 adler = new Adler32();
    adler.update(plain);
    return new TaskResult(output, crc(plain), (int) adler.getValue());
  }

  /** Returns a result with CRC-32 and xxHash-32 of the output. */
  static TaskResult ofLz4(byte[] output) {
    return new TaskResult(output, crc(output), XxHash32.of(output, 0, output.length));
  }

  private static int crc(byte[] bytes) {
    CRC32 crc = new CRC32();
    crc.update(bytes);
    return (int) crc.getValue();
  }
}
