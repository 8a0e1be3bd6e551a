package io.dpuactors.apps;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.apps.cli.ErrorText;
import io.dpuactors.apps.cli.ExitCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Tests the help and the error messages of the program. */
class UseTest {
  @Test
  void helpShowsExamples() {
    Cli help = Cli.run("--help");
    assertThat(help.status()).isZero();
    assertThat(help.out())
        .contains("compress", "decompress", "copy", "devices", "Exit status", "Examples");
    for (String command : List.of("compress", "decompress", "copy", "devices")) {
      assertThat(Cli.run(command, "--help").out()).contains("Exit status", "Examples", "143");
    }
    assertThat(Cli.run("--version").out()).startsWith("dpu ");
  }

  @Test
  void everyCommandDocumentsItsExitStatusAndKeepsItsExamplesOnALine() {
    commands(Dpu.commandLine())
        .forEach(
            command -> {
              String help = command.getUsageMessage();
              assertThat(help).contains("Exit status");
              for (String line : command.getCommandSpec().usageMessage().footer()) {
                assertThat(help.lines()).contains(line.formatted());
              }
            });
  }

  @Test
  void theParserReadsOnlyTheCommandThatTheFirstWordNames() {
    for (String name : List.of("compress", "decompress", "copy", "serve", "client", "devices")) {
      assertThat(Dpu.commandLine(name, "x").getSubcommands()).containsOnlyKeys(name);
      assertThat(Dpu.commandLine().getSubcommands())
          .hasEntrySatisfying(name, it -> assertThat(it.getCommandName()).isEqualTo(name));
    }
    assertThat(Dpu.commandLine("unknown").getSubcommands()).containsKeys("compress", "help");
  }

  private static Stream<CommandLine> commands(CommandLine command) {
    return Stream.concat(
        Stream.of(command), command.getSubcommands().values().stream().flatMap(UseTest::commands));
  }

  @Test
  void helpShowsTheNestedCommand() {
    commands(Dpu.commandLine())
        .filter(command -> !command.getCommandSpec().usageMessage().hidden())
        .forEach(
            command -> {
              List<String> words =
                  List.of(command.getCommandSpec().qualifiedName().split(" ")).stream()
                      .skip(1)
                      .toList();
              Cli help = Cli.run(Stream.concat(Stream.of("help"), words.stream()).toArray());
              assertThat(help.status()).isZero();
              assertThat(help.out())
                  .isEqualTo(
                      Cli.run(Stream.concat(words.stream(), Stream.of("--help")).toArray()).out());
            });
    assertThat(Cli.run("help", "client", "tea").error())
        .contains("unknown service 'tea': choose one of ping", "see 'dpu client --help'");
    assertThat(Cli.run("help", "compress", "a").error()).contains("unexpected argument 'a'");
  }

  @Test
  void aCommandOfAnotherModuleIsOneOfTheProgram() {
    Cli greeting = Cli.run("greet", "--loudly");
    assertThat(greeting.error()).isEqualTo("dpu: nobody is here to greet loudly");
    assertThat(greeting.status()).isEqualTo(ExitCode.FAILURE.status());
    Cli wrong = Cli.run("greet");
    assertThat(wrong.error()).contains("--loudly", "see 'dpu greet --help'");
    assertThat(wrong.status()).isEqualTo(ExitCode.USAGE.status());
    assertThat(Cli.run("--help").out()).doesNotContain("greet");
  }

  /** The nodes of a fleet have the engines. A device of the client has the limits of the tasks. */
  @Test
  void theClientsOfAFleetHaveADeviceAndNoEngines() {
    for (String command : List.of("compress", "decompress")) {
      assertThat(Cli.run("fleet", command, "--help").out())
          .contains("--join", "--parallel", "--device")
          .doesNotContain("--engines");
      assertThat(Cli.run("fleet", command, "--engines", "1", "a.gz").error())
          .containsIgnoringCase("unknown option: '--engines'");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"compress a", "decompress a.gz", "node", "status", "drain h:1"})
  void theMembersOfAFleetHavePorts(String command) {
    List<String> words = new ArrayList<>(List.of("fleet"));
    words.addAll(List.of(command.split(" ", -1)));
    words.addAll(List.of("--join", "h:1", "--join", "h"));
    Cli run = Cli.run(words.toArray());
    run.assertUsageError();
    assertThat(run.error()).contains("--join", "'h' is not an address such as 127.0.0.1:25520");
  }

