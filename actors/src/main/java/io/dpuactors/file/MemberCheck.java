package io.dpuactors.file;

import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Tells a damaged file from a device that failed: both look the same to the device's user. Inflates
 * one member on the CPU and throws the content away; only ever used to explain a failure.
 */
final class MemberCheck {
  private static final int PIECE_BYTES = 32 * 1024;

  private MemberCheck() {}

  /**
   * Whether the payload in the source buffer inflates to the length and CRC-32 that the file says.
   */
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
