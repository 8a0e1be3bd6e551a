package io.dpuactors.benchmarks.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dpuactors.benchmarks.result.Metric;
import io.dpuactors.benchmarks.result.Sample;
import io.dpuactors.experiments.run.Child;
import io.dpuactors.experiments.run.RunException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One side of a point: a process that waits for its turn before each trial. A failure ends the
 * process, and the next trial starts a new one. For one thread.
 */
final class Side implements AutoCloseable {
  private static final Duration TRIAL_LIMIT = Duration.ofMinutes(2);
  private static final Duration END_LIMIT = Duration.ofSeconds(60);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final List<String> command;
  private final Map<String, String> environment;
  private final Metric metric;
  private final int warmUps;
  private final Path errors;
  private @Nullable Child child;
  private @Nullable Double peakMib;

  /**
   * Creates a side without a process.
   *
   * @param warmUps trials at the beginning of a process that do not count
   * @param errors file for its standard error
   */
  Side(
      List<String> command,
      Map<String, String> environment,
      Metric metric,
      int warmUps,
      Path errors) {
    this.command = command;
    this.environment = environment;
    this.metric = metric;
    this.warmUps = warmUps;
    this.errors = errors;
  }

  /** Runs a trial. The result contains a failure. */
  Sample run() throws InterruptedException {
    try {
      Child running = child;
      if (running == null) {
        running = Child.start(command, environment, errors);
        child = running;
        for (int i = 0; i < warmUps; i++) {
          takeTurn(running);
        }
      }
      return measure(running);
    } catch (RunException e) {
      close();
      return Sample.failed(String.valueOf(e.getMessage()));
    }
  }

  private Sample measure(Child running) throws RunException, InterruptedException {
    Double before = ProcessUsage.cpuSeconds(running.pid());
    JsonNode told = takeTurn(running);
    Double after = ProcessUsage.cpuSeconds(running.pid());
    Double peak = ProcessUsage.peakMib(running.pid());
    peakMib = peak == null ? peakMib : peak;
    return new Sample(
        figure(told),
        before == null || after == null ? null : after - before,
        told.has("allocated_bytes_per_task")
            ? told.get("allocated_bytes_per_task").asDouble()
            : null,
        null);
  }

  private double figure(JsonNode told) throws RunException {
    double value =
        switch (metric) {
          case GIBPS -> told.path("data_rate_gibps").asDouble();
          case US -> told.path("p99_ns").asDouble() / 1000;
          case CORE_PERCENT -> told.path("core_percent").asDouble();
          default -> told.path("ns_per_task").asDouble();
        };
    if (!(value > 0) || Double.isInfinite(value)) {
      throw new RunException("printed no figure: " + told);
    }
    return value;
  }

  private JsonNode takeTurn(Child running) throws RunException, InterruptedException {
    running.giveTurn();
    while (true) {
      Optional<String> line = running.nextLine(TRIAL_LIMIT);
      if (line.isEmpty()) {
        throw new RunException(
            "ended without a result, with status "
                + running.finish(END_LIMIT)
                + running.complaint());
      }
      if (line.get().startsWith("{")) {
        try {
          return JSON.readTree(line.get());
        } catch (JsonProcessingException e) {
          throw new RunException("printed no JSON: " + line.get(), e);
        }
      }
    }
  }

  /** Returns the largest resident memory, if known. */
  @Nullable Double peakMib() {
    return peakMib;
  }

  @Override
  public void close() {
    Child running = child;
    child = null;
    if (running != null) {
      running.close();
    }
  }
}
