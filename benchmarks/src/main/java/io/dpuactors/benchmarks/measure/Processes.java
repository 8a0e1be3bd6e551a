package io.dpuactors.benchmarks.measure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Starts and ends the processes of a run, including servers. Each side has a separate rendezvous
 * folder, so that its clients find only its server. For one thread, except {@link #interrupt}.
 */
public final class Processes implements AutoCloseable {
  private static final Duration READY_LIMIT = Duration.ofSeconds(30);

  private final Path logs;
  private final Map<Side, Path> rendezvous = new EnumMap<>(Side.class);
  private final Map<Side, Child> servers = new EnumMap<>(Side.class);
  private final Set<Child> started = ConcurrentHashMap.newKeySet();
  private volatile boolean interrupted;

  private Processes(Path logs) {
    this.logs = logs;
  }

  /**
   * Creates the folders; starts no process.
   *
   * @param logs folder for the stderr of processes
   */
  public static Processes open(Path logs) throws IOException {
    Files.createDirectories(logs);
    Processes processes = new Processes(logs);
    for (Side side : Side.values()) {
      processes.rendezvous.put(side, Files.createTempDirectory("dpu-" + side.key()));
    }
    return processes;
  }

  /**
   * Starts a process of a side.
   *
   * @param log name of the file for its stderr
   * @param environment in addition to that of this process and of the side
   */
  public Child start(List<String> command, Side side, String log, Map<String, String> environment)
      throws RunException, InterruptedException {
    checkInterrupted();
    started.removeIf(child -> !child.isAlive());
    Map<String, String> all = new HashMap<>(environment);
    all.put("SOFTDPU_DIR", String.valueOf(rendezvous.get(side)));
    all.put("SOFTDPU_ROLE", "both");
    Child child = Child.start(command, all, logs.resolve(log));
    started.add(child);
    if (interrupted) {
      child.kill();
    }
    return child;
  }

  /** Starts a side's server if it does not run. The server prints a line when it is ready. */
  public void requireServer(List<String> command, Side side)
      throws RunException, InterruptedException {
    Child server = servers.get(side);
    if (server != null && server.isAlive()) {
      return;
    }
    endServer(side);
    servers.put(side, start(command, side, side.key() + "-server.txt", Map.of()));
    try {
      if (servers.get(side).nextLine(READY_LIMIT).isEmpty()) {
        throw new RunException("ended" + servers.get(side).errorText());
      }
    } catch (RunException e) {
      endServer(side);
      throw new RunException("the server of " + side.label() + ": " + e.getMessage(), e);
    }
  }

  private void endServer(Side side) {
    Child server = servers.remove(side);
    if (server != null) {
      server.close();
    }
  }

  /** Ends the servers. */
  public void endServers() {
    List.of(Side.values()).forEach(this::endServer);
  }

  /** Ends all running processes soon, and starts no other. Any thread. */
  public void interrupt() {
    interrupted = true;
    started.forEach(Child::kill);
  }

  /** Throws after {@link #interrupt}: later output of processes is meaningless. */
  public void checkInterrupted() throws InterruptedException {
    if (interrupted) {
      throw new InterruptedException("interrupted");
    }
  }

  /** Ends all processes and deletes the folders. */
  @Override
  public void close() throws IOException {
    started.forEach(Child::close);
    for (Path folder : rendezvous.values()) {
      delete(folder);
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }
}
