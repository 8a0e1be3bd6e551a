package io.dpuactors.apps;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests fleets of real processes, some of which are killed. */
@Timeout(value = 400, unit = TimeUnit.SECONDS)
class FleetProgramTest {
  private static final int NODES = 3;
  private static final int BLOCKS = 120;
  private static final int BLOCK = 64 << 10;
  private static final int POLL_MS = 20;
  private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(150);

  @TempDir Path folder;
  @TempDir Path logs;

  private final int port = freePorts();
  private @Nullable Program running;

  /** Returns the first of several successive ports that are free now. */
  private static int freePorts() {
    for (int attempt = 0; attempt < 100; attempt++) {
      int first = 20_000 + new Random().nextInt(10_000);
      boolean free = true;
      for (int i = 0; i < NODES; i++) {
        try (ServerSocket socket =
            new ServerSocket(first + i, 1, InetAddress.getLoopbackAddress())) {
          free &= socket.isBound();
        } catch (IOException e) {
          free = false;
        }
      }
      if (free) {
        return first;
      }
    }
    throw new AssertionError("no free ports");
  }

  private void up(Map<String, String> environment) throws Exception {
    running =
        Program.dpu(logs, environment, List.of(), "fleet", "up", "--nodes", NODES, "--port", port);
    await(() -> text(fleet()).contains("fleet of 3 nodes is up"));
  }

  private Program fleet() {
    return Objects.requireNonNull(running, "call up() first");
  }

  private void await(BooleanSupplier condition) throws Exception {
    long deadline = System.nanoTime() + LIMIT_NS;
    while (!condition.getAsBoolean()) {
      assertThat(fleet().process().waitFor(POLL_MS, TimeUnit.MILLISECONDS))
          .as("the fleet has ended: %s", fleet().err())
          .isFalse();
      assertThat(System.nanoTime() - deadline).as(fleet().out() + fleet().err()).isNegative();
    }
  }

  private static String text(Program program) {
    try {
      return program.out();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @AfterEach
  void down() throws Exception {
    if (running != null) {
      List<ProcessHandle> nodes = fleet().process().descendants().toList();
      fleet().process().destroy();
      assertThat(fleet().status()).as(fleet().err()).isZero();
      assertThat(nodes).noneMatch(ProcessHandle::isAlive);
    }
  }

  private Program client(Object... words) throws IOException {
    return Program.dpu(
        logs,
        Map.of(),
        List.of(),
        Stream.concat(
                Stream.of("fleet", words[0]),
                Stream.concat(
                    Stream.of("--join=127.0.0.1:" + port, "--join=127.0.0.1:" + (port + 1)),
                    Stream.of(words).skip(1)))
            .toArray());
  }

  private Path file() throws IOException {
    byte[] content = new byte[BLOCKS * BLOCK];
    Random random = new Random(1);
    for (int i = 0; i < content.length; i++) {
      content[i] = (byte) "etaoin shrdlu\n".charAt(random.nextInt(14));
    }
    return Files.write(folder.resolve("in"), content);
  }

  @Test
  void aFileHasTheBytesOfTheLocalCommand() throws Exception {
    up(Map.of());
    Path in = file();
    Program there = client("compress", "-b", "64K", "--json", in);
    assertThat(there.status()).as(there.err()).isZero();
    Program local =
        Program.dpu(
            logs, Map.of(), List.of(), "compress", "-b", "64K", "-o", folder.resolve("local"), in);
    assertThat(local.status()).as(local.err()).isZero();
    assertThat(folder.resolve("in.gz")).hasSameBinaryContentAs(folder.resolve("local"));
    assertThat(blocks(there)).isEqualTo(BLOCKS);
    Program back = client("decompress", "-o", folder.resolve("back"), folder.resolve("in.gz"));
    assertThat(back.status()).as(back.err()).isZero();
    assertThat(folder.resolve("back")).hasSameBinaryContentAs(in);
  }

  /** Returns the sum of the blocks of all nodes. */
  private static long blocks(Program client) throws IOException {
    JsonNode document = new ObjectMapper().readTree(client.out());
    long sum = 0;
    for (JsonNode node : document.get("nodes")) {
      sum += node.get("blocks").asLong();
    }
    return sum;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void aKilledNodeCostsNoJobAndStartsAgain(int killed) throws Exception {
    up(Map.of("SOFTDPU_FAULTS", "compress-deflate:delay=100ms:every=1"));
    Path in = file();
    Program there = client("compress", "-b", "64K", "--json", in);
    await(() -> isPartlyWritten() || !there.process().isAlive());
    assertThat(there.process().isAlive()).as("the job still runs").isTrue();
    ProcessHandle victim = node(port + killed);
    victim.destroyForcibly();
    assertThat(there.status()).as(there.err()).isZero();
    assertThat(blocks(there)).as("each block counts once").isEqualTo(BLOCKS);
    Program plain = Program.of(logs, "gzip", "-dc", folder.resolve("in.gz").toString());
    assertThat(plain.status()).as(plain.err()).isZero();
    assertThat(plain.outFile()).hasSameBinaryContentAs(in);
    String ready = "node 127.0.0.1:" + (port + killed) + " is up";
    await(() -> text(fleet()).split(ready, -1).length == 3);
  }

  private boolean isPartlyWritten() {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.toString().endsWith(".part"))
          .anyMatch(file -> file.toFile().length() > 10 * BLOCK / 4);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private ProcessHandle node(int wanted) {
    return fleet()
        .process()
        .children()
        .filter(child -> commandLine(child).contains("--port=" + wanted + "\0"))
        .findFirst()
        .orElseThrow();
  }

  /** Returns the words of a process. The JDK omits them if they are long. */
  private static String commandLine(ProcessHandle process) {
    try {
      return Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"));
    } catch (IOException e) {
      return ""; // the process has ended
    }
  }
}
