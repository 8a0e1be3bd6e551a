package io.dpuactors.benchmarks.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the comparison of two compressed files. */
class FileRunTest {
  @TempDir private Path folder = Path.of("");

  private static byte[] text() {
    byte[] text = new byte[400_000];
    Random random = new Random(1);
    for (int i = 0; i < text.length; i++) {
      text[i] = (byte) ('a' + random.nextInt(16));
    }
    return text;
  }

  /** Returns several gzip members, as both programs write them. */
  private static byte[] gzip(byte[] text, int members, int level) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    int each = text.length / members;
    for (int i = 0; i < members; i++) {
      try (OutputStream out = new Leveled(all, level)) {
        out.write(text, i * each, each);
      }
    }
    return all.toByteArray();
  }

  private static final class Leveled extends GZIPOutputStream {
    Leveled(OutputStream out, int level) throws IOException {
      super(out);
      def.setLevel(level);
    }
  }

  private Path file(String name, byte[] content) throws IOException {
    return Files.write(folder.resolve(name), content);
  }

  @Test
  void otherBytesOfTheSameInputAreTheSameWork() throws IOException {
    Path input = file("text", text());
    Path actors = file("actors.gz", gzip(text(), 4, Deflater.BEST_COMPRESSION));
    Path plain = file("plain.gz", gzip(text(), 5, Deflater.BEST_COMPRESSION));
    assertThat(Files.mismatch(actors, plain)).isNotNegative();
    assertThat(FileRun.difference(input, actors, plain)).isEmpty();
  }

  @Test
  void outputsOfOtherSizesDiffer() throws IOException {
    Path input = file("text", text());
    Path actors = file("actors.gz", gzip(text(), 4, Deflater.NO_COMPRESSION));
    Path plain = file("plain.gz", gzip(text(), 4, Deflater.BEST_COMPRESSION));
    assertThat(FileRun.difference(input, actors, plain)).get().asString().contains("sizes");
  }

  @Test
  void anOutputWithoutTheInputIsWrong() throws IOException {
    Path input = file("text", text());
    byte[] right = gzip(text(), 4, Deflater.BEST_COMPRESSION);
    byte[] other = text();
    other[other.length - 1]++;
    Path good = file("good.gz", right);
    Path wrong = file("wrong.gz", gzip(other, 4, Deflater.BEST_COMPRESSION));
    Path torn = file("torn.gz", Arrays.copyOf(right, right.length - 1));
    Path noGzip = file("none.gz", text());
    for (Path bad : new Path[] {wrong, torn, noGzip}) {
      String message = bad.getFileName() + " does not restore the input";
      assertThat(FileRun.difference(input, bad, good)).contains(message);
      assertThat(FileRun.difference(input, good, bad)).contains(message);
    }
  }
}
