package io.dpuactors.experiments.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestDataTest {
  /** The first four blocks of 1 KiB with the published seed. */
  private static final TestData.Recipe SMALL =
      new TestData.Recipe(
          new BlockHeader(4, 1024),
          12345,
          "d792627c37678c9a1fbeaa841db00979bd67918312bc26ab62b1f0ad467a84a9");

  @TempDir Path folder;

  private final List<String> steps = new ArrayList<>();

  private TestData obtain(TestData.Recipe recipe) throws IOException {
    steps.clear();
    return TestData.obtain(recipe, folder, steps::add);
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(f -> f.getFileName().toString()).toList();
    }
  }

  /** The C++ standard defines this value for the ten thousandth draw of the default seed. */
  @Test
  void theRandomNumbersEqualThoseOfMt19937() {
    Mt19937 random = new Mt19937(5489);
    for (int i = 1; i < 10000; i++) {
      random.next();
    }
    assertThat(Integer.toUnsignedLong(random.next())).isEqualTo(4123659995L);
  }

  /** The draws equal those of a C++ program compiled with g++ 12. */
  @Test
  void textIsDrawnAsByLibstdcxx() {
    byte[] text = new byte[32];
    new RandomText(12345).fill(text);
    assertThat(new String(text, StandardCharsets.US_ASCII))
        .isEqualTo("64TILCM0jhl88dp6vXpJv48BASGZSypn");
  }

  @Test
  void isGeneratedOnceAndThenOnlyChecked() throws IOException {
    TestData made = obtain(SMALL);
    assertThat(steps)
        .hasSize(4)
        .startsWith("generating the test data: 1 of 4")
        .endsWith("generating the test data: 4 of 4");
    assertThat(made.file()).hasSize(8 + 4096);
    assertThat(Files.readAllBytes(made.file())).startsWith(4, 0, 0, 0, 0, 4, 0, 0);
    assertThat(obtain(SMALL)).isEqualTo(made);
    assertThat(steps)
        .hasSize(4)
        .startsWith("checking the test data: 1 of 4")
        .endsWith("checking the test data: 4 of 4");
    assertThat(names()).containsExactly("blocks-4-1024-12345");
  }

  @Test
  void theChecksumIsMadeOfTheBlocksCrcsInOrder() throws IOException {
    TestData made = obtain(SMALL);
    byte[] bytes = Files.readAllBytes(made.file());
    int folded = 0;
    for (int i = 0; i < 4; i++) {
      CRC32 crc = new CRC32();
      crc.update(bytes, 8 + 1024 * i, 1024);
      folded = 31 * folded + (int) crc.getValue();
    }
    assertThat(made.checksum()).isEqualTo("%08x".formatted(folded));
  }

  @Test
  void damagedDataIsMadeAgain() throws IOException {
    Path file = obtain(SMALL).file();
    byte[] right = Files.readAllBytes(file);
    byte[] wrong = right.clone();
    wrong[100] ^= 1;
    Files.write(file, wrong);
    obtain(SMALL);
    assertThat(file).hasBinaryContent(right);
    Files.write(file, new byte[10]);
    obtain(SMALL);
    assertThat(file).hasBinaryContent(right);
  }

  @Test
  void dataWithAnotherDigestIsRefused() throws IOException {
    TestData.Recipe other = new TestData.Recipe(SMALL.header(), 1, SMALL.sha256());
    assertThatThrownBy(() -> obtain(other))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("instead of " + SMALL.sha256());
    assertThat(names()).isEmpty();
  }

  @Test
  void thePartOfAKilledRunIsReplaced() throws IOException {
    Files.write(folder.resolve("blocks-4-1024-12345.part"), new byte[10_000]);
    TestData made = obtain(SMALL);
    assertThat(made.file()).hasSize(8 + 4096);
    assertThat(names()).containsExactly("blocks-4-1024-12345");
    assertThat(obtain(SMALL)).isEqualTo(made);
    assertThat(steps).allMatch(step -> step.startsWith("checking "));
  }

  @Test
  void anInterruptedRunLeavesNoPart() throws IOException {
    assertThatThrownBy(
            () -> TestData.obtain(SMALL, folder, step -> Thread.currentThread().interrupt()))
        .isInstanceOf(ClosedByInterruptException.class);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(names()).isEmpty();
  }

  @Test
  void twoRunsDoNotGenerateTheSameFile() throws IOException {
    Path part = folder.resolve("blocks-4-1024-12345.part");
    try (FileChannel other =
        FileChannel.open(part, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      assertThat(other.tryLock()).isNotNull();
      assertThatThrownBy(() -> obtain(SMALL))
          .isInstanceOf(IOException.class)
          .hasMessage(part + ": another run is generating the test data");
      assertThat(part).exists();
    }
  }

  @Test
  void headersAreChecked() {
    assertThatThrownBy(() -> BlockHeader.read(channel(1, 2, 3))).isInstanceOf(EOFException.class);
    assertThatThrownBy(() -> BlockHeader.read(channel(0, 0, 0, 0, 1, 0, 0, 0)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("0 blocks of 1 bytes");
    assertThatThrownBy(() -> BlockHeader.read(channel(1, 0, 0, 0, 0, 0, 0, 0x80)))
        .hasMessage("1 blocks of 2147483648 bytes");
  }

  private static ReadableByteChannel channel(int... bytes) {
    ByteBuffer buffer = ByteBuffer.allocate(bytes.length);
    for (int b : bytes) {
      buffer.put((byte) b);
    }
    return Channels.newChannel(new ByteArrayInputStream(buffer.array()));
  }
}
