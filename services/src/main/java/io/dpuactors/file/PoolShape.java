package io.dpuactors.file;

import io.dpuactors.bridge.TaskKind;
import io.dpuactors.bridge.TaskLibrary;
import io.dpuactors.bridge.device.DeviceInfo;
import io.dpuactors.encrypted.EncryptedFormatException;
import io.dpuactors.encrypted.EncryptedHeader;
import io.dpuactors.encrypted.EncryptedHeader.Layout;
import io.dpuactors.encrypted.FileCipher;
import io.dpuactors.erasure.PartSet;
import io.dpuactors.erasure.Stripes;
import io.dpuactors.gzip.GzipFormatException;
import io.dpuactors.gzip.GzipLimits;
import io.dpuactors.gzip.GzipMember;
import io.dpuactors.gzip.GzipSummary;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Optional;

/**
 * Registered memory of an engine for a file.
 *
 * @param count blocks in flight
 * @param sourceBytes size of each input buffer
 * @param destinationBytes size of each output buffer
 */
record PoolShape(int count, int sourceBytes, int destinationBytes) {
  /** Default block size of {@code dpu compress}. */
  private static final int FIRST_MEMBER_BYTES = 1 << 20;

  /** Limit of doubling: a larger member gets buffers of its exact size. */
  private static final int MAX_GROWN_BYTES = 32 << 20;

  /** Returns the largest size of a gzip member with content of a block. */
  static int memberBytes(int blockBytes) {
    return GzipMember.HEADER_BYTES
        + (int) GzipMember.maxPayloadBytes(blockBytes)
        + GzipMember.TRAILER_BYTES;
  }

  /** Returns the shape for blocks of an encrypted file, with the header in front of each. */
  static PoolShape forEncrypted(int count, EncryptedHeader header) {
    return forEncrypted(count, header.layout(), header.blockBytes());
  }

  private static PoolShape forEncrypted(int count, Layout layout, int blockBytes) {
    int plain =
        BlockCipher.HEADER_BYTES
            + (layout == Layout.MEMBERS ? memberBytes(blockBytes) : blockBytes);
    return new PoolShape(count, plain + FileCipher.TAG_BYTES, plain);
  }

  /**
   * Returns the shape for a job. The method opens and closes the input file to read its size or its
   * members. The device must support blocks of the job's size.
   */
  static PoolShape of(FileJob job, DeviceChoice choice, BatchSettings settings)
      throws FileException {
    if (job instanceof FileJob.Recover) {
      return forParts(job, choice, settings);
    }
    if (FileJob.isStream(job.input())) {
      return ofBlocks(job, Long.MAX_VALUE, settings)
          .orElseGet(() -> forMembersOfStream(job, settings));
    }
    InputFile file = InputFile.open(job.input());
    try (FileChannel channel = file.channel()) {
      Optional<PoolShape> ofBlocks = ofBlocks(job, file.bytes(), settings);
      if (ofBlocks.isPresent()) {
        return ofBlocks.get();
      }
      if (job.encryption().isPresent()) {
        return forDecryption(channel, file.bytes(), settings);
      }
      return forMembers(
          GzipSummary.scan(channel, limits((FileJob.Decompress) job, choice.device())), settings);
    } catch (GzipFormatException | EncryptedFormatException e) {
      throw FileException.damaged(job.input(), e);
    } catch (IOException e) {
      throw FileException.input(job.input(), e);
    }
  }

  /** Returns the shape of a job that determines its block size; empty: the input determines it. */
  private static Optional<PoolShape> ofBlocks(FileJob job, long fileBytes, BatchSettings settings) {
    if (job instanceof FileJob.Compress compress) {
      return Optional.of(forCompression(compress, fileBytes, settings));
    }
    if (job instanceof FileJob.Copy copy) {
      return Optional.of(forCopy((int) copy.blockBytes(), fileBytes, settings));
    }
    if (job instanceof FileJob.Encode encode) {
      // Some file systems, such as procfs, report the size 0 of files with content.
      long mostBytes = fileBytes == 0 ? Long.MAX_VALUE : fileBytes;
      return Optional.of(forStripes(encode.stripes(), mostBytes, settings));
    }
    return job instanceof FileJob.Encrypt encrypt
        ? Optional.of(forEncryption(encrypt.blockBytes(), fileBytes, settings))
        : Optional.empty();
  }

  /** Returns the first shape for a stream of unknown members. The memory grows later. */
  private static PoolShape forMembersOfStream(FileJob job, BatchSettings settings) {
    return job.encryption().isPresent()
        ? forEncryption(FIRST_MEMBER_BYTES, Long.MAX_VALUE, settings)
        : forSizes(
            settings.parallel(),
            (int) GzipMember.maxPayloadBytes(FIRST_MEMBER_BYTES),
            FIRST_MEMBER_BYTES,
            settings);
  }

