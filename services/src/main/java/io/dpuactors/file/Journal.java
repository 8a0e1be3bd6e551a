package io.dpuactors.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;
import java.util.Set;
import java.util.zip.CRC32;

/**
 * The complete blocks of a partial output, in a file beside it. A later process of the same job
 * continues after them. Thread: the job's.
 *
 * <pre>
 *    0   8  "DPUJRNL1"
 *    8  32  SHA-256 of the job: kind, options; path, identity, size and time of the input
 *   40  24  one record per block, in order, big endian:
 *           0  8  offset behind the block in the input
 *           8  8  offset behind the block in the output
 *          16  4  CRC-32 of the block's bytes in the output
 *          20  4  CRC-32 of the block's number and the bytes above
 * </pre>
 *
 * <p>A process that is killed leaves a valid prefix. After a crash of the machine, the checksums
 * find the blocks of which a part did not reach the disk.
 */
final class Journal {
  private static final byte[] MAGIC = "DPUJRNL1".getBytes(StandardCharsets.US_ASCII);
  private static final int HEADER_BYTES = 40;
  private static final int RECORD_BYTES = 24;
  private static final int CHECKED_BYTES = 20;

  /** File systems allow 255 bytes. */
  private static final int MAX_NAME_BYTES = 240;

  private final Path path;
  private final FileChannel channel;
  private final ByteBuffer wanted;
  private final ByteBuffer record = ByteBuffer.allocateDirect(RECORD_BYTES);
  private final ByteBuffer piece = ByteBuffer.allocateDirect(1 << 16);
  private final CRC32 content = new CRC32();
  private FileReport.Resumed resumed = FileReport.Resumed.NOTHING;
  private String problem = "";
  private long blocks;
  private long bytesOut;

  private Journal(Path path, FileChannel channel, byte[] job) {
    this.path = path;
    this.channel = channel;
    this.wanted = ByteBuffer.allocate(HEADER_BYTES).put(MAGIC).put(job).flip();
  }

  /**
   * Opens the journal of an output. Call {@link #recover} before its use.
   *
   * @param path the journal; created if it is absent
   * @param job from {@link #identity}
   */
  static Journal open(Path path, byte[] job) throws IOException {
    return new Journal(path, openKept(path), job);
  }

