package io.dpuactors.file;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.file.FileFailure.Kind;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.zip.CRC32;

/** Checks the device's results of blocks. */
final class BlockCheck {
  private BlockCheck() {}

  /** Returns the content of a buffer, for reading. */
  static ByteBuffer content(Buffer buffer) {
    return buffer.bytes().clear().limit(buffer.length());
  }

  /** Returns the CRC-32 of a buffer's content, computed by the CPU. */
  static int ownCrc32(Buffer buffer) {
    CRC32 crc = new CRC32();
    crc.update(content(buffer));
    return (int) crc.getValue();
  }

  /** Fails the file if the device returned another number of bytes for a block. */
  static void requireBytes(Path input, Block block, int wanted) throws FileException {
    int came = block.dst().length();
    if (came != wanted) {
      throw wrong(
          input, block, "the device returned %d bytes instead of %d".formatted(came, wanted));
    }
  }

  /** Returns the error of a block whose result is wrong. */
  static FileException wrong(Path input, Block block, String what) {
    return new FileException(
        FileFailure.atBlock(Kind.VERIFY, input, block.number, "verification failed: " + what));
  }
}
