package io.dpuactors.apps;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dpuactors.apps.cli.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests {@code dpu ec} as users see it. */
class EcTest {
  private static final String CONTENT = "all work and no play\n".repeat(5000);

  @TempDir Path folder;

  private Path file = Path.of("");
  private Path parts = Path.of("");

  @BeforeEach
  void write() throws IOException {
    file = Files.writeString(folder.resolve("a"), CONTENT);
    parts = folder.resolve("parts");
  }

  private Cli encode(Object... more) {
    Object[] words = {"ec", "encode", file, "--data", 4, "--parity", 2, "-b", "4K", "-o", parts};
    return Cli.run(Stream.of(words, more).flatMap(Arrays::stream).toArray());
  }

  private Path part(int index) {
    return parts.resolve("part-00%d.ec".formatted(index));
  }

  @Test
  void aFileGoesThereAndBack() throws IOException {
    Cli encode = encode();
    assertThat(encode.err()).isEmpty();
    assertThat(encode.status()).isZero();
    assertThat(encode.out())
        .contains("a -> ", "parts: 103 KiB -> 154 KiB in 6 parts, 7 blocks", "GiB/s")
        .hasLineCount(1);
    Files.delete(part(0));
    Files.delete(part(4));
    Cli recover = Cli.run("ec", "recover", parts, "-o", folder.resolve("b"));
    assertThat(recover.err()).isEmpty();
    assertThat(recover.status()).isZero();
    assertThat(recover.out()).contains("parts -> ", "b: 103 KiB, 7 blocks").hasLineCount(1);
    assertThat(folder.resolve("b")).hasContent(CONTENT);
    Cli again = Cli.run("ec", "recover", parts, "-o", folder.resolve("b"));
    assertThat(again.status()).isEqualTo(ExitCode.FAILURE.status());
    assertThat(again.error()).endsWith("b: exists already (--force replaces it)");
    Cli json = Cli.run("ec", "recover", "--json", "-f", parts, "-o", folder.resolve("b"));
    JsonNode document = new ObjectMapper().readTree(json.out());
    assertThat(document.at("/command").asText()).isEqualTo("ec recover");
    assertThat(document.at("/files/0/bytesOut").asLong()).isEqualTo(CONTENT.length());
    assertThat(document.at("/files/0/ratio").isMissingNode()).isTrue();
  }

  @Test
  void verifyPrintsTheStateOfEachPart() throws IOException {
    encode("-q");
    Cli sound = Cli.run("ec", "verify", parts);
    assertThat(sound.err()).isEmpty();
    assertThat(sound.status()).isZero();
    assertThat(sound.out().lines())
        .contains(
            "103 KiB in 4 data and 2 parity parts, 7 blocks of 4 KiB in each",
            "PART  KIND    STATE  DAMAGED BLOCKS  FILE",
            "3     data    sound  0               part-003.ec",
            "4     parity  sound  0               part-004.ec");
    Files.delete(part(1));
    byte[] bytes = Files.readAllBytes(part(5));
    bytes[60]++;
    bytes[5000]++;
    Files.write(part(5), bytes);
    Files.writeString(parts.resolve("notes.txt"), "parts of a");
    Cli lost = Cli.run("ec", "verify", parts);
    assertThat(lost.status()).isEqualTo(ExitCode.INPUT.status());
    assertThat(lost.error())
        .endsWith("parts: 2 of 6 parts are missing or damaged; the file is recoverable");
    assertThat(lost.out().lines())
        .contains(
            "1     data    missing  -               -",
            "5     parity  damaged  2               part-005.ec",
            "Not used: notes.txt: not a part of 'dpu ec encode'");
    Cli quiet = Cli.run("ec", "verify", "-q", parts);
    assertThat(quiet.out()).isEmpty();
    assertThat(quiet.err()).isEqualTo(lost.err());
    Files.delete(part(0));
    JsonNode json = new ObjectMapper().readTree(Cli.run("ec", "verify", "--json", parts).out());
    assertThat(json.at("/recoverable").asBoolean()).isFalse();
    assertThat(json.at("/lostStripes").asInt()).isEqualTo(2);
    assertThat(json.at("/parts/0/state").asText()).isEqualTo("missing");
    assertThat(json.at("/parts/5/damagedBlocks").asInt()).isEqualTo(2);
    assertThat(json.at("/notUsed/0/reason").asText()).contains("not a part");
  }

