package io.dpuactors.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.testkit.HeapBuffers;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests an input whose size changes while it is hashed: parts of 128 bytes, blocks of 64. */
class HashInputTest {
  private static final int PART = 128;
  private static final int BYTES = 300;

  @TempDir Path folder;

  private final BufferPool pool = HeapBuffers.pool(1, PART);
  private final Buffer buffer = Objects.requireNonNull(pool.lease());
  private Path file;

  @BeforeEach
  void write() throws IOException {
    file = Files.write(folder.resolve("in"), new byte[BYTES]);
  }

  @Test
  void aFileThatIsTruncatedWhileItIsReadIsAFailure() throws IOException, FileException {
    try (HashInput input = HashInput.open(file, PartialFiles.create(), 64)) {
      input.read(buffer);
      assertThat(input.isAtEnd()).isFalse();
      truncate(BYTES - 1);
      input.read(buffer);
      assertThatThrownBy(() -> readToEnd(input))
          .isInstanceOf(FileException.class)
          .hasMessageContaining("in: truncated during the read: it had 300 bytes")
          .hasMessageContaining("it ends after 299");
    }
  }

  /** The file grows before its end is read. The digest is that of the longer file. */
  @Test
  void aFileThatGrowsIsReadToItsEnd() throws IOException, FileException {
    try (HashInput input = HashInput.open(file, PartialFiles.create(), 64)) {
      Files.write(file, new byte[1000], StandardOpenOption.APPEND);
      assertThat(readToEnd(input)).isEqualTo(BYTES + 1000);
    }
  }

  private long readToEnd(HashInput input) throws FileException {
    long bytes = 0;
    do {
      input.read(buffer);
      bytes += buffer.length();
    } while (!input.isAtEnd());
    return bytes;
  }

  private void truncate(long bytes) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(bytes);
    }
  }
}
