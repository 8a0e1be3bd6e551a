package io.dpuactors.apps;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dpuactors.apps.cli.ExitCode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@code dpu serve rdma} and {@code dpu client rdma}. */
class RdmaProgramsTest extends ChannelPrograms {
  private Program serveRdma(Object... options) throws Exception {
    Object[] words = new Object[options.length + 2];
    words[0] = "serve";
    words[1] = "rdma";
    System.arraycopy(options, 0, words, 2, options.length);
    Program server = dpu(words);
    awaitLine(server, "serving rdma on software DPU 0000:03:00.0 at ");
    return server;
  }

  @Test
  void everyOperationIsMeasuredAndVerified() throws Exception {
    Program server = serveRdma("--memory", "64K", "--message-size", "4K");
    for (String operation : List.of("write", "read", "send", "atomic")) {
      JsonNode json =
          json(
              "client",
              "rdma",
              "--operation",
              operation,
              "--size",
              1001,
              "--count",
              700,
              "--parallel",
              5,
              "--connections",
              2,
              "--verify",
              "--json");
      assertThat(json.at("/operation").asText()).isEqualTo(operation);
      assertThat(json.at("/size").asInt()).isEqualTo(operation.equals("atomic") ? 8 : 1001);
      assertThat(json.at("/count").asInt()).isEqualTo(1400);
      assertThat(json.at("/verified").asBoolean()).isTrue();
      assertThat(json.at("/data_error").asBoolean()).isFalse();
      assertThat(json.at("/tasks_per_second").asDouble()).isPositive();
      assertThat(json.at("/p50_ns").asLong()).isBetween(1L, json.at("/max_ns").asLong());
    }
    stop(server, "TERM", 0);
  }

  @Test
  void allSizesAreMeasuredAsFarAsTheServerAllows() throws Exception {
    Program server = serveRdma("--memory", "64K", "--message-size", "4K");
    Cli rates = Cli.run("client", "rdma", "--all", "--count", 3, "--verify");
    assertThat(rates.status()).as(rates.err()).isZero();
    assertThat(rates.out()).startsWith("rdma write, software DPU").contains("BW average[MiB/sec]");
    assertThat(rates.out().lines().skip(2)).hasSize(16);
    assertThat(rates.out().lines().reduce((a, b) -> b).orElseThrow()).matches(" +65536 +3 .*");
    Cli times =
        Cli.run("client", "rdma", "--all", "--operation", "send", "--latency", "--count", 20);
    assertThat(times.out()).contains("t_typical[usec]", "99.9%");
    assertThat(times.out().lines().skip(2)).hasSize(12);
    JsonNode one =
        new ObjectMapper()
            .readTree(
                Cli.run("client", "rdma", "--latency", "--count", 10, "--size", "1K", "--json")
                    .out());
    assertThat(one.at("/parallel").asInt()).isEqualTo(1);
    assertThat(one.at("/min_ns").asLong()).isBetween(1L, one.at("/p50_ns").asLong());
    assertThat(one.at("/p999_ns").asLong())
        .isBetween(one.at("/p99_ns").asLong(), one.at("/max_ns").asLong());
    assertThat(one.at("/stdev_ns").isNumber()).isTrue();
    assertThat(Cli.run("client", "rdma", "--count", 10, "--trials", 3, "--json").out().lines())
        .hasSize(3);
    stop(server, "TERM", 0);
  }

  /** The server grants more messages only after it has handled the first. */
  @Test
  void manySmallMessagesDoNotOverrunTheServer() throws Exception {
    Program server = serveRdma();
    JsonNode json =
        json(
            "client",
            "rdma",
            "--operation",
            "send",
            "--size",
            1,
            "--count",
            5_000,
            "--parallel",
            64,
            "--verify",
            "--json");
    assertThat(json.at("/count").asInt()).isEqualTo(5_000);
    assertThat(json.at("/data_error").asBoolean()).isFalse();
    stop(server, "TERM", 0);
  }

  /** The parts of the memory are fewer than the tasks in flight. */
  @Test
  void batchesAreMeasuredAndVerified() throws Exception {
    Program server = serveRdma("--memory", "64K", "--message-size", "4K");
    for (String operation : List.of("write", "read", "send")) {
      String words = "client rdma --verify --json --operation " + operation;
      words += " --size 1001 --count 1800 --parallel 150 --batch 50 --connections 2";
      JsonNode json = json((Object[]) words.split(" "));
      assertThat(json.at("/batch").asInt()).isEqualTo(50);
      assertThat(json.at("/count").asInt()).isEqualTo(3600);
      assertThat(json.at("/data_error").asBoolean()).isFalse();
    }
    stop(server, "TERM", 0);
  }

  /** The first write lasts until the requests of the others have arrived. */
  @Test
  void allTasksInFlightAreOnTheDevice() throws Exception {
    Program server = serveRdma();
    String words = "client rdma --size 8 --count 2000 --parallel 2000 --json";
    Program client =
        dpu(Map.of("SOFTDPU_FAULTS", "rdma-write:delay=2s:nth=1"), (Object[]) words.split(" "));
    assertThat(client.status()).as(client.err()).isZero();
    JsonNode json = new ObjectMapper().readTree(client.out());
    assertThat(json.at("/parallel").asInt()).isEqualTo(2000);
    assertThat(json.at("/count").asInt()).isEqualTo(2000);
    stop(server, "TERM", 0);
  }

