package io.dpuactors.file;

import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Distinguishes a damaged file from a failed device, which report the same error. It inflates one
 * member with the CPU and drops the content. Callers use it only to explain a failure.
 */
final class MemberCheck {
  private static final int PIECE_BYTES = 32 * 1024;

  private MemberCheck() {}

  /** Returns whether the payload in the source buffer inflates to the file's length and CRC-32. */
  static boolean isSound(Block block) {
    Inflater inflater = new Inflater(true);
    try {
      inflater.setInput(FileWork.content(block.src()));
      CRC32 crc = new CRC32();
      byte[] piece = new byte[PIECE_BYTES];
      while (inflater.getBytesWritten() <= block.contentBytes) {
        int count = inflater.inflate(piece);
        crc.update(piece, 0, count);
        if (inflater.finished()) {
          return inflater.getBytesWritten() == block.contentBytes
              && inflater.getRemaining() == 0
              && (int) crc.getValue() == block.crc32;
        }
        if (count == 0) {
          return false;
        }
      }
      return false;
    } catch (DataFormatException e) {
      return false;
    } finally {
      inflater.end();
    }
  }
}
