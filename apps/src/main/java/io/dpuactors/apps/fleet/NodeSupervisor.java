package io.dpuactors.apps.fleet;

import io.dpuactors.apps.cli.ExitCode;
import io.dpuactors.apps.cli.Interruption;
import io.dpuactors.apps.cli.SelfCommand;
import io.dpuactors.apps.cli.Termination;
import io.dpuactors.fleet.HostPort;
import java.io.BufferedReader;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/**
 * Runs the nodes of {@code dpu fleet up}, one process each. The supervisor starts a node again that
 * ends with a failure. Each node contacts all nodes that have not left. The first node begins the
 * fleet when no other node is in one. Therefore two fleets never exist, also if all nodes are
 * killed. Thread: the command's; each node has a thread that reads its output.
 */
final class NodeSupervisor {
  /** Failures of a node before it was ready, after which the supervisor ends. */
  private static final int MAX_FAILURES = 3;

  /** Statuses of a node that another start does not change. */
  private static final Map<Integer, ExitCode> NEVER_STARTS =
      Map.of(ExitCode.USAGE.status(), ExitCode.USAGE, ExitCode.DEVICE.status(), ExitCode.DEVICE);

  /**
   * Options of the JVM of a node. New objects have 32 MiB, and each survivor space 8 MiB. The
   * contents in work fit into a survivor space. Each collection would move other contents to the
   * old generation, which only a collection of the whole heap empties.
   */
  private static final List<String> NODE_JVM =
      List.of(
          "-Xmx128m",
          "-Xmn48m",
          "-XX:SurvivorRatio=4",
          "-XX:MaxDirectMemorySize=96m",
          "-XX:ReservedCodeCacheSize=48m");

  /** Starts the process of a node. */
  interface Launcher {
    Process launch(List<String> words) throws IOException;
  }

  private sealed interface Event {}

  private record Line(Node node, String text) implements Event {}

  private record Ended(Node node, int status) implements Event {}

  private enum Stop implements Event {
    INSTANCE
  }

  /** One node, over all of its processes. */
  private static final class Node {
    final HostPort address;
    @Nullable Process process;
    boolean ready;
    boolean hasLeft;
    int failures;

    Node(HostPort address) {
      this.address = address;
    }

    boolean isAlive() {
      return process != null && process.isAlive();
    }
  }

  private final List<Node> nodes;
  private final List<String> options;
  private final Duration stopLimit;
  private final CommandLine line;
  private final Launcher launcher;
  private final LinkedBlockingQueue<Event> events = new LinkedBlockingQueue<>();

  /** Number of processes whose end this supervisor has not handled. Some of them may be dead. */
  private int running;

  private boolean stopping;
  private boolean reported;

  /**
   * Creates the supervisor.
   *
   * @param options further options of each node
   * @param stopLimit time limit between a signal and the end of all nodes
   */
  NodeSupervisor(
      List<HostPort> addresses,
      List<String> options,
      Duration stopLimit,
      CommandLine line,
      Launcher launcher) {
    this.nodes = addresses.stream().map(Node::new).toList();
    this.options = options;
    this.stopLimit = stopLimit;
    this.line = line;
    this.launcher = launcher;
  }

  /** Starts a process with the standard error of this one. */
  static Process launch(List<String> words) throws IOException {
    return new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  /** Runs until a signal, or until every node has ended. */
  ExitCode run() throws IOException, InterruptedException {
    Interruption interruption = Interruption.of(() -> events.add(Stop.INSTANCE), stopLimit);
    Termination.onSigTerm(() -> events.add(Stop.INSTANCE));
    try {
      return supervise();
    } finally {
      nodes.stream().map(node -> node.process).forEach(NodeSupervisor::kill);
      interruption.over();
    }
  }

  /** Starts the nodes, and handles events until every node has ended. */
  ExitCode supervise() throws IOException, InterruptedException {
    ExitCode code = ExitCode.OK;
    for (Node node : nodes) {
      start(node);
    }
    while (running > 0) {
      Event next = events.take();
      if (next instanceof Line said) {
        onLine(said.node(), said.text());
      } else if (next instanceof Ended ended && !onEnded(ended.node(), ended.status())) {
        code = NEVER_STARTS.getOrDefault(ended.status(), ExitCode.FAILURE);
        stop();
      } else if (next == Stop.INSTANCE) {
        stop();
      }
    }
    return code;
  }

  private static void kill(@Nullable Process process) {
    if (process != null) {
      process.destroyForcibly();
    }
  }

  private void start(Node node) throws IOException {
    List<String> words = new ArrayList<>(SelfCommand.withJvm(NODE_JVM));
    words.addAll(List.of("fleet", "node", "--supervised", "--port=" + node.address.port()));
    words.add("--host=" + node.address.host());
    words.add("-Ddpu.fleet.node.state-dir="); // this supervisor has the addresses of the nodes
    words.addAll(options);
    nodes.stream()
        .filter(other -> !other.hasLeft)
        .forEach(other -> words.add("--join=" + other.address));
    node.ready = false;
    Process process = launcher.launch(words);
    running++;
    node.process = process;
    Thread reader = new Thread(() -> read(node, process), "dpu-node-" + node.address.port());
    reader.setDaemon(true);
    reader.start();
  }

  private void read(Node node, Process process) {
    try (BufferedReader out = process.inputReader()) {
      for (String text = out.readLine(); text != null; text = out.readLine()) {
        events.add(new Line(node, text));
      }
      events.add(new Ended(node, process.waitFor()));
    } catch (IOException e) {
      process.destroyForcibly();
      events.add(new Ended(node, ExitCode.FAILURE.status()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void onLine(Node node, String text) {
    line.getOut().println(text);
    if (!text.startsWith("node ")) {
      return;
    }
    node.ready = true;
    node.failures = 0;
    if (!reported && nodes.stream().allMatch(one -> one.ready)) {
      reported = true;
      line.getOut().println("fleet of %d nodes is up (Ctrl-C stops it)".formatted(nodes.size()));
    }
  }

  /** Returns false if the fleet cannot continue. */
  private boolean onEnded(Node node, int status) throws IOException {
    running--;
    boolean wasReady = node.ready;
    node.ready = false;
    if (stopping || status == ExitCode.OK.status()) {
      node.hasLeft = true;
      return true;
    }
    node.failures += wasReady ? 0 : 1;
    if (node.failures >= MAX_FAILURES || (!wasReady && NEVER_STARTS.containsKey(status))) {
      line.getErr()
          .println("dpu: node %s does not start (status %d)".formatted(node.address, status));
      return false;
    }
    line.getErr()
        .println(
            "dpu: node %s ended with status %d; starting it again".formatted(node.address, status));
    start(node);
    return true;
  }

  /** Asks all nodes to leave. Those that do not end in time are killed at the end of the run. */
  private void stop() {
    if (!stopping) {
      stopping = true;
      nodes.stream().filter(Node::isAlive).forEach(node -> terminate(node.process));
      Thread limit =
          new Thread(
              () -> {
                long deadline = System.nanoTime() + stopLimit.toNanos();
                nodes.forEach(node -> awaitEnd(node.process, deadline));
              },
              "dpu-stop-limit");
      limit.setDaemon(true);
      limit.start();
    }
  }

  private static void terminate(@Nullable Process process) {
    if (process != null) {
      process.destroy();
    }
  }

  private static void awaitEnd(@Nullable Process process, long deadlineNs) {
    try {
      long left = deadlineNs - System.nanoTime();
      if (process != null && !process.waitFor(left, TimeUnit.NANOSECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
