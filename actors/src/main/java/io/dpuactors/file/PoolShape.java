package io.dpuactors.file;

import io.dpuactors.bridge.DeviceInfo;
import io.dpuactors.protocol.gzip.GzipFormatException;
import io.dpuactors.protocol.gzip.GzipLimits;
import io.dpuactors.protocol.gzip.GzipMember;
import io.dpuactors.protocol.gzip.GzipSummary;
import java.io.IOException;
import java.nio.channels.FileChannel;

/**
 * The registered memory that an engine needs for a file.
 *
 * @param count blocks in flight
 * @param sourceBytes size of each input buffer
 * @param destinationBytes size of each output buffer
 */
record PoolShape(int count, int sourceBytes, int destinationBytes) {
  /**
   * For a file that is there: opened, looked at, closed again. The device takes blocks of the job's
   * size.
   */
  static PoolShape of(FileJob job, DeviceChoice choice, BatchSettings settings)
      throws FileException {
    InputFile file = InputFile.open(job.input());
    try (FileChannel channel = file.channel()) {
      if (job instanceof FileJob.Compress compress) {
        return forCompression((int) compress.blockBytes(), file.bytes(), settings);
      }
      if (job instanceof FileJob.Copy copy) {
        return forCopy((int) copy.blockBytes(), file.bytes(), settings);
      }
      return forMembers(
          GzipSummary.scan(channel, limits((FileJob.Decompress) job, choice.device())), settings);
    } catch (GzipFormatException e) {
      throw FileException.damaged(job.input(), e);
    } catch (IOException e) {
      throw FileException.input(job.input(), e);
    }
  }

  /**
   * A file that is shorter than the window needs less. Should it grow meanwhile, it has shorter
   * blocks.
   */
  private static PoolShape forCopy(int blockBytes, long fileBytes, BatchSettings settings) {
    long blocks = Math.max(1, (fileBytes + blockBytes - 1) / blockBytes);
    int block = fileBytes > 0 && blocks == 1 ? (int) fileBytes : blockBytes;
    return new PoolShape((int) Math.min(settings.parallel(), blocks), block, block);
  }

  private static PoolShape forCompression(int blockBytes, long fileBytes, BatchSettings settings) {
    PoolShape plain = forCopy(blockBytes, fileBytes, settings);
    return new PoolShape(
        plain.count, plain.sourceBytes, (int) GzipMember.maxPayloadBytes(plain.sourceBytes));
  }

  private static PoolShape forMembers(GzipSummary file, BatchSettings settings) {
    int source = (int) file.maxPayloadBytes();
    int destination = (int) Math.max(1, file.maxContentBytes());
    long share = settings.memoryBytes() / settings.engines();
    long fitting = Math.max(1, share / ((long) source + destination));
    long count = Math.min(Math.min(settings.parallel(), file.members()), fitting);
    return new PoolShape((int) count, source, destination);
  }

  private static GzipLimits limits(FileJob.Decompress job, DeviceInfo device) {
    long inflate = DeviceChoice.bufferLimit(device.compress().inflate());
    return job.maxMemberBytes() < inflate
        ? new GzipLimits(inflate, job.maxMemberBytes(), "the limit that was asked for")
        : GzipLimits.of(inflate, "the device's limit");
  }

  /** Whether pools of this shape do for a file that needs the other. */
  boolean covers(PoolShape other) {
    return count >= other.count
        && sourceBytes >= other.sourceBytes
        && destinationBytes >= other.destinationBytes;
  }
}