  /** Returns a shape with buffers of equal size, for the blocks of either direction. */
  private static PoolShape forEncryption(int blockBytes, long fileBytes, BatchSettings settings) {
    int buffer = BlockCipher.EXTRA_BYTES + blockBytes;
    return new PoolShape(blocks(fileBytes, blockBytes, settings), buffer, buffer);
  }

  private static PoolShape forDecryption(FileChannel file, long fileBytes, BatchSettings settings)
      throws IOException {
    ByteBuffer first = ByteBuffer.allocate(EncryptedHeader.BYTES);
    while (first.hasRemaining() && file.read(first, first.position()) >= 0) {}
    EncryptedHeader header = EncryptedHeader.parse(first.flip());
    return forEncrypted(blocks(fileBytes, header.blockBytes(), settings), header);
  }

  /** Returns the number of blocks in flight. A file shorter than the window needs fewer. */
  private static int blocks(long fileBytes, int blockBytes, BatchSettings settings) {
    return (int) Math.min(settings.parallel(), Math.max(1, fileBytes / blockBytes + 1));
  }

  /** Returns a shape for a larger member of a stream. Sizes at least double, so growth is rare. */
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
   * Returns the shape for a copy. A file shorter than the window needs less. If the file grows
   * during the copy, its blocks are shorter.
   */
  private static PoolShape forCopy(int blockBytes, long fileBytes, BatchSettings settings) {
    long blocks = Math.max(1, fileBytes / blockBytes + (fileBytes % blockBytes == 0 ? 0 : 1));
    int block = fileBytes > 0 && blocks == 1 ? (int) fileBytes : blockBytes;
    return new PoolShape((int) Math.min(settings.parallel(), blocks), block, block);
  }

  private static PoolShape forCompression(
      FileJob.Compress job, long fileBytes, BatchSettings settings) {
    int block = (int) job.blockBytes();
    if (job.encryption().isPresent()) {
      return forEncrypted(blocks(fileBytes, block, settings), Layout.MEMBERS, block);
    }
    PoolShape plain = forCopy(block, fileBytes, settings);
    return new PoolShape(
        plain.count, plain.sourceBytes, (int) GzipMember.maxPayloadBytes(plain.sourceBytes));
  }

  /** Returns the shape for the parts in a folder, and closes them. */
  private static PoolShape forParts(FileJob job, DeviceChoice choice, BatchSettings settings)
      throws FileException {
    try (PartSet parts = RecoverWork.openParts(job.input())) {
      Stripes stripes = parts.header().stripes();
      choice.checkBlock(stripes.blockBytes(), TaskKind.EC_RECOVER);
      return forStripes(stripes, parts.header().fileBytes(), settings);
    } catch (IOException e) {
      throw FileException.input(job.input(), e);
    }
  }

  /** Returns a shape whose sources hold the data blocks, and destinations the other blocks. */
  private static PoolShape forStripes(Stripes stripes, long fileBytes, BatchSettings settings) {
    int block = stripes.blockBytes(stripes.contentBytes(fileBytes, 0));
    return forSizes(
        (int) Math.max(1, Math.min(settings.parallel(), stripes.count(fileBytes))),
        stripes.data() * block,
        stripes.parity() * block,
        settings);
  }

  private static PoolShape forMembers(GzipSummary file, BatchSettings settings) {
    return forSizes(
        (int) Math.min(settings.parallel(), file.members()),
        (int) file.maxPayloadBytes(),
        (int) Math.max(1, file.maxContentBytes()),
        settings);
  }

  /** Returns a shape with as many blocks as the batch's memory allows, at least one. */
  private static PoolShape forSizes(
      int blocks, int source, int destination, BatchSettings settings) {
    long share = settings.memoryBytes() / settings.engines();
    long fitting = Math.max(1, share / ((long) source + destination));
    return new PoolShape((int) Math.min(blocks, fitting), source, destination);
  }

  /** Returns the limits of members: the device's limits, or the requested limit if smaller. */
  static GzipLimits limits(FileJob.Decompress job, DeviceInfo device) {
    long inflate =
        DeviceChoice.bufferLimit(
            device.capabilities(TaskLibrary.COMPRESS).of(TaskKind.DECOMPRESS_DEFLATE));
    return job.maxMemberBytes() < inflate
        ? new GzipLimits(inflate, job.maxMemberBytes(), "the requested limit")
        : GzipLimits.of(inflate, "the device's limit");
  }

  /** Returns whether pools of this shape suffice for a file that needs the other shape. */
  boolean covers(PoolShape other) {
    return count >= other.count
        && sourceBytes >= other.sourceBytes
        && destinationBytes >= other.destinationBytes;
  }
}
