package io.dpuactors.benchmarks.program;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.management.UnixOperatingSystemMXBean;
import io.dpuactors.benchmarks.load.LoadSystem;
import io.dpuactors.protocol.ClientOptions;
import io.dpuactors.protocol.ConnectionProtocol;
import io.dpuactors.protocol.ContextReply.Opened;
import io.dpuactors.protocol.EngineProtocol.GetStatus;
import io.dpuactors.protocol.EngineProtocol.OpenComchClient;
import io.dpuactors.protocol.EngineProtocol.OpenComchServer;
import io.dpuactors.protocol.EngineProtocol.Status;
import io.dpuactors.protocol.ServerOptions;
import io.dpuactors.protocol.ServerProtocol;
import io.dpuactors.protocol.ServerProtocol.Connections;
import io.dpuactors.protocol.ServerProtocol.GetConnections;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** Trials of an engine whose connections do nothing. For one thread. */
final class TurnTrial {
  private static final String SERVICE = "bench-turns";
  private static final String THREAD = "dpu-engine-e0";
  private static final int MOST_CONNECTIONS = 65_536;

  private final LoadSystem system;
  private final IntSupplier connections;

  private TurnTrial(LoadSystem system, IntSupplier connections) {
    this.system = system;
    this.connections = connections;
  }

  /**
   * Opens a server of comch, or a listener of RDMA.
   *
   * @throws IllegalStateException if that fails, with the cause
   */
  static TurnTrial server(LoadSystem system, boolean isRdma) {
    if (isRdma) {
      return new TurnTrial(system, RdmaConnections.listen(system));
    }
    ServerOptions options =
        ServerOptions.of(SERVICE, connection -> Behaviors.ignore())
            .withMaxConnections(MOST_CONNECTIONS);
    ActorRef<ServerProtocol.Command> server =
        system.<ServerProtocol.Command, ServerProtocol.OpenReply>open(
            0, me -> new OpenComchServer("server", options, me));
    return new TurnTrial(
        system,
        () ->
            system
                .<ServerProtocol.Command, Connections>ask(server, GetConnections::new)
                .open()
                .size());
  }

  /** Connects clients, one after the other, as many as the system allows. */
  static TurnTrial clients(LoadSystem system, int wanted, boolean isRdma) {
    int connected = isRdma ? RdmaConnections.connect(system, wanted) : 0;
    while (!isRdma && connected < wanted && isConnected(system, "client-" + connected)) {
      connected++;
    }
    int fitting = connected;
    return new TurnTrial(system, () -> fitting);
  }

  private static boolean isConnected(LoadSystem system, String name) {
    ConnectionProtocol.OpenReply reply =
        system.ask(
            system.engine(0), me -> new OpenComchClient(name, ClientOptions.of(SERVICE), me));
    return reply instanceof Opened;
  }

  /**
   * Returns the CPU time of one turn of the engine's thread, and the use of the process, as JSON.
   */
  String run(int seconds) {
    long turns = turns();
    long cpuNs = cpuNs();
    try {
      Thread.sleep(seconds * 1000L);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted during a trial", e);
    }
    double nsPerTurn = (double) (cpuNs() - cpuNs) / Math.max(1, turns() - turns);
    return new ObjectMapper()
        .createObjectNode()
        .put("program", "turns")
        .put("connections", connections.getAsInt())
        .put("ns_per_turn", nsPerTurn)
        .put("heap_kib", usedHeapKib())
        .put("rss_kib", residentKib())
        .put("descriptors", descriptors())
        .toString();
  }

  /** Returns the size of all objects in use. */
  private static long usedHeapKib() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() >> 10;
  }

  private static long residentKib() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
      return lines
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
          .findFirst()
          .orElse(0);
    } catch (IOException e) {
      throw new UncheckedIOException("/proc/self/status", e);
    }
  }

  private static long descriptors() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        ? unix.getOpenFileDescriptorCount()
        : 0;
  }

  private long turns() {
    Status status = system.ask(system.engine(0), GetStatus::new);
    return status.counters().getOrDefault("turns", 0L);
  }

  private static long cpuNs() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    for (ThreadInfo thread : threads.dumpAllThreads(false, false)) {
      if (thread.getThreadName().equals(THREAD)) {
        return threads.getThreadCpuTime(thread.getThreadId());
      }
    }
    throw new IllegalStateException("no thread " + THREAD);
  }
}
