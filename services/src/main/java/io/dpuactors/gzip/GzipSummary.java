package io.dpuactors.gzip;

import io.dpuactors.gzip.GzipFormatException.Problem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * Summary of a file's headers and trailers: the memory that its members need, before any is
 * allocated.
 *
 * @param members number of members, at least 1
 * @param maxPayloadBytes size of the largest compressed block
 * @param maxContentBytes size of the largest uncompressed block
 * @param contentBytes size of the whole content
 */
public record GzipSummary(
    long members, long maxPayloadBytes, long maxContentBytes, long contentBytes) {
  /**
   * Reads the headers and trailers of a file, and no payload. Does not use or change the position
   * of the channel.
   *
   * @param file the complete file
   * @param limits limits of each member
   * @throws GzipFormatException if the file is not entirely in this project's format
   * @throws IOException if the file cannot be read
   */
  public static GzipSummary scan(FileChannel file, GzipLimits limits) throws IOException {
    long size = file.size();
    ByteBuffer header = ByteBuffer.allocate(GzipMember.HEADER_BYTES);
    ByteBuffer trailer = ByteBuffer.allocate(GzipMember.TRAILER_BYTES);
    long members = 0;
    long maxPayload = 0;
    long maxContent = 0;
    long total = 0;
    long offset = 0;
    do {
      requireHeader(header, read(file, header, offset), offset);
      long payload = GzipMember.payloadBytes(header, offset);
      long end = offset + GzipMember.HEADER_BYTES + payload + GzipMember.TRAILER_BYTES;
      if (end > size
          || read(file, trailer, end - GzipMember.TRAILER_BYTES) < GzipMember.TRAILER_BYTES) {
        throw truncated(offset, end - offset, size);
      }
      long content = GzipMember.contentBytes(trailer, 0, payload, offset);
      limits.check(payload, content, offset);
      members++;
      maxPayload = Math.max(maxPayload, payload);
      maxContent = Math.max(maxContent, content);
      total += content;
      offset = end;
    } while (offset < size);
    return new GzipSummary(members, maxPayload, maxContent, total);
  }

  /**
   * Checks that the file contained a complete header at an offset.
   *
   * @param header the bytes read, position 0
   * @param available number of valid bytes
   * @param offset of the member in its file
   * @throws GzipFormatException describing the bytes that were found instead
   */
  public static void requireHeader(ByteBuffer header, int available, long offset)
      throws GzipFormatException {
    if (available >= GzipMember.HEADER_BYTES) {
      return;
    }
    if (available == 0 && offset == 0) {
      throw new GzipFormatException(Problem.NOT_GZIP, "not a gzip file (it is empty)");
    }
    if (!GzipMember.beginsLikeMagic(header, available)) {
      throw GzipMember.notGzip(offset);
    }
    throw new GzipFormatException(
        Problem.TRUNCATED,
        "truncated: %d bytes at offset %d are less than a member's header"
            .formatted(available, offset));
  }

  /** Returns the error for a member that exceeds its file. */
  public static GzipFormatException truncated(long offset, long memberBytes, long fileBytes) {
    return new GzipFormatException(
        Problem.TRUNCATED,
        "truncated or damaged: the member at offset %d says that it is %d bytes long, the file ends after %d"
            .formatted(offset, memberBytes, fileBytes - offset));
  }

  private static int read(FileChannel file, ByteBuffer into, long position) throws IOException {
    into.clear();
    while (into.hasRemaining()) {
      int count = file.read(into, position + into.position());
      if (count < 0) {
        break;
      }
    }
    int available = into.position();
    into.position(0);
    return available;
  }
}