  static Stream<List<String>> wrongUse() {
    return Stream.of(
        List.of(),
        List.of("fly"),
        List.of("devices", "-D", "=x"),
        List.of("fleet", "compress", "--parallel", "129", "--join", "h:1", "a"),
        List.of("fleet", "compress", "--device", "nowhere", "--join", "h:1", "a"),
        List.of("fleet", "decompress", "--device", "nowhere", "--join", "h:1", "a.gz"),
        List.of("compress"),
        List.of("compress", "--fly", "a"),
        List.of("compress", "-b", "many", "a"),
        List.of("compress", "-b", "0", "a"),
        List.of("compress", "--parallel", "0", "a"),
        List.of("compress", "--engines", "0", "a"),
        List.of("compress", "--engines", "65", "a"),
        List.of("compress", "--device", "mlx5_0", "a"),
        List.of("compress", "-o", "x", "a", "b"),
        List.of("compress", "-o", "-", "--json", "a"),
        List.of("compress", "-", "--json"),
        List.of("compress", "a", "-"),
        List.of("client", "compress", "-"),
        List.of("copy", "-", "a"),
        List.of("decompress", "a"),
        List.of("decompress", ".gz"),
        List.of("copy"),
        List.of("copy", "a"),
        List.of("copy", "a", "b", "c"),
        List.of("copy", "a", "-"),
        List.of("copy", "-b", "0", "a", "b"),
        List.of("copy", "-b", "0.5", "a", "b"),
        List.of("copy", "--parallel", "0", "a", "b"),
        List.of("copy", "--device", "mlx5_0", "a", "b"));
  }

  @ParameterizedTest
  @MethodSource
  void wrongUse(List<String> words) {
    Cli.run(words.toArray()).assertUsageError();
  }

  @Test
  void anUnknownCommandIsReportedWithTheKnownOnes() {
    assertThat(Cli.run("fly").error())
        .contains(
            "unknown command 'fly': choose one of compress, decompress, copy, ec, hash, key, encrypt")
        .doesNotContain("greet", "devices, help");
    assertThat(Cli.run().error()).contains("missing command: choose one of compress, decompress");
    assertThat(Cli.run("serve", "tea").error())
        .contains("unknown service 'tea': choose one of ping, data, dma, compress");
    assertThat(Cli.run("client").error())
        .contains(
            "missing service: choose one of ping, data, dma, compress", "'dpu client --help'");
    assertThat(Cli.run("devices", "all").error()).contains("unexpected argument 'all'");
    assertThat(Cli.run("help", "fly").error()).isEqualTo(Cli.run("fly").error());
  }

  @Test
  void anInvalidOrTooLargeNumberIsReported() {
    for (String number : List.of("99999999999", "many")) {
      assertThat(Cli.run("compress", "--parallel", number, "a").error())
          .contains("'" + number + "' is not a whole number up to 2147483647");
    }
  }

  @Test
  void anErrorOfAFileNamesTheCause() {
    assertThat(ErrorText.of(new AccessDeniedException("/out")))
        .isEqualTo("/out: permission denied");
    assertThat(ErrorText.of(new UncheckedIOException(new NoSuchFileException("/a/b"))))
        .isEqualTo("/a/b: no such file or directory");
    assertThat(ErrorText.of(new FileAlreadyExistsException("/a"))).startsWith("/a: exists already");
    assertThat(ErrorText.of(new FileSystemException("/a", null, "Read-only file system")))
        .isEqualTo("/a: Read-only file system");
  }

  @Test
  void anErrorOfTheKeysOfAFleetNamesTheCause(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("keys"), "no folder");
    Cli run = Cli.run("fleet", "init", file);
    assertThat(run.status()).isEqualTo(ExitCode.FAILURE.status());
    assertThat(run.error())
        .isEqualTo("dpu: fleet init: " + file + ": exists already, or is not a directory");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "compress NAME",
        "decompress NAME",
        "hash NAME",
        "hash --check NAME",
        "ec verify NAME",
        "encrypt -k NAME a",
        "key -o NAME/key",
        "client compress NAME"
      })
  void anErrorOfANameWithControlCharactersIsOneLine(String words, @TempDir Path folder) {
    String name = folder.resolve("a\nb\u001b[31m").toString();
    Object[] command =
        Stream.of(words.split(" ")).map(word -> word.replace("NAME", name)).toArray();
    assertThat(Cli.run(command).error()).contains("a?b?[31m");
  }

  @Test
  void aResultOfANameWithControlCharactersIsOneLine(@TempDir Path folder) throws IOException {
    Cli run = Cli.run("compress", Files.writeString(folder.resolve("a\nb"), "content"));
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out()).hasLineCount(1).contains("a?b.gz: ");
  }

  @Test
  void aFileWithoutANameIsShownAsThat() {
    assertThat(Cli.run("compress", "").error()).isEqualTo("dpu: '': is a directory");
  }
}