  /** The device refuses the context, although the load has fewer tasks. */
  @Test
  void theConfiguredNumberOfTasksCounts() throws Exception {
    Program refused = dpu("client", "rdma", "-Ddpu.rdma.tasks=8193");
    assertThat(refused.status()).as(refused.err()).isEqualTo(ExitCode.DEVICE.status());
  }

  @ParameterizedTest
  @CsvSource({
    "--batch 0, must be at least 1",
    "--batch 3, --count and --parallel must be multiples of it",
    "--batch 2 --latency, not with --latency",
    "--batch 2 --operation atomic, not with --latency or --operation atomic",
    "--batch 500 --operation send --count 1000 --parallel 500, at most 384 for --operation send",
    "--parallel 64 --connections 200, all connections together have at most 8192 tasks"
  })
  void badLoadsAreRefused(String words, String why) {
    Cli refused = Cli.run((Object[]) ("client rdma " + words).split(" "));
    assertThat(refused.status()).isEqualTo(ExitCode.USAGE.status());
    assertThat(refused.error()).contains(why);
  }

  @ParameterizedTest
  @CsvSource({"write, 128K, 64 KiB", "send, 8K, 4 KiB"})
  void aSizeBeyondTheServersIsReported(String operation, String size, String limit)
      throws Exception {
    Program server = serveRdma("--memory", "64K", "--message-size", "4K");
    Cli large = Cli.run("client", "rdma", "--operation", operation, "--size", size);
    assertThat(large.status()).isEqualTo(ExitCode.DEVICE.status());
    assertThat(large.error()).contains("the server allows " + limit + " for " + operation);
    stop(server, "TERM", 0);
  }

  /** One task in flight needs one buffer. Atomic tasks and --all do not use the size. */
  @ParameterizedTest
  @ValueSource(
      strings = {"--latency --size 256M", "--operation atomic --size 1G", "--all --size 1G"})
  void aSizeOfNoBufferIsNotRefused(String words) {
    Cli alone = Cli.run((Object[]) ("client rdma --port 4795 " + words).split(" "));
    assertThat(alone.status()).isEqualTo(ExitCode.FAILURE.status());
    assertThat(alone.error()).contains("no server at 127.0.0.1 port 4795");
  }

  @Test
  void aMissingServerAndAPortInUseAreReportedInOneLine() throws Exception {
    Cli alone = Cli.run("client", "rdma", "--port", 4795);
    assertThat(alone.status()).isEqualTo(ExitCode.FAILURE.status());
    assertThat(alone.error())
        .contains("no server at 127.0.0.1 port 4795", "./dpu serve rdma --port 4795");
    Program server = serveRdma();
    Program second = dpu("serve", "rdma");
    assertThat(second.status()).isEqualTo(ExitCode.DEVICE.status());
    assertThat(second.err())
        .isEqualToIgnoringNewLines(
            "dpu: another server listens to port 4791 of 0000:03:00.0"
                + " (choose another with --port)");
    stop(server, "TERM", 0);
  }

  @Test
  void aKilledServerEndsTheClient() throws Exception {
    Program server = serveRdma();
    Program client = dpu("client", "rdma", "--count", 100_000_000, "--size", 8);
    Cli.run("client", "rdma", "--count", 1);
    kill(server, "KILL");
    assertThat(client.status()).isEqualTo(ExitCode.FAILURE.status());
    assertThat(client.err()).hasLineCount(1);
  }

  /** The programs meet in different folders, so the client reaches the server by TCP only. */
  @Test
  void aClientOfAnotherFolderConnectsByTcp(@TempDir Path folder) throws Exception {
    byte[] secret = new byte[32];
    new SecureRandom().nextBytes(secret);
    Path key = Files.write(folder.resolve("key"), secret);
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    Map<String, String> there = meetingAt(folder.resolve("there"));
    Map<String, String> here = meetingAt(folder.resolve("here"));
    String port = freePort();
    Program server = dpu(with(there, key), "serve", "rdma", "--port", port, "--memory", "256K");
    awaitLine(server, "serving rdma on software DPU 0000:03:00.0 at ");
    for (String operation : List.of("write", "send")) {
      Program client = rdmaClient(with(here, key), port, operation);
      assertThat(client.status()).as(client.err()).isZero();
      JsonNode json = new ObjectMapper().readTree(client.out());
      assertThat(json.at("/count").asInt()).isEqualTo(50);
      assertThat(json.at("/verified").asBoolean()).isTrue();
      assertThat(json.at("/data_error").asBoolean()).isFalse();
    }
    Program withoutKey = rdmaClient(here, port, "write");
    assertThat(withoutKey.status()).isEqualTo(ExitCode.FAILURE.status());
    assertThat(withoutKey.err()).contains("no server at 127.0.0.1 port " + port);
    stop(server, "TERM", 0);
  }

  private Program rdmaClient(Map<String, String> environment, String port, String operation)
      throws Exception {
    return dpu(
        environment,
        "client",
        "rdma",
        "--host",
        "127.0.0.1",
        "--port",
        port,
        "--operation",
        operation,
        "--size",
        "60K",
        "--count",
        50,
        "--verify",
        "--json");
  }

  private static Map<String, String> meetingAt(Path folder) throws IOException {
    Files.createDirectory(
        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    return Map.of("SOFTDPU_DIR", folder.toString());
  }

  private static Map<String, String> with(Map<String, String> environment, Path key) {
    Map<String, String> all = new HashMap<>(environment);
    all.put("SOFTDPU_RDMA_KEY", key.toString());
    return all;
  }

  private static String freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return Integer.toString(socket.getLocalPort());
    }
  }
}