  @Test
  void controlCharactersInNamesDoNotChangeTheTable() throws IOException {
    encode("-q");
    Files.move(part(3), parts.resolve("a\nb"));
    Files.writeString(parts.resolve("c\u001bd"), "parts of a");
    assertThat(Cli.run("ec", "verify", parts).out().lines())
        .contains(
            "3     data    sound  0               a?b",
            "Not used: c?d: not a part of 'dpu ec encode'");
  }

  @Test
  void tooFewPartsAreOneLineAndAStatus() throws IOException {
    encode("-q");
    for (int i = 0; i < 3; i++) {
      Files.delete(part(i));
    }
    Cli few = Cli.run("ec", "recover", parts, "-o", folder.resolve("b"));
    assertThat(few.status()).isEqualTo(ExitCode.INPUT.status());
    assertThat(few.error()).endsWith("parts: has 3 of 6 parts, 4 are needed");
    Cli none = Cli.run("ec", "recover", folder, "-o", folder.resolve("b"));
    assertThat(none.status()).isEqualTo(ExitCode.INPUT.status());
    assertThat(none.error()).endsWith("has no part of 'dpu ec encode'");
    assertThat(Cli.run("ec", "verify", folder).error()).isEqualTo(none.error());
    Cli absent = Cli.run("ec", "recover", folder.resolve("x"), "-o", folder.resolve("b"));
    assertThat(absent.status()).isEqualTo(ExitCode.INPUT.status());
    assertThat(absent.error()).endsWith("x: cannot be read: no such file");
    Cli unknown = Cli.run("ec", "verify", folder.resolve("x"));
    assertThat(unknown.status()).isEqualTo(ExitCode.INPUT.status());
    assertThat(unknown.error()).endsWith("x: no such file or directory");
    assertThat(folder.resolve("b")).doesNotExist();
  }

  @Test
  void partsThatWouldStayBesideNewOnesAreOneLine() throws IOException {
    encode("-q");
    Cli fewer = Cli.run("ec", "encode", file, "-n", 2, "-m", 3, "--force", "-o", parts);
    assertThat(fewer.status()).isEqualTo(ExitCode.FAILURE.status());
    assertThat(fewer.error())
        .contains("parts: cannot be written: part-005.ec would stay beside the new parts");
    assertThat(Cli.run("ec", "verify", "-q", parts)).isEqualTo(new Cli(0, "", ""));
  }

  @ParameterizedTest
  @CsvSource({
    "encode FILE --parity 2 -o DIR, Missing required option: '--data=N'",
    "encode FILE -n 0 -m 2 -o DIR, 0 data and 2 parity parts: at least 1 of each",
    "encode FILE -n 200 -m 57 -o DIR, together at most 256",
    "encode FILE -n 4 -m 2 -b 100 -o DIR, a block size of 100 bytes: it must be a multiple of 64",
    "encode FILE -n 4 -m 2 -b 4G -o DIR, --block-size: it must be less than 2 GiB",
    "encode FILE -n 4 -m 2 -p 0 -o DIR, --parallel 0: it must be at least 1",
    "recover - -o FILE, standard input is not supported",
    "recover DIR -o - --json, standard output carries the content"
  })
  void wrongUseIsStatusTwo(String words, String message) {
    Object[] command =
        ("ec " + words)
            .replace("FILE", file.toString())
            .replace("DIR", parts.toString())
            .split(" ");
    Cli run = Cli.run(command);
    assertThat(run.status()).isEqualTo(ExitCode.USAGE.status());
    assertThat(run.err()).contains(message);
    assertThat(parts).doesNotExist();
  }

  /** An empty file of the library's name hides the installed library. */
  @Test
  void withoutIsaLTheLineNamesThePackage() throws Exception {
    Path libraries = Files.createDirectory(folder.resolve("libraries"));
    Files.createFile(libraries.resolve("libisal.so.2"));
    Program run =
        Program.dpu(
            libraries,
            Map.of("LD_LIBRARY_PATH", libraries.toString()),
            List.of(),
            "ec",
            "encode",
            file,
            "-n",
            4,
            "-m",
            2,
            "-o",
            parts);
    assertThat(run.status()).as(run.err()).isEqualTo(ExitCode.DEVICE.status());
    assertThat(run.err().lines())
        .last()
        .asString()
        .startsWith("dpu: no device can create redundancy blocks: ")
        .contains("(Debian package libisal2)");
    assertThat(parts).doesNotExist();
  }
}
