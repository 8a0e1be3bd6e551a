package io.dpuactors.experiments.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dpuactors.benchmarks.measure.Sample;
import io.dpuactors.benchmarks.measure.Side;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The log of a run: one line of JSON for its parameters, then one for each trial. Each line is on
 * disk before the next trial begins. After any end of the run, the next run continues from the log.
 * The log drops an incomplete last line. One run at a time writes. For one thread.
 */
public final class TrialLog implements AutoCloseable {
  /**
   * The identity of a trial. Each is run once.
   *
   * @param row key of the row
   * @param number from 1
   */
  public record Slot(Mode mode, String row, Side side, int number) {}

  private static final int FORMAT = 1;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final FileChannel channel;
  private final Map<Slot, Sample> trials = new LinkedHashMap<>();
  private final Path file;
  private Map<String, String> parameters = Map.of();
  private final List<Double> loads = new ArrayList<>();

  /** Length of the complete lines of an opened log. */
  private long completeBytes;

  private TrialLog(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /**
   * Begins a log.
   *
   * @param parameters those that must not change when the run is resumed
   * @param load of the machine, before the first trial
   * @throws IOException also when the file exists
   */
  public static TrialLog create(Path file, Map<String, String> parameters, double load)
      throws IOException {
    TrialLog log =
        lock(file, FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
    log.parameters = Map.copyOf(parameters);
    ObjectNode line = JSON.createObjectNode().put("type", "run").put("format", FORMAT);
    parameters.forEach(line.putObject("parameters")::put);
    log.append(line);
    log.appendSession(load);
    return log;
  }

  /**
   * Opens an existing log. Does not change the file; call {@link #resume} before the next trial.
   *
   * @throws IOException also when another run writes to it, or when it is not a valid log
   */
  public static TrialLog open(Path file) throws IOException {
    TrialLog log =
        lock(file, FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE));
    try {
      log.read();
      return log;
    } catch (IOException | RuntimeException e) {
      log.close();
      throw e;
    }
  }

  /**
   * Continues an opened log. Drops an incomplete last line.
   *
   * @param load of the machine, before the first trial
   */
  public void resume(double load) throws IOException {
    channel.truncate(completeBytes).position(completeBytes);
    appendSession(load);
  }

  private static TrialLog lock(Path file, FileChannel channel) throws IOException {
    try {
      if (channel.tryLock() != null) {
        return new TrialLog(file, channel);
      }
    } catch (OverlappingFileLockException e) {
      channel.close();
      throw new IOException(file + ": another run is writing to it", e);
    }
    channel.close();
    throw new IOException(file + ": another run is writing to it");
  }

  private void read() throws IOException {
    // The close of another channel of this file would release the lock (POSIX, fcntl).
    byte[] bytes = Channels.newInputStream(channel).readAllBytes();
    int whole = bytes.length;
    while (whole > 0 && bytes[whole - 1] != '\n') {
      whole--;
    }
    completeBytes = whole;
    int number = 0;
    for (String line : new String(bytes, 0, whole, StandardCharsets.UTF_8).split("\n", -1)) {
      number++;
      if (!line.isEmpty()) {
        take(line, number);
      }
    }
    if (parameters.isEmpty()) {
      throw new IOException(file + ": nothing of a run in it");
    }
  }

  private void take(String text, int number) throws IOException {
    try {
      JsonNode line = JSON.readTree(text);
      switch (line.path("type").asText()) {
        case "run" -> parameters = parameters(line);
        case "session" -> loads.add(line.path("load").asDouble());
        case "trial" -> remember(slot(line), sample(line));
        default -> throw new IllegalArgumentException("no line of a trial log");
      }
    } catch (JsonProcessingException | IllegalArgumentException e) {
      throw new IOException("%s, line %d: %s".formatted(file, number, firstLine(e)), e);
    }
  }

  private static String firstLine(Exception e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }

  private static Map<String, String> parameters(JsonNode line) {
    if (line.path("format").asInt() != FORMAT) {
      throw new IllegalArgumentException("format " + line.path("format").asText());
    }
    Map<String, String> found = new LinkedHashMap<>();
    line.path("parameters").properties().forEach(p -> found.put(p.getKey(), p.getValue().asText()));
    return Map.copyOf(found);
  }

  private static Slot slot(JsonNode line) {
    return new Slot(
        Mode.valueOf(line.path("mode").asText()),
        line.path("row").asText(),
        Side.valueOf(line.path("side").asText()),
        line.path("trial").asInt());
  }

  private static Sample sample(JsonNode line) {
    double elapsedUs = line.path("elapsed_us").asDouble();
    return line.has("failure")
        ? Sample.failed(line.path("failure").asText())
        : new Sample(line.path("data_rate_gibps").asDouble(), elapsedUs, null, null, null);
  }

  /** Appends a finished trial; it is on disk when this method returns. */
  public void add(Slot slot, Sample sample) throws IOException {
    checkNew(slot);
    ObjectNode line =
        JSON.createObjectNode()
            .put("type", "trial")
            .put("mode", slot.mode().name())
            .put("row", slot.row())
            .put("side", slot.side().name())
            .put("trial", slot.number())
            .put("at", Instant.now().toString());
    if (sample.failure() != null) {
      line.put("failure", sample.failure());
    } else {
      line.put("elapsed_us", sample.elapsedUs()).put("data_rate_gibps", sample.value());
    }
    append(line);
    remember(slot, sample);
  }

  private void remember(Slot slot, Sample sample) {
    checkNew(slot);
    trials.put(slot, sample);
  }

  private void checkNew(Slot slot) {
    if (trials.containsKey(slot)) {
      throw new IllegalArgumentException("a second " + slot);
    }
  }

  private void appendSession(double load) throws IOException {
    append(
        JSON.createObjectNode()
            .put("type", "session")
            .put("at", Instant.now().toString())
            .put("load", load));
    loads.add(load);
  }

  private void append(ObjectNode line) throws IOException {
    ByteBuffer bytes = StandardCharsets.UTF_8.encode(JSON.writeValueAsString(line) + "\n");
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
    channel.force(false);
  }

  /** Returns the parameters of the run's begin. */
  public Map<String, String> parameters() {
    return parameters;
  }

  /** Returns the machine's load at each begin or resumption: the number of runnable processes. */
  public List<Double> loads() {
    return Collections.unmodifiableList(loads);
  }

  /** Returns the finished trial in a slot, if any. */
  public Optional<Sample> find(Slot slot) {
    return Optional.ofNullable(trials.get(slot));
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
