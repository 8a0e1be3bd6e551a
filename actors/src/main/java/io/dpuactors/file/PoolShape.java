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
  /** The block size of {@code dpu compress} unless it is told another one. */
  private static final int FIRST_MEMBER_BYTES = 1 << 20;

  /** A member larger than this gets buffers of its size, not of the next doubling. */
  private static final int MAX_GROWN_BYTES = 32 << 20;

  /**
   * For a file that is there: opened, looked at, closed again. The device takes blocks of the job's
   * size.
   */
  static PoolShape of(FileJob job, DeviceChoice choice, BatchSettings settings)
      throws FileException {
    if (FileJob.isStream(job.input())) {
      return forStream(job, settings);
    }
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

  /** Members of a stream are not known before they are read: the memory grows with them. */
  private static PoolShape forStream(FileJob job, BatchSettings settings) {
    if (job instanceof FileJob.Compress compress) {
      return forCompression((int) compress.blockBytes(), Long.MAX_VALUE, settings);
    }
    if (job instanceof FileJob.Copy copy) {
      return forCopy((int) copy.blockBytes(), Long.MAX_VALUE, settings);
    }
    return forSizes(
        settings.parallel(),
        (int) GzipMember.maxPayloadBytes(FIRST_MEMBER_BYTES),
        FIRST_MEMBER_BYTES,
        settings);
  }

  /** Larger buffers for a member of a stream, at least doubled, so that this happens rarely. */
  PoolShape grown(PoolShape wanted, BatchSettings settings) {
    return forSizes(
        settings.parallel(),
        larger(sourceBytes, wanted.sourceBytes),
        larger(destinationBytes, wanted.destinationBytes),
        settings);
  }

  private static int larger(int now, int wanted) {
    return wanted <= now ? now : Math.max(wanted, (int) Math.min(2L * now, MAX_GROWN_BYTES));
  }

  /**
   * A file that is shorter than the window needs less. Should it grow meanwhile, it has shorter
   * blocks.
   */
  private static PoolShape forCopy(int blockBytes, long fileBytes, BatchSettings settings) {
    long blocks = Math.max(1, fileBytes / blockBytes + (fileBytes % blockBytes == 0 ? 0 : 1));
    int block = fileBytes > 0 && blocks == 1 ? (int) fileBytes : blockBytes;
    return new PoolShape((int) Math.min(settings.parallel(), blocks), block, block);
  }

  private static PoolShape forCompression(int blockBytes, long fileBytes, BatchSettings settings) {
    PoolShape plain = forCopy(blockBytes, fileBytes, settings);
    return new PoolShape(
        plain.count, plain.sourceBytes, (int) GzipMember.maxPayloadBytes(plain.sourceBytes));
  }

  private static PoolShape forMembers(GzipSummary file, BatchSettings settings) {
    return forSizes(
        (int) Math.min(settings.parallel(), file.members()),
        (int) file.maxPayloadBytes(),
        (int) Math.max(1, file.maxContentBytes()),
        settings);
  }

  /** As many blocks in flight as the memory of the batch allows, at least one. */
  private static PoolShape forSizes(
      int blocks, int source, int destination, BatchSettings settings) {
    long share = settings.memoryBytes() / settings.engines();
    long fitting = Math.max(1, share / ((long) source + destination));
    return new PoolShape((int) Math.min(blocks, fitting), source, destination);
  }

  /** Largest members that are worked on: those of the device, or those that were asked for. */
  static GzipLimits limits(FileJob.Decompress job, DeviceInfo device) {
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
