package io.dpuactors.experiments.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Starts and ends programs, including servers, and tracks the running ones. Each side has a
 * separate rendezvous folder, so that its clients find only its server. For one thread, except
 * {@link #interrupt}.
 */
final class Stage implements AutoCloseable {
  private static final Duration READY_LIMIT = Duration.ofSeconds(30);

  private final Experiment experiment;
  private final Programs programs;
  private final Duration trialLimit;
  private final Optional<String> checksum;
  private final Path logs;
  private final Map<Side, Path> meetings = new EnumMap<>(Side.class);
  private final Map<Side, Child> servers = new EnumMap<>(Side.class);
  private final Set<Child> alive = ConcurrentHashMap.newKeySet();
  private volatile boolean interrupted;

  private Stage(
      Experiment experiment,
      Programs programs,
      Duration trialLimit,
      Optional<String> checksum,
      Path logs) {
    this.experiment = experiment;
    this.programs = programs;
    this.trialLimit = trialLimit;
    this.checksum = checksum;
    this.logs = logs;
  }

  /**
   * Opens a stage without programs.
   *
   * @param trialLimit time limit of a client's trial, including its start
   * @param checksum expected checksum of the content, if known
   * @param logs folder for the stderr of programs
   */
  static Stage open(
      Experiment experiment,
      Programs programs,
      Duration trialLimit,
      Optional<String> checksum,
      Path logs)
      throws IOException {
    Files.createDirectories(logs);
    Stage stage = new Stage(experiment, programs, trialLimit, checksum, logs);
    for (Side side : Side.values()) {
      stage.meetings.put(side, Files.createTempDirectory("dpu-" + side.key()));
    }
    return stage;
  }

  Programs programs() {
    return programs;
  }

  Duration trialLimit() {
    return trialLimit;
  }

  Optional<String> checksum() {
    return checksum;
  }

  /** Starts a program of a side. */
  Child start(List<String> command, Side side, String what)
      throws RunException, InterruptedException {
    checkInterrupted();
    Map<String, String> environment =
        Map.of("SOFTDPU_DIR", String.valueOf(meetings.get(side)), "SOFTDPU_ROLE", "both");
    Child child = Child.start(command, environment, logs.resolve(side.key() + "-" + what + ".txt"));
    alive.add(child);
    if (interrupted) {
      child.kill();
    }
    return child;
  }

  /** Ends a program that has not ended. */
  void end(@Nullable Child child) {
    if (child != null) {
      child.close();
      alive.remove(child);
    }
  }

  /** Starts a side's server if clients need one and it does not run. */
  void requireServer(Side side) throws RunException, InterruptedException {
    Child server = servers.get(side);
    if (!experiment.hasServer() || (server != null && server.isAlive())) {
      return;
    }
    end(server);
    Child started = start(programs.server(experiment, side), side, "server");
    servers.put(side, started);
    try {
      if (started.nextLine(READY_LIMIT).isEmpty()) {
        throw new RunException("ended" + started.complaint());
      }
    } catch (RunException e) {
      end(servers.remove(side));
      throw new RunException("the server of " + side.label() + ": " + e.getMessage(), e);
    }
  }

  /** Ends the servers. */
  void endServers() {
    servers.values().forEach(this::end);
    servers.clear();
  }

  /** Ends all running programs soon, and starts no other. Any thread. */
  void interrupt() {
    interrupted = true;
    alive.forEach(Child::kill);
  }

  /** Throws when the stage was interrupted: later output of programs is meaningless. */
  void checkInterrupted() throws InterruptedException {
    if (interrupted) {
      throw new InterruptedException("interrupted");
    }
  }

  @Override
  public void close() throws IOException {
    endServers();
    List.copyOf(alive).forEach(this::end);
    for (Path meeting : meetings.values()) {
      delete(meeting);
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
