package io.dpuactors.apps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.dpuactors.apps.cli.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests how the program reports wrong configuration, in a separate process. */
class ConfigurationErrorsTest extends ProgramFixture {
  @Test
  void aBrokenConfigurationIsNamedWithItsLine() throws Exception {
    Path file = Files.write(folder.resolve("a"), text(10));
    Path config =
        Files.writeString(
            folder.resolve("bad.conf"), "dpu {\n  library = softdpu\n  engine = [\n}\n");
    Program run = Program.dpu(logs, Map.of(), List.of("-Dconfig.file=" + config), "compress", file);
    assertThat(run.status()).isEqualTo(ExitCode.USAGE.status());
    assertThat(run.err()).hasLineCount(1).contains("bad.conf: 4");
  }

  @ParameterizedTest
  @CsvSource({
    "-Ddpu.library=fly, fly",
    "-Ddpu.engine.idle=never, never",
    "-Ddpu.engine.submission-ring=3, submission-ring",
    "-Ddpu.compress.window=0, dpu.compress.window",
    "-Ddpu.compress.window=many, dpu.compress.window",
    "-Ddpu.compress.queue=many, dpu.compress.queue",
    "-Ddpu.compress.deadline=1x, dpu.compress.deadline"
  })
  void aSettingThatCannotBeIsWrongUse(String option, String named) throws Exception {
    Path file = Files.write(folder.resolve("a"), text(10));
    Program run = dpu("compress", option, file);
    assertThat(run.status()).as(run.err()).isEqualTo(ExitCode.USAGE.status());
    assertThat(run.err()).hasLineCount(1).contains(named);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "many"})
  void aNumberOfRdmaTasksThatCannotBeIsWrongUse(String tasks) throws Exception {
    Program run = dpu("client", "rdma", "-Ddpu.rdma.tasks=" + tasks);
    assertThat(run.status()).as(run.err()).isEqualTo(ExitCode.USAGE.status());
    assertThat(run.err()).hasLineCount(1).contains("dpu.rdma.tasks");
  }

  @ParameterizedTest
  @CsvSource({"node.drain-deadline=abc", "node.workers=0", "client.window=129"})
  void aFleetDoesNotStartWithASettingThatCannotBe(String setting) throws Exception {
    Program run = dpu("fleet", "up", "-Ddpu.fleet." + setting);
    assertThat(run.status()).as(run.err()).isEqualTo(ExitCode.USAGE.status());
    assertThat(run.err()).hasLineCount(1).contains(setting.substring(0, setting.indexOf('=')));
  }

  @Test
  void anUnreadableFileOfTheLastRunIsNamedWithTheReason() throws Exception {
    Path members = Files.writeString(folder.resolve("127.0.0.1:25529.members"), "end\n");
    Files.setPosixFilePermissions(members, Set.of());
    assumeThat(Files.isReadable(members)).as("root reads every file").isFalse();
    Program run = dpu("fleet", "node", "--port", 25529, "-Ddpu.fleet.node.state-dir=" + folder);
    assertThat(run.status()).as(run.err()).isEqualTo(ExitCode.FAILURE.status());
    assertThat(run.err()).hasLineCount(1).contains(members + ": permission denied");
  }

  @Test
  void moreDevicesThanAGroupHasEnginesAreWrongUse() throws Exception {
    String devices = String.join(",", Collections.nCopies(65, "03:00.0"));
    Program node = dpu("fleet", "node", "--begin", "--port", 0, "--devices", devices);
    assertThat(node.status()).as(node.err()).isEqualTo(ExitCode.USAGE.status());
    assertThat(node.err()).contains("--devices has 65 addresses; the limit is 64");
  }

  /** The name of the folder is wrong, which the guardian finds after the checks of the command. */
  @Test
  void aNodeWhoseGuardianFailsAtItsStartEndsWithAFailure() throws Exception {
    Path config =
        Files.writeString(
            folder.resolve("own.conf"),
            "dpu { library = softdpu, fleet.node.state-dir = \"a\\u0000b\" }");
    Program node =
        Program.dpu(
            logs,
            Map.of(),
            List.of("-Dconfig.file=" + config),
            "fleet",
            "node",
            "--begin",
            "--port",
            FleetProcesses.freePorts());
    assertThat(node.status()).as(node.err()).isEqualTo(ExitCode.FAILURE.status());
    assertThat(node.err()).contains("dpu: the node has failed; its log names the cause\n");
  }

  @ParameterizedTest
  @CsvSource({"compress", "devices", "client"})
  void aKeyThatDoesNotExistIsNamedWithItsLine(String command) throws Exception {
    List<Object> words = new ArrayList<>(List.of(command));
    words.addAll(
        switch (command) {
          case "compress" -> List.of(Files.write(folder.resolve("a"), text(10)));
          case "client" -> List.of("ping");
          default -> List.of();
        });
    Path config =
        Files.writeString(
            folder.resolve("own.conf"), "dpu {\n  engine {\n    idel = busy\n }\n}\n");
    Program file = Program.dpu(logs, Map.of(), List.of("-Dconfig.file=" + config), words.toArray());
    assertThat(file.status()).as(file.err()).isEqualTo(ExitCode.USAGE.status());
    assertThat(file.err())
        .hasLineCount(1)
        .startsWith("dpu: configuration: ")
        .contains("own.conf: 3: there is no key dpu.engine.idel; did you mean dpu.engine.idle?");
    words.add("-Ddpu.libary=softdpu");
    Program option = dpu(words.toArray());
    assertThat(option.status()).as(option.err()).isEqualTo(ExitCode.USAGE.status());
    assertThat(option.err())
        .isEqualToIgnoringNewLines(
            "dpu: configuration: system properties: there is no key dpu.libary; did you mean dpu.library?");
  }

  @Test
  void referencesToDefaultsResolveWithoutAnEngine() throws Exception {
    Path config =
        Files.writeString(
            folder.resolve("own.conf"),
            "dpu { library = softdpu, dma.window = ${dpu.compress.window}, lease.debug = true }");
    Program devices = Program.dpu(logs, Map.of(), List.of("-Dconfig.file=" + config), "devices");
    assertThat(devices.status()).as(devices.err()).isEqualTo(ExitCode.USAGE.status());
    assertThat(devices.err())
        .hasLineCount(1)
        .contains("own.conf: 1: there is no key dpu.lease.debug", "-Ddpu.lease.debug=...");
    Files.writeString(config, "dpu { library = softdpu, dma.window = ${dpu.compress.window} }");
    Program again = dpu("devices", "-Dconfig.file=" + config, "-Ddpu.lease.debug=true", "--json");
    assertThat(again.status()).as(again.err()).isZero();
  }
}
