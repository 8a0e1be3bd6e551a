package io.dpuactors.apps;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dpuactors.apps.cli.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the help and the error messages of servers and clients. */
class ChannelUseTest {
  @Test
  void helpShowsExamples() {
    for (String side : List.of("serve", "client")) {
      assertThat(Cli.run(side, "--help").out())
          .contains("ping", "data", "dma", "compress", "rdma", "Exit status", "Examples", "143");
      assertThat(Cli.run("help", side).out()).isEqualTo(Cli.run(side, "--help").out());
      for (String service : List.of("ping", "data", "dma", "compress")) {
        Cli help = Cli.run(side, service, "--help");
        assertThat(help.status()).isZero();
        assertThat(help.out())
            .contains("Exit status", "Examples", "143", "--device", "--name", "--idle", "--json")
            .contains("DOCA_DEV_PCI", "dpu " + side + " " + service);
      }
      assertThat(Cli.run(side, "rdma", "--help").out())
          .contains("Exit status", "Examples", "--port", "--idle", "--json", "dpu serve rdma")
          .doesNotContain("--name");
    }
  }

  static Stream<List<String>> wrongUse() {
    return Stream.of(
        List.of("serve"),
        List.of("client"),
        List.of("serve", "tea"),
        List.of("client", "tea"),
        List.of("serve", "ping", "--idle", "never"),
        List.of("serve", "ping", "--device", "mlx5_0"),
        List.of("serve", "ping", "--representor", "pf0hpf"),
        List.of("serve", "ping", "--max-clients", "0"),
        List.of("serve", "ping", "--name", " "),
        List.of("serve", "data", "--blocks", "0"),
        List.of("serve", "data", "-b", "0"),
        List.of("serve", "data", "--stall-limit", "0"),
        List.of("serve", "data", "-b", "2G"),
        List.of("serve", "dma", "--blocks", "3", "-b", "1G"),
        List.of("serve", "dma", "--dma-device", "x"),
        List.of("serve", "compress", "-b", "2G"),
        List.of("serve", "compress", "-p", "0"),
        List.of("serve", "compress", "--stall-limit", "0"),
        List.of("serve", "rdma", "--port", "65536"),
        List.of("serve", "rdma", "--connections", "0"),
        List.of("serve", "rdma", "--memory", "4"),
        List.of("serve", "rdma", "--message-size", "128M"),
        List.of("client", "rdma", "--trials", "0"),
        List.of("serve", "rdma", "--name", "x"),
        List.of("client", "rdma", "--operation", "copy"),
        List.of("client", "rdma", "--count", "0"),
        List.of("client", "rdma", "--connections", "0"),
        List.of("client", "rdma", "--parallel", "0"),
        List.of("client", "rdma", "--size", "1G", "--parallel", "2"),
        List.of("client", "rdma", "--port", "-1"),
        List.of("client", "rdma", "--idle", "never"),
        List.of("client", "ping", "--count", "0"),
        List.of("client", "ping", "--size", "3"),
        List.of("client", "ping", "--trials", "0"),
        List.of("client", "ping", "--representor", "81:00.0"),
        List.of("client", "data", "--trials", "0"),
        List.of("client", "data", "--max-memory", "none"),
        List.of("client", "dma", "--parallel", "0"),
        List.of("client", "dma", "--dma-device", "x"),
        List.of("client", "compress"),
        List.of("client", "compress", "a", "b"),
        List.of("client", "compress", "-o", "-", "a"),
        List.of("client", "compress", "-p", "0", "a"));
  }

  @ParameterizedTest
  @MethodSource
  void wrongUse(List<String> words) {
    Cli.run(words.toArray()).assertUsageError();
  }

  @Test
  void aBlockBeyondTheDeviceLimitIsRefusedBeforeTheServerStarts() {
    Cli large = Cli.run("serve", "compress", "-b", "1G");
    assertThat(large.status()).isEqualTo(ExitCode.DEVICE.status());
    assertThat(large.error()).contains("beyond the device's limit");
    Cli ping = Cli.run("client", "ping", "--size", "1M");
    assertThat(ping.status()).isEqualTo(ExitCode.DEVICE.status());
    assertThat(ping.error()).contains("the longest message");
  }

  @Test
  void aFileThatCannotBeReadOrWrittenIsReportedBeforeTheConnection(@TempDir Path folder)
      throws Exception {
    String nobody = "nobody-" + ProcessHandle.current().pid();
    Path file = Files.writeString(folder.resolve("a"), "text");
    Path taken = Files.createFile(folder.resolve("a.gz"));
    Cli missing = Cli.run("client", "compress", "--name", nobody, folder.resolve("b"));
    assertThat(missing.status()).isEqualTo(ExitCode.INPUT.status());
    assertThat(missing.error())
        .isEqualTo("dpu: " + folder.resolve("b") + ": cannot be read: no such file");
    Cli directory = Cli.run("client", "compress", "--name", nobody, folder);
    assertThat(directory.status()).isEqualTo(ExitCode.INPUT.status());
    assertThat(directory.error()).isEqualTo("dpu: " + folder + ": is a directory");
    Cli exists = Cli.run("client", "compress", "--name", nobody, "--json", file);
    assertThat(exists.status()).isEqualTo(ExitCode.FAILURE.status());
    assertThat(exists.error())
        .isEqualTo("dpu: " + taken + ": exists already (--force replaces it)");
    assertThat(exists.out()).contains("\"kind\" : \"exists\"");
    Cli same = Cli.run("client", "compress", "--name", nobody, "-f", "-o", file, file);
    assertThat(same.error()).contains("is the input as well as the output");
    Cli alone = Cli.run("client", "compress", "--name", nobody, "-f", file);
    assertThat(alone.error()).contains("(start one: ./dpu serve compress");
    assertThat(file).hasContent("text");
  }

  /** A script finds the exit status and the cause in the document, as after any other failure. */
  @Test
  void withoutAServerTheDocumentHasTheCause(@TempDir Path folder) throws Exception {
    String nobody = "nobody-" + ProcessHandle.current().pid();
    Path file = Files.writeString(folder.resolve("a"), "text");
    Cli client = Cli.run("client", "compress", "--name", nobody, "--json", file);
    JsonNode document = new ObjectMapper().readTree(client.out());
    assertThat(document.at("/exitStatus").asInt()).isEqualTo(client.status()).isEqualTo(1);
    assertThat(document.at("/files").isEmpty()).isTrue();
    assertThat(client.error()).isEqualTo("dpu: " + document.at("/error/message").asText());
  }

  @Test
  void withoutAServerThereIsAdvice() {
    String nobody = "nobody-" + ProcessHandle.current().pid();
    for (String service : List.of("ping", "data", "dma")) {
      Cli client = Cli.run("client", service, "--name", nobody);
      assertThat(client.status()).isEqualTo(ExitCode.FAILURE.status());
      assertThat(client.error())
          .isEqualTo(
              "dpu: no server \"%s\" on 0000:81:00.0 (start one: ./dpu serve %s --name %s)"
                  .formatted(nobody, service, nobody));
    }
  }
}
