package io.dpuactors.apps;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.apps.cli.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An invalid variable of the software DPU ends every command with one line and status 2. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class EnvironmentTest {
  @TempDir Path folder;
  @TempDir Path logs;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "devices",
        "devices --json",
        "compress FILE",
        "compress --json FILE",
        "decompress FILE.gz",
        "copy FILE COPY",
        "hash FILE",
        "serve ping",
        "serve compress",
        "client ping",
        "client compress FILE",
        "fleet node --port 0"
      })
  void everyCommandRefusesAnInvalidNumber(String command) throws Exception {
    assertRefused(command, "SOFTDPU_THREADS", "abc", "it must be a number from 1 to 64");
  }

  @ParameterizedTest
  @ValueSource(strings = {"devices", "compress FILE", "serve ping", "client ping"})
  void everyCommandRefusesAFolderThatOtherUsersCanAccess(String command) throws Exception {
    Path open = Files.createDirectory(logs.resolve("open"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-xr-x"));
    assertRefused(
        command,
        "SOFTDPU_DIR",
        open.toString(),
        "other users can access the folder (mode 0755); name a folder of mode 0700 that belongs to you");
    assertThat(open).isEmptyDirectory();
  }

  private void assertRefused(String command, String name, String value, String reason)
      throws Exception {
    Files.writeString(folder.resolve("FILE"), "text");
    Files.writeString(folder.resolve("FILE.gz"), "no gzip");
    Object[] words = command.replaceAll("FILE|COPY", folder + "/$0").split(" ");

    Program program = Program.dpu(logs, Map.of(name, value), List.of(), words);

    assertThat(program.status()).as(program.err()).isEqualTo(ExitCode.USAGE.status());
    assertThat(program.err())
        .isEqualToIgnoringNewLines("dpu: " + name + " is \"" + value + "\": " + reason);
    assertThat(folder.toFile().list()).containsExactlyInAnyOrder("FILE", "FILE.gz");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SOFTDPU_ROLE | hots | it must be host, dpu or both",
        "SOFTDPU_PROFILE | bluefield9 | it must be full, bluefield2 or bluefield3",
        "SOFTDPU_DIR | /proc/none/folder | cannot create the folder: No such file or directory; name a folder",
        "SOFTDPU_FAULTS | dma-memcpy:explode | rule 1 \"dma-memcpy:explode\" is not <task type>:",
      })
  void theLineNamesTheVariableItsValueAndTheReason(String name, String value, String reason)
      throws Exception {
    Program program = Program.dpu(logs, Map.of(name, value), List.of(), "devices");

    assertThat(program.status()).as(program.err()).isEqualTo(ExitCode.USAGE.status());
    assertThat(program.err())
        .hasLineCount(1)
        .startsWith("dpu: " + name + " is \"" + value + "\": " + reason);
    assertThat(program.out()).isEmpty();
  }

  @Test
  void helpNeedsNoValidEnvironment() throws Exception {
    Program help = Program.dpu(logs, Map.of("SOFTDPU_THREADS", "abc"), List.of(), "--help");

    assertThat(help.status()).isZero();
    assertThat(help.err()).isEmpty();
  }
}
