package io.dpuactors.apps;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** The processes of {@code dpu fleet up}, and the commands of its clients. */
final class FleetProcesses {
  static final int NODES = 3;

  /** Nodes of 'fleet up' are on loopback, whatever the host of the configuration is. */
  private static final String HOST = "-Ddpu.fleet.host=localhost";

  private static final int POLL_MS = 20;
  private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(150);

  private final Path logs;
  private final int port;
  private final Program fleet;

  private FleetProcesses(Path logs, int port, Program fleet) {
    this.logs = logs;
    this.port = port;
    this.fleet = fleet;
  }

  /** Starts three nodes, and returns when they take work. */
  static FleetProcesses up(Path logs, Map<String, String> environment) throws Exception {
    return up(logs, NODES, environment);
  }

  /** Starts at most three nodes, and returns when they take work. */
  static FleetProcesses up(Path logs, int nodes, Map<String, String> environment) throws Exception {
    int port = freePorts();
    FleetProcesses fleet =
        new FleetProcesses(
            logs,
            port,
            Program.dpu(
                logs,
                environment,
                List.of(),
                "fleet",
                "up",
                "--nodes",
                nodes,
                "--port",
                port,
                HOST));
    fleet.await(() -> fleet.out().contains("fleet of " + nodes + " nodes is up"));
    return fleet;
  }

  /** Returns the processes of the nodes. */
  List<ProcessHandle> processes() {
    return fleet.process().descendants().toList();
  }

  /** Sends SIGINT to {@code fleet up} and to other processes, and returns its status. */
  int interrupt(List<ProcessHandle> others) throws Exception {
    List<String> pids =
        Stream.concat(Stream.of(fleet.process().toHandle()), others.stream())
            .map(process -> String.valueOf(process.pid()))
            .toList();
    Program kill = Program.of(logs, List.of("kill", "-INT"), pids);
    assertThat(kill.status()).as(kill.err()).isZero();
    return fleet.status();
  }

  /** Kills {@code fleet up}, but not its nodes. */
  void kill() throws Exception {
    fleet.process().destroyForcibly().waitFor();
  }

  /** Waits for the end of a process, also if no parent reads its status. */
  static void awaitEnd(ProcessHandle process) throws Exception {
    long deadline = System.nanoTime() + LIMIT_NS;
    while (!commandLine(process).isEmpty()) {
      assertThat(System.nanoTime() - deadline).as("process %s", process.pid()).isNegative();
      process.onExit().completeOnTimeout(process, POLL_MS, TimeUnit.MILLISECONDS).get();
    }
  }

  /** Ends the nodes by SIGTERM. */
  void down() throws Exception {
    List<ProcessHandle> nodes = processes();
    fleet.process().destroy();
    assertThat(fleet.status()).as(fleet.err()).isZero();
    assertThat(nodes).noneMatch(ProcessHandle::isAlive);
  }

  /** Returns the port of the first node. */
  int port() {
    return port;
  }

  /** Returns the output of {@code fleet up} until now. */
  String out() {
    return text(fleet);
  }

  /** Returns the errors of {@code fleet up} until now. */
  String err() throws IOException {
    return fleet.err();
  }

  /** Returns the first of several successive ports that are free now. */
  static int freePorts() {
    for (int attempt = 0; attempt < 100; attempt++) {
      int first = 20_000 + new Random().nextInt(10_000);
      boolean free = true;
      for (int i = 0; i <= NODES; i++) {
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

  void await(BooleanSupplier condition) throws Exception {
    long deadline = System.nanoTime() + LIMIT_NS;
    while (!condition.getAsBoolean()) {
      assertThat(fleet.process().waitFor(POLL_MS, TimeUnit.MILLISECONDS))
          .as("the fleet has ended: %s", fleet.err())
          .isFalse();
      assertThat(System.nanoTime() - deadline).as(fleet.out() + fleet.err()).isNegative();
    }
  }

  static String text(Program program) {
    try {
      return program.out();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  Program client(Object... words) throws IOException {
    return Program.dpu(
        logs,
        Map.of(),
        List.of(),
        Stream.concat(
                Stream.of("fleet", words[0]),
                Stream.concat(
                    Stream.of("--join=" + address(0), "--join=" + address(1)),
                    Stream.of(words).skip(1)))
            .toArray());
  }

  String address(int node) {
    return "127.0.0.1:" + (port + node);
  }

  /** Returns how often a node has begun to take work. */
  int starts(int node) {
    return out().split("node " + address(node) + " is up", -1).length - 1;
  }

  ProcessHandle process(int node) {
    return fleet
        .process()
        .children()
        .filter(child -> commandLine(child).contains("--port=" + (port + node) + "\0"))
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

  boolean isMember(String node) {
    try {
      Program status = client("status", "--json");
      return status.status() != 0 || status.out().contains(node);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  void signal(String name, ProcessHandle process) throws Exception {
    Program kill = Program.of(logs, "kill", "-" + name, String.valueOf(process.pid()));
    assertThat(kill.status()).as(kill.err()).isZero();
  }

  /** Starts one more node without the delay, and returns when it takes work. */
  Program joinedNode() throws Exception {
    Program node =
        Program.dpu(
            logs,
            Map.of(),
            List.of(),
            List.of(
                    "fleet",
                    "node",
                    "--port=" + (port + NODES),
                    "--join=" + address(1),
                    "-Ddpu.fleet.node.state-dir=" + logs)
                .toArray());
    await(() -> text(node).contains("is up") || !node.process().isAlive());
    return node;
  }

  void drain(Program node) throws Exception {
    Program drain = client("drain", address(NODES));
    assertThat(drain.status()).as(drain.err()).isZero();
    assertThat(drain.out()).isEqualTo("node " + address(NODES) + " has left the fleet\n");
    assertThat(node.status()).as(node.err()).isZero();
  }
}
