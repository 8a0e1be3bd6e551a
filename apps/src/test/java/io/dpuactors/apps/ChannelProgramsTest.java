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
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests servers and clients as users start them, each in a separate process. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class ChannelProgramsTest extends ChannelPrograms {
  private static final int LOOK_MS = 20;
  private static final int BLOCK = 16 << 10;

  @TempDir Path folder;

  private Path text(String name, int bytes) throws IOException {
    byte[] text = new byte[bytes];
    Random random = new Random(bytes);
    for (int i = 0; i < bytes; i++) {
      text[i] = (byte) "etaoin shrdlu\n".charAt(random.nextInt(14));
    }
    return Files.write(folder.resolve(name), text);
  }

  private void unpacksTo(Path packed, Path content) throws Exception {
    Program gzip = Program.of(logs, "gzip", "-dc", packed.toString());
    assertThat(gzip.status()).as(gzip.err()).isZero();
    assertThat(gzip.outFile()).hasSameBinaryContentAs(content);
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(f -> f.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void pingsAreAnsweredAndMeasured() throws Exception {
    Program server = serve("serve", "ping");
    Program table = dpu("client", "ping", "--count", 200, "--trials", 2);
    assertThat(table.status()).as(table.err()).isZero();
    assertThat(table.out()).contains("200 pings of 4 bytes", "p99.9", "us").hasLineCount(4);
    JsonNode json = json("client", "ping", "--count", 200, "--size", 1000, "--json");
    assertThat(json.at("/device").asText()).isEqualTo("software DPU");
    assertThat(json.at("/count").asInt()).isEqualTo(200);
    assertThat(json.at("/size").asInt()).isEqualTo(1000);
    long p50 = json.at("/p50_ns").asLong();
    assertThat(p50).isPositive().isLessThanOrEqualTo(json.at("/p90_ns").asLong());
    assertThat(json.at("/p99_ns").asLong()).isLessThanOrEqualTo(json.at("/max_ns").asLong());
    assertThat(json.at("/mean_ns").asDouble()).isPositive();
    assertThat(json.at("/elapsed_us").asDouble() * 1000).isGreaterThan(100.0 * p50);
    stop(server, "TERM", 0);
    assertClients(server, 3);
  }

  /** Two clients compete for the only place; the one in the separate process keeps it. */
  @Test
  void aFullServerIsReportedInOneLine() throws Exception {
    Program server = serve(Map.of("SOFTDPU_MAX_CLIENTS", "1"), "serve", "ping");
    Program keeper = dpu("client", "ping", "--count", 1_000_000_000);
    Cli client = Cli.run("client", "ping", "--count", 1);
    while (client.status() == 0) {
      if (!keeper.process().isAlive()) {
        keeper = dpu("client", "ping", "--count", 1_000_000_000);
      }
      client = Cli.run("client", "ping", "--count", 1);
    }
    assertThat(client.status()).isEqualTo(ExitCode.FAILURE.status());
    assertThat(client.error()).isEqualTo("dpu: server \"shoc-test\" on 0000:81:00.0 is full");
    kill(keeper, "TERM");
    keeper.status();
    stop(server, "TERM", 0);
  }

  @ParameterizedTest
  @CsvSource({"dpu, client, connect to servers on a DPU", "host, serve, serve clients of the host"})
  void theWrongSideIsReportedWithItsDevices(String role, String command, String what)
      throws Exception {
    Program wrong = Program.dpu(logs, Map.of("SOFTDPU_ROLE", role), List.of(), command, "ping");
    assertThat(wrong.status()).isEqualTo(ExitCode.DEVICE.status());
    assertThat(wrong.err())
        .matches("dpu: no device can " + what + ": software DPU has 0000:[0-9a-f:., ]+\\R");
  }

  @Test
  void anEngineThatCannotBeCreatedIsReportedAndEndsTheProgram() throws Exception {
    Program server = dpu("serve", "ping", "-Ddpu.engine-dispatcher.executor=nobody");
    assertThat(server.status()).isEqualTo(ExitCode.USAGE.status());
    assertThat(server.err()).hasLineCount(1).contains("nobody");
  }

  @Test
  void aNameInUseIsReportedInOneLine() throws Exception {
    Program server = serve("serve", "ping");
    Program second = dpu("serve", "ping");
    assertThat(second.status()).isEqualTo(ExitCode.DEVICE.status());
    assertThat(second.err())
        .isEqualToIgnoringNewLines(
            "dpu: another server has the name \"shoc-test\" for 0000:81:00.0"
                + " (choose another with --name)");
    stop(server, "TERM", 0);
  }

  @Test
  void aServerAlsoEndsByTheKeyboard() throws Exception {
    stop(serve("serve", "ping"), "INT", 130);
  }

  @ParameterizedTest
  @ValueSource(strings = {"data", "dma"})
  void blocksAreMovedAndMeasured(String service) throws Exception {
    Program server = serve("serve", service, "--blocks", 300, "-b", "10K", "--idle", "adaptive");
    Program text = dpu("client", service, "--verify", "--idle", "event", "--trials", 2);
    assertThat(text.status()).as(text.err()).isZero();
    assertThat(text.out().lines())
        .hasSize(2)
        .allMatch(line -> line.startsWith("300 blocks of 10 KiB"))
        .allMatch(line -> line.endsWith("GiB/s, verified, software DPU"));
    JsonNode json = json("client", service, "--json", "--idle", "busy");
    assertThat(json.at("/blocks").asInt()).isEqualTo(300);
    assertThat(json.at("/block_size").asInt()).isEqualTo(10240);
    assertThat(json.at("/verified").asBoolean()).isFalse();
    assertThat(json.at("/data_error").isBoolean()).isTrue();
    assertThat(json.at("/data_error").asBoolean()).isFalse();
    double seconds = json.at("/elapsed_us").asDouble() / 1e6;
    assertThat(json.at("/data_rate_gibps").asDouble() * seconds * (1 << 30))
        .isBetween(300 * 10240 * 0.999, 300 * 10240 * 1.001);
    Cli poor = Cli.run("client", service, "--max-memory", "1M");
    assertThat(poor.status()).isEqualTo(ExitCode.FAILURE.status());
    assertThat(poor.err()).hasLineCount(1).contains("3072000 bytes; the limit is 1048576");
    stop(server, "TERM", 0);
    assertClients(server, 4);
  }

  @Test
  void filesAreCompressedOnTheOtherSide() throws Exception {
    Program server = serve("serve", "compress", "-b", "16K");
    Path file = text("text", 40 * BLOCK + 1);
    Program plain = dpu("client", "compress", file);
    assertThat(plain.status()).as(plain.err()).isZero();
    assertThat(plain.out()).contains("text.gz", "41 blocks", "ratio").hasLineCount(1);
    unpacksTo(folder.resolve("text.gz"), file);
    Cli again = Cli.run("client", "compress", file);
    assertThat(again.status()).isEqualTo(ExitCode.FAILURE.status());
    assertThat(again.err()).hasLineCount(1).contains("--force");
    Path other = folder.resolve("other.gz");
    Cli verified =
        Cli.run(
            "client", "compress", "--verify", "-b", "9000", "-p", 2, "--json", "-o", other, file);
    assertThat(verified.status()).as(verified.err()).isZero();
    assertThat(new ObjectMapper().readTree(verified.out()).at("/files/0/blocks").asInt())
        .isEqualTo(73);
    unpacksTo(other, file);
    Path empty = Files.createFile(folder.resolve("empty"));
    assertThat(Cli.run("client", "compress", "-q", empty).status()).isZero();
    unpacksTo(folder.resolve("empty.gz"), empty);
    Cli missing = Cli.run("client", "compress", folder.resolve("nothing"));
    assertThat(missing.status()).isEqualTo(ExitCode.INPUT.status());
    stop(server, "TERM", 0);
    assertClients(server, 3);
  }

  /** Runs four clients at once; the test kills one of them in the middle of its stream. */
  @Test
  void aKilledClientDoesNotAffectOtherClients() throws Exception {
    Program server =
        serve(
            Map.of("SOFTDPU_FAULTS", "compress-deflate:delay=5ms"),
            "serve",
            "compress",
            "-b",
            "4K");
    List<Program> clients = new ArrayList<>();
    List<Path> files = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      files.add(text("text" + i, 400 * 4096 + i));
      clients.add(dpu("client", "compress", files.get(i)));
    }
    Program victim = clients.remove(0);
    awaitPartial(victim);
    kill(victim, "KILL");
    for (int i = 0; i < 3; i++) {
      assertThat(clients.get(i).status()).as(clients.get(i).err()).isZero();
      unpacksTo(folder.resolve("text" + (i + 1) + ".gz"), files.get(i + 1));
    }
    assertThat(Cli.run("client", "compress", "-f", files.get(0)).status()).isZero();
    unpacksTo(folder.resolve("text0.gz"), files.get(0));
    assertThat(victim.status()).isEqualTo(137);
    stop(server, "TERM", 0);
  }

  private void awaitPartial(Program client) throws Exception {
    while (names().stream().noneMatch(name -> name.endsWith(".part"))) {
      assertThat(client.process().waitFor(LOOK_MS, TimeUnit.MILLISECONDS)).isFalse();
    }
  }

  @ParameterizedTest
  @CsvSource({"KILL, -", "TERM, -", "-, TERM"})
  void anEndOfEitherSideLeavesNothingPartial(String ofServer, String ofClient) throws Exception {
    Program server =
        serve(
            Map.of("SOFTDPU_FAULTS", "compress-deflate:delay=20ms"),
            "serve",
            "compress",
            "-b",
            "4K");
    Program client = dpu("client", "compress", text("text", 1000 * 4096));
    awaitPartial(client);
    if (ofClient.equals("-")) {
      kill(server, ofServer);
      assertThat(client.status()).as(client.err()).isEqualTo(ExitCode.FAILURE.status());
      assertThat(client.err()).contains("block ").hasLineCount(1);
    } else {
      kill(client, ofClient);
      assertThat(client.status()).as(client.err()).isEqualTo(143);
      assertThat(client.err()).contains("interrupted").hasLineCount(1);
      stop(server, "TERM", 0);
    }
    assertThat(names()).containsExactly("text");
  }

  @Test
  void aDeviceFailureOfTheOtherSideIsReported() throws Exception {
    Program server =
        serve(
            Map.of("SOFTDPU_FAULTS", "compress-deflate:fail=IO_FAILED:nth=5"), "serve", "compress");
    Program client = dpu("client", "compress", "-b", "4K", text("text", 20 * 4096));
    assertThat(client.status()).isEqualTo(ExitCode.FAILURE.status());
    assertThat(client.err()).contains("DOCA_ERROR_").hasLineCount(1);
    assertThat(names()).containsExactly("text");
    stop(server, "TERM", 0);
    assertThat(server.err())
        .contains("closing the connection", "connection-1 ended")
        .hasLineCount(2);
  }

  @Test
  void verifyingFindsWrongBytesOfADevice() throws Exception {
    Program server =
        serve(Map.of("SOFTDPU_FAULTS", "compress-deflate:corrupt:nth=3"), "serve", "compress");
    Program client = dpu("client", "compress", "--verify", "-b", "4K", text("text", 20 * 4096));
    assertThat(client.status()).isEqualTo(ExitCode.FAILURE.status());
    assertThat(client.err()).contains("block 2", "verification failed").hasLineCount(1);
    assertThat(names()).containsExactly("text");
    stop(server, "TERM", 0);
  }

  @Test
  void theEnvironmentNamesDevices() throws Exception {
    Program server =
        dpu(
            Map.of("DOCA_DEV_PCI", "03:00.1", "DOCA_DEV_REP_PCI", "81:00.1"),
            "serve",
            "ping",
            "--json",
            "--name",
            "mine");
    awaitLine(server, "\"serving\":\"ping\"");
    assertThat(server.out()).contains("0000:03:00.1", "81:00.1", "\"name\":\"mine\"");
    Program client =
        dpu(Map.of("DOCA_DEV_PCI", "81:00.1"), "client", "ping", "--name", "mine", "--count", 10);
    assertThat(client.status()).as(client.err()).isZero();
    assertThat(client.out()).contains("software DPU 0000:81:00.1");
    Program wrong = dpu(Map.of("DOCA_DEV_PCI", "81:00.1"), "serve", "ping");
    assertThat(wrong.status()).isEqualTo(ExitCode.DEVICE.status());
    assertThat(wrong.err()).hasLineCount(1).contains("0000:81:00.1", "cannot serve clients");
    Program none = dpu(Map.of("DOCA_DEV_PCI", "02:00.0"), "client", "ping");
    assertThat(none.status()).isEqualTo(ExitCode.DEVICE.status());
    assertThat(none.err()).hasLineCount(1).contains("no device 02:00.0");
    stop(server, "TERM", 0);
  }

  /** Runs the plain C programs, if they are built, as client and as server. */
  @ParameterizedTest
  @ValueSource(strings = {"ping", "data", "dma"})
  void programsInPlainCUseTheSameProtocol(String service) throws Exception {
    Path c = Path.of(System.getProperty("dpu.root"), "benchmarks/target/c", service + "-c");
    assumeThat(c).as("scripts/build-plain-c makes it").isExecutable();
    Object[] options = service.equals("ping") ? new Object[] {"--count", 100} : new Object[] {};
    Program server = serve("serve", service);
    Program client = plainC(c, "client", options);
    assertThat(client.status()).as(client.err()).isZero();
    assertThat(client.out()).contains("\"elapsed_us\"").doesNotContain("\"data_error\":true");
    stop(server, "TERM", 0);
    server = plainC(c, "serve");
    awaitLine(server, "ready");
    List<Object> words = new ArrayList<>(List.of("client", service, "--json"));
    words.addAll(List.of(service.equals("ping") ? options : new Object[] {"--verify"}));
    JsonNode json = json(words.toArray());
    assertThat(json.at("/elapsed_us").asDouble()).isPositive();
    assertThat(json.at("/data_error").asBoolean()).isFalse();
    kill(server, "TERM");
    assertThat(server.status()).as(server.err()).isZero();
  }
}
