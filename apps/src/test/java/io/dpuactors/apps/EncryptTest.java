package io.dpuactors.apps;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dpuactors.apps.cli.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests {@code dpu key}, {@code dpu encrypt} and {@code dpu decrypt} on the software DPU. */
class EncryptTest {
  private static final String CONTENT = "all work and no play\n".repeat(20_000);

  @TempDir Path folder;
  @TempDir Path logs;

  private Path file(String name, String content) throws IOException {
    return Files.writeString(folder.resolve(name), content);
  }

  private Path key(String name) {
    Path key = folder.resolve(name);
    Cli run = Cli.run("key", "-o", key);
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).isEqualTo(key + ": key of 256 bits, mode 0600\n");
    return key;
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(f -> f.getFileName().toString()).sorted().toList();
    }
  }

  @ParameterizedTest
  @CsvSource({"128, 16", "256, 32"})
  void aKeyFileHasItsSizeAndModeAndIsNotOverwritten(int bits, int bytes) throws IOException {
    Path key = folder.resolve("key");
    Cli run = Cli.run("key", "--bits", bits, "-q", "-o", key);
    assertThat(run).isEqualTo(new Cli(0, "", ""));
    byte[] first = Files.readAllBytes(key);
    assertThat(first).hasSize(bytes);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key)))
        .isEqualTo("rw-------");
    Cli again = Cli.run("key", "-o", key);
    assertThat(again.status()).isEqualTo(ExitCode.FAILURE.status());
    assertThat(again.error()).endsWith("key: exists already (--force replaces it)");
    assertThat(key).hasBinaryContent(first);
    assertThat(Cli.run("key", "--force", "--bits", bits, "-o", key).status()).isZero();
    assertThat(Files.readAllBytes(key)).hasSize(bytes).isNotEqualTo(first);
  }

  @Test
  void aFileIsEncryptedAndRestored() throws IOException {
    Path key = key("key");
    Path file = file("a", CONTENT);
    Cli there = Cli.run("encrypt", "--key-file", key, "-b", "64K", file);
    assertThat(there.err()).isEmpty();
    assertThat(there.status()).isZero();
    assertThat(there.out())
        .contains("a.dpe: 410 KiB, 7 blocks", "GiB/s", "software DPU 0000:03:00.0")
        .doesNotContain("ratio")
        .hasLineCount(1);
    assertThat(folder.resolve("a.dpe")).hasSize(44 + CONTENT.length() + 7 * 16);
    Files.delete(file);
    Cli back = Cli.run("decrypt", "-q", "-k", key, folder.resolve("a.dpe"));
    assertThat(back).isEqualTo(new Cli(0, "", ""));
    assertThat(file).hasContent(CONTENT);
  }

  @Test
  void standardStreamsAreEncryptedAndDecrypted() throws Exception {
    Path key = key("key");
    Path file = file("a", CONTENT);
    Program there = Program.dpuThatReads(logs, Map.of(), file, "encrypt", "-k", key, "-");
    assertThat(there.status()).as(there.err()).isZero();
    Program back =
        Program.dpuThatReads(logs, Map.of(), there.outFile(), "decrypt", "-q", "-k", key, "-");
    assertThat(back.status()).as(back.err()).isZero();
    assertThat(back.err()).isEmpty();
    assertThat(back.outFile()).hasContent(CONTENT);
  }

  /** Standard output cannot be deleted, so it gets the blocks before the damaged one only. */
  @Test
  void standardOutputGetsOnlyAuthenticBlocks() throws Exception {
    Path key = key("key");
    Path file = file("a", CONTENT);
    Path stored = folder.resolve("a.dpe");
    assertThat(Cli.run("encrypt", "-k", key, "-b", "64K", file).status()).isZero();
    byte[] bytes = Files.readAllBytes(stored);
    bytes[44 + 4 * (65536 + 16)] ^= 1;
    Files.write(stored, bytes);
    Program back =
        Program.dpuThatReads(
            logs, Map.of(), stored, "decrypt", "-k", key, "--parallel", 1, "-o", "-", "-");
    assertThat(back.status()).isEqualTo(ExitCode.INPUT.status());
    assertThat(back.err()).isEqualTo("dpu: standard input: damaged: block 4 is not authentic\n");
    assertThat(back.out()).isEqualTo(CONTENT.substring(0, 4 * 65536));
  }

  @Test
  void anotherKeyIsOneLineWithStatus3AndNoOutput() throws IOException {
    Path file = file("a", CONTENT);
    assertThat(Cli.run("encrypt", "-k", key("key"), file).status()).isZero();
    Cli run = Cli.run("decrypt", "-k", key("other"), "-o", folder.resolve("out"), file + ".dpe");
    assertThat(run.status()).isEqualTo(ExitCode.INPUT.status());
    assertThat(run.error()).endsWith("a.dpe: wrong key, or damaged: block 0 is not authentic");
    assertThat(run.out()).isEmpty();
    assertThat(names()).containsExactly("a", "a.dpe", "key", "other");
  }

  @ParameterizedTest
  @CsvSource({
    "rw-r--r--, 32, ': others than its owner have permissions (chmod 600 removes them)'",
    "rw-------, 31, ': is no key file: it has 31 bytes instead of 16 or 32'",
    "-, 0, ': cannot be read: no such file'"
  })
  void anUnsuitableKeyFileIsOneLineWithStatus3(String mode, int bytes, String message)
      throws IOException {
    Path key = folder.resolve("key");
    if (!mode.equals("-")) {
      Files.write(key, new byte[bytes]);
      Files.setPosixFilePermissions(key, PosixFilePermissions.fromString(mode));
    }
    Path file = file("a.dpe", CONTENT);
    for (String command : List.of("encrypt", "decrypt")) {
      Cli run = Cli.run(command, "-k", key, "-o", folder.resolve("out"), file);
      assertThat(run.status()).isEqualTo(ExitCode.INPUT.status());
      assertThat(run.error()).isEqualTo("dpu: " + key + message);
      assertThat(folder.resolve("out")).doesNotExist();
    }
  }

  @Test
  void debuggingShowsWhereAnExceptionWasThrown() throws Exception {
    Program run =
        Program.dpu(
            logs,
            Map.of(),
            List.of(),
            "encrypt",
            "--debug",
            "-k",
            folder.resolve("missing"),
            file("a", CONTENT));
    assertThat(run.status()).isEqualTo(ExitCode.INPUT.status());
    assertThat(run.err()).contains("missing: cannot be read", "KeyFileException", "\tat ");
  }

  @Test
  void aFileIsCompressedAndEncryptedWithoutAFileBetween() throws Exception {
    Path key = key("key");
    Path file = file("a", CONTENT);
    Cli there = Cli.run("compress", "--encrypt", "-k", key, "-b", "64K", "--verify", file);
    assertThat(there.err()).isEmpty();
    assertThat(there.status()).isZero();
    assertThat(there.out()).contains("a.gz.dpe: ", "ratio", "7 blocks").hasLineCount(1);
    assertThat(names()).containsExactly("a", "a.gz.dpe", "key");
    Files.delete(file);
    Path stored = folder.resolve("a.gz.dpe");
    Cli back = Cli.run("decompress", "-q", "--key-file", key, stored);
    assertThat(back).isEqualTo(new Cli(0, "", ""));
    assertThat(file).hasContent(CONTENT);
    assertThat(Cli.run("decrypt", "-q", "-k", key, stored).status()).isZero();
    Program gzip = Program.of(logs, "gzip", "-dc", folder.resolve("a.gz").toString());
    assertThat(gzip.status()).isZero();
    assertThat(gzip.outFile()).hasContent(CONTENT);
  }

  @Test
  void standardStreamsAreCompressedAndEncrypted() throws Exception {
    Path key = key("key");
    Program there =
        Program.dpuThatReads(
            logs, Map.of(), file("a", CONTENT), "compress", "--encrypt", "-k", key, "-q", "-");
    assertThat(there.status()).as(there.err()).isZero();
    Program back =
        Program.dpuThatReads(logs, Map.of(), there.outFile(), "decompress", "-k", key, "-q", "-");
    assertThat(back.status()).as(back.err()).isZero();
    assertThat(back.outFile()).hasContent(CONTENT);
  }

  @ParameterizedTest
  @CsvSource({
    "other, 0, 0, 'wrong key, or damaged: block 0 is not authentic'",
    "key, 1, 0, 'wrong key, or damaged: block 0 is not authentic'",
    "key, 0, 1, 'truncated: the file ends after '"
  })
  void aCompressedFileOfAnotherKeyOrContentIsOneLineWithStatus3(
      String name, int flip, int cut, String message) throws IOException {
    Path key = key("key");
    key("other");
    Path file = file("a", CONTENT);
    Path stored = folder.resolve("a.gz.dpe");
    assertThat(Cli.run("compress", "-q", "--encrypt", "-k", key, file).status()).isZero();
    byte[] bytes = Files.readAllBytes(stored);
    bytes[100] ^= (byte) flip;
    Files.write(stored, Arrays.copyOf(bytes, bytes.length - cut));
    Cli run =
        Cli.run("decompress", "-k", folder.resolve(name), "-o", folder.resolve("out"), stored);
    assertThat(run.status()).isEqualTo(ExitCode.INPUT.status());
    assertThat(run.error()).contains("a.gz.dpe: " + message);
    assertThat(run.out()).isEmpty();
    assertThat(names()).containsExactly("a", "a.gz.dpe", "key", "other");
  }

  @Test
  void anEncryptedFileOfAnotherNameNeedsItsKey() throws IOException {
    Path file = file("a", CONTENT);
    Path stored = folder.resolve("a.gz");
    Cli there = Cli.run("compress", "-q", "--encrypt", "-k", key("key"), "-o", stored, file);
    assertThat(there.status()).as(there.err()).isZero();
    Cli run = Cli.run("decompress", "--force", stored);
    assertThat(run.status()).isEqualTo(ExitCode.INPUT.status());
    assertThat(run.error())
        .contains("a.gz: not a gzip file but an encrypted one: name its key with --key-file");
    assertThat(file).hasContent(CONTENT);
  }

  @Test
  void jsonDescribesACompressedAndEncryptedFile() throws IOException {
    Path file = file("a", CONTENT);
    Cli run = Cli.run("compress", "--json", "--encrypt", "-k", key("key"), "-b", "64K", file);
    assertThat(run.status()).as(run.err()).isZero();
    JsonNode json = new ObjectMapper().readTree(run.out());
    assertThat(json.at("/command").asText()).isEqualTo("compress");
    assertThat(json.at("/files/0/bytesIn").asLong()).isEqualTo(CONTENT.length());
    assertThat(json.at("/files/0/bytesOut").asLong())
        .isEqualTo(Files.size(folder.resolve("a.gz.dpe")));
    assertThat(json.at("/files/0/blocks").asLong()).isEqualTo(7);
  }

  @ParameterizedTest
  @CsvSource({
    "compress --encrypt a, --encrypt needs --key-file",
    "compress -k k a, --key-file needs --encrypt",
    "compress --encrypt -k k -b 8M a, --block-size: encryption needs a size from 64K to 4M",
    "compress --encrypt -k k --engines 2 a, --engines 2: encryption needs one engine",
    "decompress -k k --engines 2 a.gz.dpe, --engines 2: encryption needs one engine",
    "decompress a.gz.dpe, a.gz.dpe: the file is encrypted; name its key with --key-file",
    "encrypt a, Missing required option: '--key-file=KEY'",
    "encrypt -k k -b 32K a, --block-size: encryption needs a size from 64K to 4M",
    "encrypt -k k -b 5M a, --block-size: encryption needs a size from 64K to 4M",
    "encrypt -k k --engines 2 a, --engines 2: encryption needs one engine",
    "decrypt -k k --engines 2 a.dpe, --engines 2: encryption needs one engine",
    "key --bits 192 -o k, --bits 192: it must be 128 or 256",
    "key -o -, '-o -: standard output is not supported, name a file'"
  })
  void wrongUseIsOneLine(String words, String message) {
    Cli run = Cli.run((Object[]) words.split(" "));
    assertThat(run.status()).isEqualTo(ExitCode.USAGE.status());
    assertThat(run.error()).contains(message);
  }

  @Test
  void aNameWithoutSuffixNeedsAnOutput() throws IOException {
    Cli run = Cli.run("decrypt", "-k", key("key"), file("a", ""));
    assertThat(run.status()).isEqualTo(ExitCode.USAGE.status());
    assertThat(run.error()).contains("a: the name does not end in .dpe; name the output with -o");
  }

  @Test
  void neitherJsonNorLogContainsTheKey() throws Exception {
    Path key = key("key");
    Path file = file("a", CONTENT);
    Program run =
        Program.dpu(logs, Map.of(), List.of(), "encrypt", "--debug", "--json", "-k", key, file);
    assertThat(run.status()).as(run.err()).isZero();
    JsonNode json = new ObjectMapper().readTree(run.out());
    assertThat(json.at("/command").asText()).isEqualTo("encrypt");
    assertThat(json.at("/files/0/bytesOut").asLong()).isEqualTo(44 + CONTENT.length() + 16);
    assertThat(json.at("/files/0/ratio").isMissingNode()).isTrue();
    String digits = HexFormat.of().formatHex(Files.readAllBytes(key));
    assertThat(run.err()).contains("DEBUG");
    assertThat(run.out() + run.err()).doesNotContainIgnoringCase(digits.substring(0, 8));
  }
}
