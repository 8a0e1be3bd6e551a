package io.dpuactors.apps.hash;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.apps.Cli;
import io.dpuactors.apps.Program;
import io.dpuactors.file.FileFailure;
import io.dpuactors.file.HashEvent;
import io.dpuactors.protocol.ShaProtocol.Algorithm;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Compares the comparison of lists with {@code sha256sum --check}, without a device. */
class SumCheckTest {
  private static final String NO_DIGEST = "0".repeat(64);

  @TempDir Path folder;
  @TempDir Path logs;

  private Path a;
  private Path odd;
  private String plain;

  @BeforeEach
  void files() throws IOException {
    a = Files.writeString(folder.resolve("a"), "a");
    odd = Files.writeString(folder.resolve("o\nd\\d"), "b");
    plain = digest(a) + "  " + a + "\n";
  }

  private static String digest(Path file) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException | IOException e) {
      throw new AssertionError(e);
    }
  }

  private List<String> lines() {
    String escaped = odd.toString().replace("\\", "\\\\").replace("\n", "\\n");
    return List.of(
        plain,
        "\\" + digest(odd) + "  " + escaped + "\n",
        "SHA256 (" + a + ") = " + digest(a) + "\n",
        "\\SHA256 (" + escaped + ") = " + digest(odd) + "\n",
        digest(a) + " *" + a + "\r\n",
        digest(a) + " " + a + "\n",
        "  " + plain,
        "# comment\n\n" + plain,
        digest(a).toUpperCase(Locale.ROOT) + "  " + a + "\n",
        NO_DIGEST + "  " + a + "\n",
        NO_DIGEST + "  " + folder.resolve("missing") + "\n",
        "junk\n",
        "",
        "\\" + NO_DIGEST + "  bad\\escape\n",
        NO_DIGEST + "00  " + a + "\n",
        "SHA512 (" + a + ") = " + NO_DIGEST + NO_DIGEST + "\n",
        "SHA256 (" + a + ") = 00\n",
        NO_DIGEST + a + "\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "--quiet", "--status", "--ignore-missing", "--strict", "--warn"})
  void linesAndStatusAreThoseOfCoreutils(String option) throws Exception {
    List<String> options = option.isEmpty() ? List.of() : List.of(option);
    for (String line : lines()) {
      compare(line, options);
    }
    compare(String.join("", lines()), options);
  }

  @Test
  void theFirstLineDecidesAboutOneSpace() throws Exception {
    String one = digest(a) + " " + a + "\n";
    compare(one + one + plain, List.of());
    compare(plain + one, List.of());
  }

  @ParameterizedTest
  @EnumSource
  void aNameMayContainEveryLineTerminator(SumLine.Format format) {
    SumLine line = new SumLine(NO_DIGEST, "a\u0085b\u2028c\u2029d\ne\rf");
    String text = line.text(Algorithm.SHA256, format, true);
    assertThat(new SumLine.Parser(Algorithm.SHA256).parse(text)).contains(line);
  }

  @Test
  void aNameWithAZeroByteIsMalformed() throws IOException {
    Path list = Files.writeString(folder.resolve("list"), NO_DIGEST + "  b\0c\n" + plain);
    assertThat(check(list, List.of()))
        .isEqualTo(new Cli(0, a + ": OK\n", "dpu: WARNING: 1 line is improperly formatted"));
  }

  /** As the list of {@code dpu hash --check <(sha256sum FILE)}. */
  @Test
  void aListMayBeAPipe() throws Exception {
    Path pipe = folder.resolve("pipe");
    assertThat(Program.of(logs, "mkfifo", pipe.toString()).status()).isZero();
    Path list = Files.writeString(folder.resolve("list"), plain);
    Program writer =
        Program.of(logs, "sh", "-c", "cat \"$0\" > \"$1\"", list.toString(), pipe.toString());
    assertThat(check(pipe, List.of())).isEqualTo(new Cli(0, a + ": OK\n", ""));
    assertThat(writer.status()).isZero();
  }

  @Test
  void aFileAboveTheLimitIsNoList() throws IOException {
    Path image = Files.write(folder.resolve("image"), new byte[SumList.MAX_BYTES + 1]);
    String why = ": larger than 16 MiB, the limit of a list of digests";
    assertThat(check(image, List.of())).isEqualTo(new Cli(1, "", "dpu: " + image + why));
  }

  @Test
  void aCancelledFileDoesNotCountAsUnreadable() throws IOException {
    Path list = Files.writeString(folder.resolve("list"), plain);
    StringWriter text = new StringWriter();
    PrintWriter out = new PrintWriter(text, true);
    SumCheck check = SumCheck.of(new SumCheck.Options(), List.of(list), Algorithm.SHA256, out, out);
    check.onResult(failed(0, FileFailure.Kind.CANCELLED, a, "cancelled"));
    assertThat(text.toString()).isEmpty();
    assertThat(check.hasFailed()).isFalse();
  }

  private void compare(String content, List<String> options) throws Exception {
    Path list = Files.writeString(folder.resolve("list"), content);
    Program sum = Program.of(logs, List.of("sha256sum", "--check", list.toString()), options);
    int status = sum.status();
    Cli wanted =
        new Cli(
            status, sum.out(), sorted(sum.err().replace("sha256sum: ", "dpu: ").replace("'", "")));
    assertThat(check(list, options)).as(content).isEqualTo(wanted);
  }

  /** Sorts lines: dpu reads the whole list before it reads the files. */
  private static String sorted(String text) {
    return text.lines().sorted().collect(Collectors.joining("\n"));
  }

  private static Cli check(Path list, List<String> words) {
    SumCheck.Options options = new SumCheck.Options();
    new CommandLine(CommandLine.Model.CommandSpec.forAnnotatedObject(options))
        .parseArgs(words.toArray(String[]::new));
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    SumCheck check =
        SumCheck.of(
            options,
            List.of(list),
            Algorithm.SHA256,
            new PrintWriter(out, true),
            new PrintWriter(err, true));
    List<Path> files = check.files();
    for (int i = 0; i < files.size(); i++) {
      check.onResult(event(i, files.get(i)));
    }
    return new Cli(check.hasFailed() ? 1 : 0, out.toString(), sorted(err.toString()));
  }

  private static HashEvent event(int index, Path file) {
    return Files.exists(file)
        ? new HashEvent.Done(index, 1, digest(file))
        : failed(index, FileFailure.Kind.INPUT, file, "No such file or directory");
  }

  private static HashEvent failed(int index, FileFailure.Kind kind, Path file, String message) {
    return new HashEvent.Failed(
        index, new FileFailure(kind, file, OptionalLong.empty(), Optional.empty(), message, null));
  }
}
