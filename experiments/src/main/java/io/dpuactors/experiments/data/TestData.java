package io.dpuactors.experiments.data;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.function.Consumer;
import java.util.zip.CRC32;

/**
 * A checked file of blocks of random text.
 *
 * @param file its path
 * @param header its shape
 * @param sha256 of the whole file, in hexadecimal
 * @param checksum see {@link Checksum}
 */
public record TestData(Path file, BlockHeader header, String sha256, String checksum) {
  /** The file of the published compression experiment. */
  public static final Recipe PUBLISHED =
      new Recipe(
          new BlockHeader(256, 1 << 20),
          12345,
          "859634794a7ce85c826d04b2376917b7f48f16feb9164c35593d2a3857c64e23");

  /**
   * Description of a file to generate.
   *
   * @param seed of the random text
   * @param sha256 expected digest of the file
   */
  public record Recipe(BlockHeader header, int seed, String sha256) {
    String fileName() {
      return "blocks-%d-%d-%d".formatted(header.blocks(), header.blockBytes(), seed);
    }
  }

  /**
   * Finds the file in a folder, or generates it there. Checks an existing file each time, and
   * generates a damaged one again.
   *
   * @param progress receives the present state, for the display
   * @throws ClosedByInterruptException when the thread is interrupted, without a part of the file
   * @throws IOException when the folder cannot be written, when another run generates the file, or
   *     when the generated file does not have the published digest
   */
  public static TestData obtain(Recipe recipe, Path folder, Consumer<String> progress)
      throws IOException {
    Path file = folder.resolve(recipe.fileName());
    if (Files.isRegularFile(file) && Files.size(file) == recipe.header().fileBytes()) {
      TestData found = check(recipe, file, progress);
      if (found.sha256.equals(recipe.sha256())) {
        return found;
      }
    }
    Files.createDirectories(folder);
    Path part = folder.resolve(recipe.fileName() + ".part");
    try (FileChannel out = open(part)) {
      return generate(recipe, out, part, file, progress);
    }
  }

  /** Opens the part for one writer at a time. A killed run leaves its part to the next run. */
  private static FileChannel open(Path part) throws IOException {
    String problem = part + ": another run is generating the test data";
    FileChannel out = FileChannel.open(part, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      if (out.tryLock() != null) {
        return out;
      }
    } catch (OverlappingFileLockException e) {
      out.close();
      throw new IOException(problem, e);
    }
    out.close();
    throw new IOException(problem);
  }

  private static TestData generate(
      Recipe recipe, FileChannel out, Path part, Path file, Consumer<String> progress)
      throws IOException {
    try {
      TestData made = write(recipe, out, progress).of(file);
      if (!made.sha256.equals(recipe.sha256())) {
        throw new IOException(
            "the test data has SHA-256 %s instead of %s".formatted(made.sha256, recipe.sha256()));
      }
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      return made;
    } catch (IOException | RuntimeException e) {
      Files.deleteIfExists(part);
      throw e;
    }
  }

  private static Sums write(Recipe recipe, FileChannel out, Consumer<String> progress)
      throws IOException {
    BlockHeader header = recipe.header();
    RandomText text = new RandomText(recipe.seed());
    byte[] block = new byte[header.blockBytes()];
    Sums sums = new Sums(header);
    write(out, header.bytes());
    for (int i = 1; i <= header.blocks(); i++) {
      text.fill(block);
      sums.add(block);
      write(out, ByteBuffer.wrap(block));
      progress.accept("generating the test data: %d of %d".formatted(i, header.blocks()));
    }
    out.truncate(header.fileBytes());
    out.force(true);
    return sums;
  }

  private static void write(FileChannel out, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      out.write(bytes);
    }
  }

  private static TestData check(Recipe recipe, Path file, Consumer<String> progress)
      throws IOException {
    BlockHeader header = recipe.header();
    Sums sums = new Sums(header);
    try (var in = Files.newInputStream(file)) {
      in.skipNBytes(BlockHeader.BYTES);
      byte[] block = new byte[header.blockBytes()];
      for (int i = 1; i <= header.blocks(); i++) {
        if (in.readNBytes(block, 0, block.length) < block.length) {
          throw new IOException(file + " became shorter while it was read");
        }
        sums.add(block);
        progress.accept("checking the test data: %d of %d".formatted(i, header.blocks()));
      }
    }
    return sums.of(file);
  }

  /** Sums over a file, computed in one pass. */
  private static final class Sums {
    private final BlockHeader header;
    private final MessageDigest digest;
    private final Checksum checksum = new Checksum();

    Sums(BlockHeader header) {
      this.header = header;
      try {
        digest = MessageDigest.getInstance("SHA-256");
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("every Java platform has SHA-256", e);
      }
      digest.update(header.bytes());
    }

    void add(byte[] block) {
      digest.update(block);
      CRC32 crc = new CRC32();
      crc.update(block);
      checksum.add((int) crc.getValue());
    }

    TestData of(Path file) {
      return new TestData(
          file, header, HexFormat.of().formatHex(digest.digest()), checksum.toString());
    }
  }
}
