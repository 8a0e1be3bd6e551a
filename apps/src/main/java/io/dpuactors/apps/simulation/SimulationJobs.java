package io.dpuactors.apps.simulation;

import io.dpuactors.simulation.Campaign.Result;
import java.io.IOException;
import java.util.ArrayList;
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
    long size = Math.min(MAX_SEEDS, (seeds + jobs - 1) / jobs);
    List<Future<Result>> parts = new ArrayList<>();
    for (long done = 0; done < seeds; done += size) {
      long first = from + done;
      long count = Math.min(size, seeds - done);
      parts.add(threads.submit(() -> part(scenario, first, count)));
    }
    Result all = Result.none(scenario);
    for (Future<Result> part : parts) {
      all = all.plus(get(part));
      progress.accept(all.seeds());
      if (all.failure().isPresent()) {
        break;
      }
    }
    return all;
  }

  private static Result get(Future<Result> part) throws IOException, InterruptedException {
    try {
      return part.get();
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
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
      String output = process.output();
      processes.remove(process);
      if (!output.startsWith("{")) {
        throw new IOException(
            "the process of %s, seeds %d to %d, ended without a result"
                .formatted(scenario, from, from + seeds - 1));
      }
      return SimulationJson.read(output);
    }
  }

  /** Ends the processes. */
  @Override
  public void close() {
    threads.shutdownNow();
    processes.forEach(SimulationProcess::close);
  }
}
