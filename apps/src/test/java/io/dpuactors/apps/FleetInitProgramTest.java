package io.dpuactors.apps;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests signals to {@code dpu fleet init}. */
class FleetInitProgramTest extends ProgramFixture {
  /** The members take about a minute, and their folder exists at once. */
  @ParameterizedTest
  @CsvSource({"TERM, 143", "INT, 130"})
  void aSignalLeavesNoKeys(String signal, int status) throws Exception {
    Path keys = folder.resolve("keys");
    Program init = dpu("fleet", "init", keys, "--members", 64);
    init.await("the folder of keytool", () -> hasEntry(keys) || !init.process().isAlive());
    String pid = String.valueOf(init.process().pid());
    assertThat(Program.of(logs, "kill", "-" + signal, pid).status()).as(init.err()).isZero();
    assertThat(init.status()).as(init.err()).isEqualTo(status);
    assertThat(keys).doesNotExist();
    assertThat(init.err()).isEqualTo("dpu: fleet init: interrupted; no keys were added\n");
    assertThat(init.out()).isEmpty();
  }

  private static boolean hasEntry(Path folder) throws IOException {
    if (Files.notExists(folder)) {
      return false;
    }
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.findAny().isPresent();
    }
  }
}