  /** Opens or creates a file that later processes continue. The file must belong to this user. */
  static FileChannel openKept(Path path) throws IOException {
    FileChannel channel =
        FileChannel.open(
            path,
            Set.of(
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Object user = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    if (!Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS).equals(user)) {
      channel.close();
      throw new FileSystemException(path.toString(), null, "belongs to another user");
    }
    return channel;
  }

  /** Returns the digest that identifies a job; empty for a job that cannot be continued. */
  static Optional<byte[]> identity(FileJob job) throws IOException {
    boolean streams = FileJob.isStream(job.input()) || FileJob.isStream(job.output());
    if (streams || job.encryption().isPresent() || hasLongName(job.output())) {
      return Optional.empty();
    }
    if (job instanceof FileJob.Compress compress) {
      return Optional.of(digest(job, compress.blockBytes() + " " + compress.verify()));
    }
    return job instanceof FileJob.Decompress ? Optional.of(digest(job, "")) : Optional.empty();
  }

  /** Returns whether the names of the part and the journal would be too long. */
  private static boolean hasLongName(Path output) {
    String name = String.valueOf(output.getFileName());
    return name.getBytes(StandardCharsets.UTF_8).length > MAX_NAME_BYTES;
  }

  private static byte[] digest(FileJob job, String options) throws IOException {
    BasicFileAttributes input = Files.readAttributes(job.input(), BasicFileAttributes.class);
    String text =
        "%s %s %s %s %d %s"
            .formatted(
                job.getClass().getSimpleName(),
                options,
                job.input().toRealPath(),
                input.fileKey(),
                input.size(),
                input.lastModifiedTime());
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /**
   * Reads the records and the blocks of an earlier process, and removes all bytes of both files
   * behind the last block that is intact.
   *
   * @param output positioned behind the last intact block
   */
  void recover(FileChannel output) throws IOException {
    long records = Math.max(0, channel.size() - HEADER_BYTES) / RECORD_BYTES;
    ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
    readFully(channel, header, 0);
    if (header.flip().equals(wanted)) {
      long inputEnd = 0;
      for (long end = next(output); end > inputEnd; end = next(output)) {
        inputEnd = end;
        blocks++;
        bytesOut = record.getLong(8);
      }
      resumed = new FileReport.Resumed(blocks, inputEnd, bytesOut);
    } else if (channel.size() > 0) {
      boolean isJournal =
          header.limit() == HEADER_BYTES
              && header.slice(0, MAGIC.length).equals(wanted.slice(0, MAGIC.length));
      problem = isJournal ? "the input or the options have changed" : "the journal is damaged";
    }
    if (problem.isEmpty() && blocks < records) {
      problem = "damaged blocks of the part: %d of %d".formatted(records - blocks, records);
    }
    if (blocks == 0) {
      writeFully(wanted.rewind(), 0);
    }
    channel.truncate(HEADER_BYTES + blocks * RECORD_BYTES);
    output.truncate(bytesOut).position(bytesOut);
    content.reset();
  }

  /** Reads the next record. Returns the offset behind its block in the input; -1: not intact. */
  private long next(FileChannel output) throws IOException {
    readFully(channel, record.clear(), HEADER_BYTES + blocks * RECORD_BYTES);
    if (record.hasRemaining() || record.getInt(CHECKED_BYTES) != checksum()) {
      return -1;
    }
    long end = record.getLong(8);
    content.reset();
    for (long at = bytesOut; at < end; at += piece.limit()) {
      readFully(output, piece.clear().limit((int) Math.min(piece.capacity(), end - at)), at);
      if (piece.hasRemaining()) {
        return -1;
      }
      content.update(piece.flip());
    }
    return record.getInt(16) == (int) content.getValue() ? record.getLong(0) : -1;
  }

  private int checksum() {
    CRC32 crc = new CRC32();
    crc.update(ByteBuffer.allocate(Long.BYTES).putLong(blocks).flip());
    crc.update(record.slice(0, CHECKED_BYTES));
    return (int) crc.getValue();
  }

  /** Reads until the buffer is full or the file ends. */
  private static void readFully(FileChannel from, ByteBuffer into, long at) throws IOException {
    long offset = at;
    int count = 0;
    while (into.hasRemaining() && count >= 0) {
      offset += count;
      count = from.read(into, offset);
    }
  }

  private void writeFully(ByteBuffer from, long at) throws IOException {
    long offset = at;
    while (from.hasRemaining()) {
      offset += channel.write(from, offset);
    }
  }

  /** Returns the blocks that an earlier process has completed. */
  FileReport.Resumed resumed() {
    return resumed;
  }

  /** Returns why blocks of an earlier process are lost; empty: none are. */
  String problem() {
    return problem;
  }

  /** Takes bytes that the job writes to the output. */
  void add(ByteBuffer bytes) {
    bytesOut += bytes.remaining();
    content.update(bytes.duplicate());
  }

  /** Records the end of a block, whose bytes are in the output. */
  void completed(long inputEnd) throws IOException {
    record.clear().putLong(inputEnd).putLong(bytesOut).putInt((int) content.getValue());
    record.putInt(checksum()).flip();
    writeFully(record, HEADER_BYTES + blocks * RECORD_BYTES);
    blocks++;
    content.reset();
  }

  void close() throws IOException {
    channel.close();
  }

  /** Closes and deletes the journal. Idempotent. */
  void delete() throws IOException {
    try {
      Files.deleteIfExists(path);
    } finally {
      channel.close();
    }
  }
}
