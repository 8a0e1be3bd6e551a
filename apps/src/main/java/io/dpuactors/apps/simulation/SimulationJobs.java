package io.dpuactors.apps.simulation;

import io.dpuactors.simulation.Campaign.Result;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongConsumer;

/** Runs the seeds of a scenario in several processes at the same time. Thread: the caller's. */
final class SimulationJobs implements AutoCloseable {
  /** Seeds of one process. The start of a process takes as long as about 100 seeds. */
  private static final long MAX_SEEDS = 2_000;

  /** Parts that run or wait for each process. A part that waits starts when another one ends. */
  private static final long PARTS_OF_A_JOB = 2;

  /** Real time after which a seed counts as stuck, on a loaded machine. */
  private static final long SECONDS_OF_A_SEED = 10;

  private final int jobs;
  private final SimulationTime time;
  private final ExecutorService threads;
  private final Set<SimulationProcess> processes = ConcurrentHashMap.newKeySet();

  /**
   * Creates the jobs.
   *
   * @param jobs number of processes at the same time
   */
  SimulationJobs(int jobs, SimulationTime time) {
    this.jobs = jobs;
    this.time = time;
    this.threads = Executors.newFixedThreadPool(jobs);
  }

  /**
   * Runs the seeds, up to the first failure.
   *
   * @param progress accepts the number of seeds that have run
   */
  Result run(String scenario, long from, long seeds, LongConsumer progress)
      throws IOException, InterruptedException {
    long size = Math.min(MAX_SEEDS, (seeds - 1) / jobs + 1);
    Deque<Future<Result>> parts = new ArrayDeque<>();
    Result all = Result.none(scenario);
    long begun = 0;
    while (all.failure().isEmpty()) {
      while (begun < seeds && parts.size() < PARTS_OF_A_JOB * jobs && !time.isOver()) {
        long first = from + begun;
        long count = Math.min(size, seeds - begun);
        parts.add(threads.submit(() -> part(scenario, first, count)));
        begun += count;
      }
      Future<Result> next = parts.poll();
      if (next == null) {
        break;
      }
      all = all.plus(get(next));
      progress.accept(all.seeds());
    }
    return all;
  }

  private static Result get(Future<Result> part) throws IOException, InterruptedException {
    try {
      return part.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException known ? known : new IOException(e.getCause());
    }
  }

  private Result part(String scenario, long from, long seeds) throws IOException {
    if (time.isOver()) {
      return Result.none(scenario);
    }
    List<String> arguments = new ArrayList<>(List.of("--scenario", scenario, "--json", "--part"));
    arguments.addAll(List.of("--from", Long.toString(from), "--seeds", Long.toString(seeds)));
    time.secondsLeft().ifPresent(s -> arguments.addAll(List.of("--time", Long.toString(s))));
    try (SimulationProcess process = SimulationProcess.start(arguments, false)) {
      processes.add(process);
      Duration limit = limit(seeds);
      String output = process.output(limit);
      processes.remove(process);
      if (!output.startsWith("{")) {
        throw new IOException(
            "the process of %s, seeds %d to %d, has no result: it crashed, or took more than %d s"
                .formatted(scenario, from, from + seeds - 1, limit.toSeconds()));
      }
      return SimulationJson.read(output);
    }
  }

  /** Returns the time in which a process ends. No seed begins after the limit of the command. */
  private Duration limit(long seeds) {
    long seconds = seeds * SECONDS_OF_A_SEED;
    return SimulationProcess.END_LIMIT.plusSeconds(
        Math.min(seconds, time.secondsLeft().orElse(seconds)));
  }

  /** Ends the processes. */
  @Override
  public void close() {
    threads.shutdownNow();
    processes.forEach(SimulationProcess::close);
  }
}
