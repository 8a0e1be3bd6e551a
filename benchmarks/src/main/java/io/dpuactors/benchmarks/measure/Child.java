package io.dpuactors.benchmarks.measure;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A child process. The process ends with the thread that started it, where the system has {@code
 * setpriv}. Every wait has a time limit. For one thread, except {@link #kill}.
 */
public final class Child implements AutoCloseable {
  private static final Path SETPRIV = Path.of("/usr/bin/setpriv");
  private static final Duration GRACE = Duration.ofSeconds(10);
  private static final int ERROR_LINES = 2;
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Time limit for the end of a program: it stops its device after its last trial. */
  static final Duration END_LIMIT = Duration.ofSeconds(60);

  private final Process process;
  private final Path errors;

  /** Lines of stdout; empty for its end. */
  private final LinkedBlockingQueue<Optional<String>> lines = new LinkedBlockingQueue<>();

  private boolean ended;

  private Child(Process process, Path errors) {
    this.process = process;
    this.errors = errors;
    Thread reader = new Thread(this::read, "child-" + process.pid());
    reader.setDaemon(true);
    reader.start();
  }

  /**
   * Starts a program.
   *
   * @param environment in addition to this process's
   * @param errors the file for its stderr; replaced
   */
  public static Child start(List<String> command, Map<String, String> environment, Path errors)
      throws RunException {
    List<String> words = new ArrayList<>();
    if (Files.isExecutable(SETPRIV)) {
      words.addAll(List.of(SETPRIV.toString(), "--pdeathsig", "TERM"));
    }
    words.addAll(command);
    ProcessBuilder builder = new ProcessBuilder(words).redirectError(errors.toFile());
    builder.environment().putAll(environment);
    try {
      return new Child(builder.start(), errors);
    } catch (IOException e) {
      throw new RunException(
          "%s cannot be started: %s".formatted(command.get(0), e.getMessage()), e);
    }
  }

  private void read() {
    try (BufferedReader out = process.inputReader(Charset.defaultCharset())) {
      String line;
      while ((line = out.readLine()) != null) {
        lines.add(Optional.of(line));
      }
    } catch (IOException | UncheckedIOException e) {
      lines.add(Optional.of("stdout cannot be read: " + e.getMessage()));
    }
    lines.add(Optional.empty());
  }

  /**
   * Returns the next line of stdout.
   *
   * @return empty when the program has closed it
   * @throws RunException when there is none within the limit
   */
  public Optional<String> nextLine(Duration limit) throws RunException, InterruptedException {
    return nextLine(limit, System.nanoTime() + limit.toNanos());
  }

  /** Waits until a time; {@code limit} is the whole limit, for the message. */
  private Optional<String> nextLine(Duration limit, long untilNs)
      throws RunException, InterruptedException {
    if (ended) {
      return Optional.empty();
    }
    long waitNs = Math.max(0, untilNs - System.nanoTime());
    Optional<String> line = lines.poll(waitNs, TimeUnit.NANOSECONDS);
    if (line == null) {
      throw new RunException("nothing within %d s".formatted(limit.toSeconds()));
    }
    ended = line.isEmpty();
    return line;
  }

  /**
   * Returns the next line of stdout that is JSON. Skips other lines.
   *
   * @throws RunException when the program prints none within the limit, or ends before
   */
  public JsonNode nextJson(Duration limit) throws RunException, InterruptedException {
    long untilNs = System.nanoTime() + limit.toNanos();
    while (true) {
      Optional<String> line = nextLine(limit, untilNs);
      if (line.isEmpty()) {
        throw new RunException(
            "ended without a result, with status " + finish(END_LIMIT) + errorText());
      }
      if (line.get().startsWith("{")) {
        return parse(line.get());
      }
    }
  }

  private static JsonNode parse(String line) throws RunException {
    try {
      return JSON.readTree(line);
    } catch (JsonProcessingException e) {
      throw new RunException("printed no JSON: " + line, e);
    }
  }

  /** Lets a paced program run its next trial, and returns the printed JSON. */
  public JsonNode takeTurn(Duration limit) throws RunException, InterruptedException {
    try {
      OutputStream in = process.getOutputStream();
      in.write('\n');
      in.flush();
    } catch (IOException e) {
      throw new RunException("has ended" + errorText(), e);
    }
    return nextJson(limit);
  }

  /** Returns its process id. */
  public long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /**
   * Closes its stdin and waits for its end.
   *
   * @return its exit status
   * @throws RunException when it does not end in time
   */
  public int finish(Duration limit) throws RunException, InterruptedException {
    closeInput();
    if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new RunException("did not end within %d s".formatted(limit.toSeconds()));
    }
    return process.exitValue();
  }

  /** Ignores the error of a program that has already ended. */
  private void closeInput() {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      return;
    }
  }

  /** Returns its last line on stderr, after a colon; empty without one. */
  public String errorText() {
    try {
      List<String> said =
          Files.readAllLines(errors, Charset.defaultCharset()).stream()
              .filter(line -> !line.isBlank())
              .toList();
      return said.isEmpty()
          ? ""
          : ": "
              + String.join(
                  "; ", said.subList(Math.max(0, said.size() - ERROR_LINES), said.size()));
    } catch (IOException | UncheckedIOException e) {
      return " (what it said cannot be read: " + e.getMessage() + ")";
    }
  }

  /** Ends the process if it has not ended: with SIGTERM first. */
  @Override
  public void close() {
    closeInput();
    process.destroy();
    if (!awaitEnd()) {
      process.destroyForcibly();
      awaitEnd();
    }
  }

  private boolean awaitEnd() {
    try {
      return process.waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Requests the end of the process, and does not wait. Any thread. */
  public void kill() {
    process.destroy();
  }
}
