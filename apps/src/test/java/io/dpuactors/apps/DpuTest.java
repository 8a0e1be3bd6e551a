package io.dpuactors.apps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dpuactors.apps.cli.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the program's output and status on the software DPU, in this process. */
class DpuTest {
  @TempDir Path folder;

  private Path file(String name, String content) throws IOException {
    return Files.writeString(folder.resolve(name), content);
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(f -> f.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void devicesAreShownWithWhatTheyCanDo() throws IOException {
    Cli table = Cli.run("devices");
    assertThat(table.status()).isZero();
    assertThat(table.err()).isEmpty();
    assertThat(table.out()).contains("software DPU", "128 MiB", "REPRESENTOR");
    assertThat(table.out().lines().filter(line -> line.startsWith("0000:03:00.0  p0")))
        .hasSizeGreaterThan(2)
        .anyMatch(line -> line.endsWith("deflate inflate lz4Block lz4Stream"))
        .anyMatch(line -> line.endsWith("memcpy"))
        .anyMatch(line -> line.endsWith("hash partialHash"))
        .anyMatch(line -> line.endsWith("encrypt decrypt"))
        .anyMatch(
            line -> line.contains(" ec        -  ") && line.endsWith("create recover update"));
    assertThat(table.out().lines()).allMatch(line -> line.length() <= 100);
    JsonNode json = new ObjectMapper().readTree(Cli.run("devices", "--json").out());
    assertThat(json.at("/library/softwareDpu").asBoolean()).isTrue();
    assertThat(json.at("/library/reason").asText()).isNotEmpty();
    assertThat(json.at("/devices/0/compress/deflate/maxBufferBytes").asLong()).isPositive();
    assertThat(json.at("/devices/0/dma/memcpy/maxBufferBytes").asLong()).isPositive();
    assertThat(json.at("/devices/0/dma/maxTasks").asInt()).isPositive();
    assertThat(json.at("/devices/0/sha/hash/supported").asBoolean()).isTrue();
    assertThat(json.at("/library/missing").isEmpty()).isTrue();
    assertThat(json.at("/devices/0/representors").isEmpty()).isFalse();
  }

  @Test
  void aFileRoundTrips() throws IOException {
    String content = "all work and no play\n".repeat(5000);
    Path file = file("a", content);
    Cli there = Cli.run("compress", "-b", "16K", "--verify", file);
    assertThat(there.err()).isEmpty();
    assertThat(there.status()).isZero();
    assertThat(there.out())
        .contains("a.gz", "ratio", "GiB/s", "7 blocks", "software DPU 0000:03:00.0")
        .hasLineCount(1);
    Files.delete(file);
    Cli back = Cli.run("decompress", "-q", folder.resolve("a.gz"));
    assertThat(back.status()).isZero();
    assertThat(back.out() + back.err()).isEmpty();
    assertThat(file).hasContent(content);
  }

  @Test
  void aFileIsCopiedToANameOrIntoAFolder() throws IOException {
    String content = "all work and no play\n".repeat(5000);
    Path file = file("a", content);
    Cli copy = Cli.run("copy", "-b", "16K", "--verify", "-p", 3, file, folder.resolve("b"));
    assertThat(copy.err()).isEmpty();
    assertThat(copy.status()).isZero();
    assertThat(copy.out())
        .contains("a -> ", "b: 103 KiB, 7 blocks", "GiB/s", "software DPU 0000:03:00.0")
        .doesNotContain("ratio")
        .hasLineCount(1);
    assertThat(folder.resolve("b")).hasContent(content);
    Path inside = Files.createDirectory(folder.resolve("c"));
    Cli quiet = Cli.run("copy", "-q", file, inside);
    assertThat(quiet.status()).isZero();
    assertThat(quiet.out() + quiet.err()).isEmpty();
    assertThat(inside.resolve("a")).hasContent(content);
  }

  @Test
  void aFailedCopyIsReportedInOneLine() throws IOException {
    Path file = file("a", "precious");
    file("b", "precious, too");
    Cli exists = Cli.run("copy", file, folder.resolve("b"));
    assertThat(exists.status()).isEqualTo(ExitCode.FAILURE.status());
    assertThat(exists.error()).endsWith("b: exists already (--force replaces it)");
    assertThat(folder.resolve("b")).hasContent("precious, too");
    assertThat(Cli.run("copy", "--force", file, folder.resolve("b")).status()).isZero();
    assertThat(folder.resolve("b")).hasContent("precious");
    Cli same = Cli.run("copy", "--force", file, file);
    assertThat(same.status()).isEqualTo(ExitCode.FAILURE.status());
    assertThat(same.error()).endsWith("a: is the input as well as the output");
    assertThat(file).hasContent("precious");
    Cli absent = Cli.run("copy", folder.resolve("x"), folder.resolve("y"));
    assertThat(absent.status()).isEqualTo(ExitCode.INPUT.status());
    Cli directory = Cli.run("copy", folder, folder.resolve("y"));
    assertThat(directory.status()).isEqualTo(ExitCode.INPUT.status());
    assertThat(directory.error()).endsWith("is a directory");
    Cli large = Cli.run("copy", "-b", "1G", file, folder.resolve("y"));
    assertThat(large.status()).isEqualTo(ExitCode.DEVICE.status());
    assertThat(large.error()).contains("a block size of 1073741824 bytes is beyond");
    Cli device = Cli.run("copy", "--device", "99:00.0", file, folder.resolve("y"));
    assertThat(device.status()).isEqualTo(ExitCode.DEVICE.status());
    assertThat(names()).containsExactly("a", "b");
  }

  @Test
  void aCopyIsOneJsonDocument() throws IOException {
    Path file = file("a", "a".repeat(3000));
    Cli run = Cli.run("copy", "--json", "-b", "1K", file, folder.resolve("b"));
    assertThat(run.status()).isZero();
    JsonNode json = new ObjectMapper().readTree(run.out());
    assertThat(json.at("/command").asText()).isEqualTo("copy");
    assertThat(json.at("/census").asText()).isEqualTo("empty");
    assertThat(json.at("/files/0/blocks").asInt()).isEqualTo(3);
    assertThat(json.at("/files/0/bytesOut").asInt()).isEqualTo(3000);
    assertThat(json.at("/files/0/ratio").isMissingNode()).isTrue();
  }

  @Test
  void jsonIsOneDocument() throws IOException {
    Path a = file("a", "a".repeat(3000));
    Cli run = Cli.run("compress", "--json", "-b", "1K", a, folder.resolve("b"));
    assertThat(run.status()).isEqualTo(ExitCode.INPUT.status());
    JsonNode json = new ObjectMapper().readTree(run.out());
    assertThat(json.at("/command").asText()).isEqualTo("compress");
    assertThat(json.at("/exitStatus").asInt()).isEqualTo(3);
    assertThat(json.at("/device/library").asText()).isEqualTo("software DPU");
    assertThat(json.at("/census").asText()).isEqualTo("empty");
    assertThat(json.at("/files/0/ok").asBoolean()).isTrue();
    assertThat(json.at("/files/0/blocks").asInt()).isEqualTo(3);
    assertThat(json.at("/files/0/bytesIn").asInt()).isEqualTo(3000);
    assertThat(json.at("/files/0/gibPerSecond").asDouble()).isPositive();
    assertThat(json.at("/files/1/ok").asBoolean()).isFalse();
    assertThat(json.at("/files/1/error/kind").asText()).isEqualTo("input");
  }

  @Test
  void theFirstFailureSetsTheStatusAndTheOthersContinue() throws IOException {
    Path a = file("a", "a");
    Path c = file("c", "c");
    file("c.gz", "precious");
    Cli run = Cli.run("compress", "-q", folder.resolve("b"), a, c);
    assertThat(run.status()).isEqualTo(ExitCode.INPUT.status());
    assertThat(run.err().lines())
        .hasSize(2)
        .anyMatch(l -> l.endsWith("b: cannot be read: no such file"))
        .anyMatch(l -> l.endsWith("c.gz: exists already (--force replaces it)"));
    assertThat(names()).containsExactly("a", "a.gz", "c", "c.gz");
    assertThat(folder.resolve("c.gz")).hasContent("precious");
  }

  @Test
  void forceReplaces() throws IOException {
    Path a = file("a", "a");
    file("a.gz", "old");
    assertThat(Cli.run("compress", "-q", a).status()).isEqualTo(ExitCode.FAILURE.status());
    assertThat(Cli.run("compress", "-q", "--force", a).status()).isZero();
    assertThat(folder.resolve("a.gz"))
        .isNotEmptyFile()
        .satisfies(f -> assertThat(Files.size(f)).isEqualTo(34));
  }

  @Test
  void theInputIsNeverTheOutput() throws IOException {
    Path a = file("a", "a");
    Cli run = Cli.run("compress", "--force", "-o", a, a);
    assertThat(run.status()).isEqualTo(ExitCode.FAILURE.status());
    assertThat(run.error()).contains("is the input as well as the output");
    assertThat(a).hasContent("a");
  }

  @Test
  void unusableInputsHaveDifferentMessages() throws IOException {
    Path text = file("text.gz", "this is no gzip file at all, is it");
    assertThat(Cli.run("decompress", text).error()).contains("not a gzip file");
    assertThat(Cli.run("compress", folder).error()).contains("is a directory");
    assertThat(Cli.run("compress", "/dev/null").error()).contains("not a regular file");
    Path secret = file("secret", "x");
    Files.setPosixFilePermissions(secret, Set.of());
    assumeThat(Files.isReadable(secret)).as("root reads everything").isFalse();
    assertThat(Cli.run("compress", secret).error()).contains("permission denied");
  }

  @Test
  void everyTruncationIsFoundAndLeavesNothing() throws IOException {
    Path a = file("a", "so long, and thanks for all the fish ".repeat(200));
    assertThat(Cli.run("compress", "-q", "-b", "2K", a).status()).isZero();
    byte[] packed = Files.readAllBytes(folder.resolve("a.gz"));
    List<Object> words = new ArrayList<>(List.of("decompress"));
    for (int length = 0; length < packed.length; length += 7) {
      words.add(Files.write(folder.resolve("t" + length + ".gz"), Arrays.copyOf(packed, length)));
    }
    Cli run = Cli.run(words.toArray());
    assertThat(run.status()).isEqualTo(ExitCode.INPUT.status());
    long whole = run.out().lines().count();
    assertThat(run.err().lines().count() + whole).isEqualTo(words.size() - 1);
    // A cut between two members leaves a valid, shorter file.
    assertThat(whole).isLessThanOrEqualTo(3);
    assertThat(names().stream().filter(n -> !n.endsWith(".gz") && !n.equals("a")).count())
        .isEqualTo(whole);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--parallel 9000",
        "-b 128M",
        "-b 1000T",
        "--device 0000:aa:00.0",
        "--device 03:00.7"
      })
  void aSizeBeyondTheDeviceEndsWithStatusFour(String option) throws IOException {
    List<Object> words = new ArrayList<>(List.of("compress", file("a", "a")));
    words.addAll(List.of(option.split(" ")));
    Cli run = Cli.run(words.toArray());
    assertThat(run.status()).isEqualTo(ExitCode.DEVICE.status());
    assertThat(run.error()).containsAnyOf("8192", "134217728", "0000:03:00.0");
    assertThat(names()).containsExactly("a");
  }
}
