package io.dpuactors.erasure;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A part with a sound header, open for reading. Thread: one at a time. */
public final class Part implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(Part.class);

  private final Path path;
  private final FileChannel channel;
  private final PartHeader header;
  private final ByteBuffer crc =
      ByteBuffer.allocateDirect(PartHeader.CRC_BYTES).order(ByteOrder.LITTLE_ENDIAN);

  private Part(Path path, FileChannel channel, PartHeader header) {
    this.path = path;
    this.channel = channel;
    this.header = header;
  }

  /**
   * Opens a part and reads its header.
   *
   * @throws PartFormatException if the file is no part, or its header is damaged
   */
  static Part open(Path path) throws IOException {
    FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
    try {
      ByteBuffer first = ByteBuffer.allocate(PartHeader.BYTES);
      fill(channel, 0, first);
      return new Part(path, channel, PartHeader.get(first.flip()));
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  private static void fill(FileChannel channel, long offset, ByteBuffer... into)
      throws IOException {
    channel.position(offset);
    ByteBuffer last = into[into.length - 1];
    long count = 0;
    while (last.hasRemaining() && count >= 0) {
      count = channel.read(into);
    }
  }

  /**
   * Reads the block of a stripe. A block that the disk cannot read counts as damaged.
   *
   * @param into as many remaining bytes as the block has
   * @return whether the block is complete and its checksum right; else {@code into} has any content
   * @throws IOException if the part is closed
   */
  public boolean read(long stripe, ByteBuffer into) throws IOException {
    ByteBuffer block = into.duplicate();
    crc.clear();
    try {
      fill(channel, header.offset(stripe), into, crc);
    } catch (IOException e) {
      return damaged(stripe, e);
    }
    return !crc.hasRemaining() && crc.getInt(0) == header.blockCrc32c(stripe, block);
  }

  /**
   * Returns whether the block of a stripe is sound, as {@link #read} does.
   *
   * @param piece the block passes through this buffer
   */
  boolean isSound(long stripe, ByteBuffer piece) throws IOException {
    CRC32C sum = header.blockCrc32c(stripe);
    long offset = header.offset(stripe);
    try {
      for (int left = header.blockBytes(stripe); left > 0; left -= piece.limit()) {
        fill(channel, offset, piece.clear().limit(Math.min(left, piece.capacity())));
        if (piece.hasRemaining()) {
          return false;
        }
        sum.update(piece.flip());
        offset += piece.limit();
      }
      fill(channel, offset, crc.clear());
    } catch (IOException e) {
      return damaged(stripe, e);
    }
    return !crc.hasRemaining() && crc.getInt(0) == (int) sum.getValue();
  }

  /** Returns false, which counts the block as damaged, or throws if the part is closed. */
  private boolean damaged(long stripe, IOException cause) throws IOException {
    if (!channel.isOpen()) {
      throw cause;
    }
    LOG.debug("{}: the block of stripe {} is not readable", path, stripe, cause);
    return false;
  }

  /** Returns the number of blocks that begin within the present file. */
  long begunBlocks() throws IOException {
    long block = header.stripes().blockBytes() + (long) PartHeader.CRC_BYTES;
    long content = Math.max(0, bytes() - PartHeader.BYTES);
    return Math.min(header.blocks(), content / block + (content % block == 0 ? 0 : 1));
  }

  /** Returns the path in the folder. */
  public Path path() {
    return path;
  }

  /** Returns the header. */
  public PartHeader header() {
    return header;
  }

  /** Returns the present size of the file in bytes. */
  public long bytes() throws IOException {
    return channel.size();
  }

  /** Returns the channel, whose position any read changes. */
  public FileChannel channel() {
    return channel;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
