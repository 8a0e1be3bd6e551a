package io.dpuactors.apps.simulation;

import io.dpuactors.simulation.Campaign;
import io.dpuactors.simulation.Campaign.Result;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/** Runs the seeds of a scenario in several processes at the same time. Thread: the caller's. */
final class SimulationJobs implements AutoCloseable {
  /**
   * Largest number of seeds of one process. The JVM compiles during the first minute, in which a
   * process has about half of its rate. A process of 20,000 seeds runs for a few minutes.
   */
  static final long MAX_SEEDS = 20_000;

  /** Parts that run or wait for each process. A part that waits starts when another one ends. */
  private static final long PARTS_OF_A_JOB = 2;

  /** Time between two looks at the processes and the progress. */
  private static final long LOOK_MS = 200;

  private final int jobs;
  private final SimulationTime time;
  private final ExecutorService threads;
  private final AtomicLong done = new AtomicLong();
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
   * Runs the seeds of one scenario, up to the first failure.
   *
   * @param progress accepts the number of seeds that have run, several times per second
   */
  Result run(String scenario, long from, long seeds, LongConsumer progress)
      throws IOException, InterruptedException {
    long size = size(seeds, jobs);
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
      all = all.plus(get(next, progress));
      progress.accept(done.get());
    }
    return all;
  }

  /** Returns the seeds of one part. All jobs have the same number of parts, of similar sizes. */
  static long size(long seeds, int jobs) {
    long seedsOfJob = (seeds - 1) / jobs + 1;
    long parts = (seedsOfJob - 1) / MAX_SEEDS + 1;
    return (seedsOfJob - 1) / parts + 1;
  }

  private Result get(Future<Result> part, LongConsumer progress)
      throws IOException, InterruptedException {
    while (true) {
      try {
        return part.get(LOOK_MS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        progress.accept(done.get());
        processes.forEach(process -> process.killIfStuck(SimulationProcess.END_LIMIT));
      } catch (ExecutionException e) {
        throw e.getCause() instanceof IOException known ? known : new IOException(e.getCause());
      }
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
      AtomicLong ran = new AtomicLong();
      String output =
          process.output(
              number -> {
                ran.set(number);
                done.incrementAndGet();
              });
      processes.remove(process);
      return output.startsWith("{")
          ? SimulationJson.read(output)
          : ended(scenario, from, seeds, ran.get(), process.end(SimulationProcess.END_LIMIT));
    }
  }

  /** Returns the result of a process that ended in a seed, or in its end after the last seed. */
  private static Result ended(String scenario, long from, long seeds, long ran, String how) {
    long seed = from + Math.min(ran, seeds - 1);
    return new Result(
        scenario, ran, 0, 0, 0, 0, Map.of(), Optional.of(new Campaign.Failure(seed, how)));
  }

  /** Ends the processes. */
  @Override
  public void close() {
    threads.shutdownNow();
    processes.forEach(SimulationProcess::close);
  }
}
