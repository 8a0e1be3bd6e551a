package io.dpuactors.apps;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dpuactors.apps.cli.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compares {@code dpu hash} with the programs of coreutils. */
class HashTest {
  private static final String NO_DIGEST = "0".repeat(64);

  @TempDir Path folder;
  @TempDir Path logs;

  private Path file(String name, String content) throws IOException {
    return Files.writeString(folder.resolve(name), content);
  }

  /** Runs a program of coreutils, whose messages then begin like those of dpu. */
  private Cli coreutils(Object... words) throws Exception {
    List<String> command = new ArrayList<>();
    for (Object word : words) {
      command.add(word.toString());
    }
    Program program = Program.of(logs, command, List.of());
    int status = program.status();
    String err = program.err().replaceAll("(?m)^sha\\d+sum: ", "dpu: ");
    return new Cli(status, program.out(), err);
  }

  @ParameterizedTest
  @CsvSource({"sha1", "sha256", "sha512"})
  void theLinesAreThoseOfCoreutils(String algorithm) throws Exception {
    List<Object> names = new ArrayList<>();
    for (String name : new String[] {"plain", "back\\slash", "line\nfeed", "return\r", " space"}) {
      names.add(file(name, "content of " + name));
    }
    names.add(file("empty", ""));
    names.add(file("long", "all work and no play\n".repeat(100_000)));
    for (List<Object> options : List.<List<Object>>of(List.of(), List.of("-b"), List.of("--tag"))) {
      List<Object> dpu = new ArrayList<>(List.of("hash", "--algorithm", algorithm, "-p", 2));
      List<Object> sum = new ArrayList<>(List.of(algorithm + "sum"));
      List.of(dpu, sum).forEach(each -> each.addAll(options));
      List.of(dpu, sum).forEach(each -> each.addAll(names));
      assertThat(Cli.run(dpu.toArray())).isEqualTo(coreutils(sum.toArray()));
    }
    assertThat(Cli.run("hash", "-z", "-a", algorithm, names.get(2)))
        .isEqualTo(coreutils(algorithm + "sum", "-z", names.get(2)));
  }

  @Test
  void aFileThatCannotBeReadIsOneLineAndTheOthersAreHashed() throws IOException {
    Cli run = Cli.run("hash", file("a", "a"), folder.resolve("missing"), file("b", "b"));
    assertThat(run.status()).isEqualTo(ExitCode.INPUT.status());
    assertThat(run.error()).endsWith("missing: cannot be read: no such file");
    assertThat(run.out().lines()).hasSize(2);
  }

  @Test
  void debuggingShowsTheCauseOfAFailure() throws Exception {
    Program run =
        Program.dpu(logs, Map.of(), List.of(), "hash", "--debug", folder.resolve("missing"));
    assertThat(run.status()).isEqualTo(ExitCode.INPUT.status());
    assertThat(run.err()).contains("missing: cannot be read", "NoSuchFileException", "\tat ");
  }

  @Test
  void aListIsCheckedAsCoreutilsDoes() throws Exception {
    Path list =
        file(
            "list",
            coreutils("sha256sum", file("a", "a"), file("o\nd\\d", "b")).out()
                + NO_DIGEST
                + "  "
                + folder.resolve("a")
                + "\njunk\n");
    assertThat(Cli.run("hash", "--check", list)).isEqualTo(coreutils("sha256sum", "-c", list));
  }

  @Test
  void aListThatIsMissingFailsTheOthersAreChecked() throws Exception {
    Path list = file("list", coreutils("sha256sum", file("a", "a")).out());
    Cli run = Cli.run("hash", "-c", folder.resolve("missing"), list);
    assertThat(run.status()).isEqualTo(ExitCode.FAILURE.status());
    assertThat(run.error()).endsWith("missing: no such file or directory");
    assertThat(run.out()).endsWith("a: OK\n");
  }

  @Test
  void theJsonDocumentHasEachFile() throws Exception {
    Path a = file("a", "a");
    Cli run = Cli.run("hash", "--json", a, folder.resolve("missing"));
    assertThat(run.status()).isEqualTo(ExitCode.INPUT.status());
    JsonNode json = new ObjectMapper().readTree(run.out());
    assertThat(json.at("/command").asText()).isEqualTo("hash");
    assertThat(json.at("/algorithm").asText()).isEqualTo("sha256");
    assertThat(json.at("/exitStatus").asInt()).isEqualTo(3);
    assertThat(json.at("/files/0/digest").asText())
        .isEqualTo(coreutils("sha256sum", a).out().substring(0, 64));
    assertThat(json.at("/files/0/bytesIn").asLong()).isEqualTo(1);
    assertThat(json.at("/files/1/ok").asBoolean()).isFalse();
    assertThat(json.at("/files/1/error/kind").asText()).isEqualTo("input");
    assertThat(json.at("/census").asText()).isEqualTo("empty");
    Path list = file("list", NO_DIGEST + "  " + a + "\n");
    JsonNode check = new ObjectMapper().readTree(Cli.run("hash", "--json", "-c", list).out());
    assertThat(check.at("/exitStatus").asInt()).isEqualTo(1);
    assertThat(check.at("/files/0/ok").asBoolean()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "--quiet a, --quiet needs --check",
    "--warn a, --warn needs --check",
    "--check --tag a, '--check reads every format: --binary, --tag and --zero do not apply'",
    "--parallel 0 a, --parallel 0: it must be at least 1",
    "--algorithm md5 a, 'md5' is no algorithm: choose sha1",
    "- -, '-' (standard input) may be one FILE only",
    "--device x a, --device x is not a PCI address"
  })
  void wrongUseIsOneLine(String words, String message) {
    Cli run = Cli.run((Object[]) ("hash " + words).split(" "));
    assertThat(run.status()).isEqualTo(ExitCode.USAGE.status());
    assertThat(run.error()).contains(message);
  }

  @Test
  void aDeviceThatFailsIsOneLineWithStatus1() throws Exception {
    Program run =
        Program.dpu(
            logs,
            Map.of("SOFTDPU_FAULTS", "sha-hash:fail=IO_FAILED"),
            List.of(),
            "hash",
            file("a", "a"));
    assertThat(run.status()).isEqualTo(ExitCode.FAILURE.status());
    assertThat(run.err()).hasLineCount(1).contains("a: block 0: ", "IO_FAILED");
    assertThat(run.out()).isEmpty();
  }

  @Test
  void standardInputIsHashed() throws Exception {
    Path content = file("a", "all work and no play\n".repeat(100_000));
    Program run = Program.dpuThatReads(logs, Map.of(), content, "hash", "-");
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out()).isEqualTo(coreutils("sha256sum", content).out().substring(0, 66) + "-\n");
  }
}
