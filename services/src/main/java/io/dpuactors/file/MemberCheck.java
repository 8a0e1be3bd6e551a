package io.dpuactors.file;

import io.dpuactors.file.FileFailure.Kind;
import io.dpuactors.protocol.TaskReply;
import java.nio.file.Path;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Checks inflated members. After a wrong result or an error, it inflates the member with the CPU
 * and drops the content. The CPU's result distinguishes a damaged file from a failed device.
 */
final class MemberCheck {
  private static final int PIECE_BYTES = 32 * 1024;

  private MemberCheck() {}

  /**
   * Checks the inflated block in the destination against the file.
   *
   * @param input the file of the messages
   */
  static void check(Path input, Block block, TaskReply.Completed reply) throws FileException {
    int came = block.dst().length();
    int crc32 = BlockCheck.ownCrc32(block.dst());
    if (came == block.contentBytes && crc32 == block.crc32 && reply.crc32() == block.crc32) {
      return;
    }
    if (isSound(block)) {
      throw new FileException(
          FileFailure.atBlock(
              Kind.VERIFY,
              input,
              block.number,
              "the file is intact, but the device inflated it to %d bytes with CRC-32 %08x (device: %08x) instead of %d with %08x"
                  .formatted(came, crc32, reply.crc32(), block.contentBytes, block.crc32)));
    }
    throw new FileException(
        damaged(
            input,
            block,
            "inflates to %d bytes with CRC-32 %08x instead of %d with %08x"
                .formatted(came, crc32, block.contentBytes, block.crc32)));
  }

  /** Returns the failure of a file for a failed request to inflate. */
  static FileFailure explain(Path input, Block block, TaskReply.Failed reply) {
    boolean asked = reply.ownership() == TaskReply.Ownership.RETAINED;
    return asked || isSound(block)
        ? FileFailure.atBlock(input, block.number, reply.error())
        : damaged(input, block, "cannot be inflated (" + reply.error() + ")");
  }

  private static FileFailure damaged(Path input, Block block, String how) {
    return FileFailure.atBlock(
        Kind.INPUT,
        input,
        block.number,
        "damaged: the member at offset %d %s".formatted(block.offset, how));
  }

  /** Returns whether the payload in the source buffer inflates to the file's length and CRC-32. */
  static boolean isSound(Block block) {
    Inflater inflater = new Inflater(true);
    try {
      inflater.setInput(BlockCheck.content(block.src()));
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
