package io.dpuactors.file;

import io.dpuactors.encrypted.CipherKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** Key files: the 16 or 32 bytes of a key and nothing else. Only their owner may read them. */
public final class KeyFile {
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");
  private static final Set<PosixFilePermission> OTHERS =
      PosixFilePermissions.fromString("---rwxrwx");
  private static final int MAX_BYTES = 32;

  private KeyFile() {}

  /**
   * Writes a key to a new file of mode 0600. The file appears under its name when it is complete
   * and on disk.
   *
   * @param replace whether to replace an existing file; otherwise it is an error
   * @param partials holds the file until it is complete
   * @return why there is no file; empty: it has been written
   */
  public static Optional<FileFailure> create(
      Path path, CipherKey key, boolean replace, PartialFiles partials) {
    ByteBuffer bytes = ByteBuffer.allocate(key.bits() / 8);
    key.writeTo(bytes);
    try {
      write(bytes.flip(), partials.begin(path, replace));
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(FileException.output(path, 0, e).failure());
    } finally {
      bytes.clear().put(new byte[bytes.capacity()]);
    }
  }

  private static void write(ByteBuffer bytes, PartialFile file) throws IOException {
    try {
      while (bytes.hasRemaining()) {
        file.channel().write(bytes);
      }
      file.publish(OWNER_ONLY);
    } finally {
      file.discard();
    }
  }

  /**
   * Reads a key.
   *
   * @throws KeyFileException if the file cannot be read, has another size, or group or others have
   *     any permission
   */
  public static CipherKey read(Path path) throws KeyFileException {
    byte[] bytes = new byte[MAX_BYTES + 1];
    ByteBuffer into = ByteBuffer.wrap(bytes);
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      checkPermissions(path);
      while (into.hasRemaining() && channel.read(into) >= 0) {}
      return key(path, into.flip());
    } catch (KeyFileException e) {
      throw e;
    } catch (IOException e) {
      throw new KeyFileException(FileException.input(path, e).failure().toString());
    } finally {
      into.clear().put(new byte[bytes.length]);
    }
  }

  private static void checkPermissions(Path path) throws IOException {
    Set<PosixFilePermission> excess = EnumSet.noneOf(PosixFilePermission.class);
    excess.addAll(Files.getPosixFilePermissions(path));
    excess.retainAll(OTHERS);
    if (!excess.isEmpty()) {
      throw new KeyFileException(
          "%s: others than its owner have permissions (chmod 600 removes them)".formatted(path));
    }
  }

  private static CipherKey key(Path path, ByteBuffer content) throws KeyFileException {
    byte[] key = new byte[content.remaining()];
    content.get(key);
    try {
      return CipherKey.of(key);
    } catch (IllegalArgumentException e) {
      String size = key.length > MAX_BYTES ? "more than 32" : String.valueOf(key.length);
      throw new KeyFileException(
          "%s: is no key file: it has %s bytes instead of 16 or 32".formatted(path, size));
    } finally {
      Arrays.fill(key, (byte) 0);
    }
  }
}
