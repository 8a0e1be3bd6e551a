package io.dpuactors.benchmarks.run;

import io.dpuactors.benchmarks.measure.RunException;
import io.dpuactors.benchmarks.measure.Sample;
import io.dpuactors.benchmarks.measure.Trial;
import io.dpuactors.benchmarks.micro.TaskBenchmark;
import io.dpuactors.benchmarks.result.Metric;
import io.dpuactors.benchmarks.result.PointResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** Runs the JMH benchmarks, each in separate processes, and measures their allocation. */
final class MicroRun {
  private static final String ALL = TaskBenchmark.class.getPackageName() + ".";
  private static final String GARBAGE = "gc.alloc.rate.norm";
  private static final int ITERATIONS = 5;

  private MicroRun() {}

  static List<PointResult> run(Bench bench) throws RunException {
    Path log = bench.logs().resolve("jmh.log");
    bench.progress().print("JMH runs; its log: " + log);
    try {
      List<PointResult> points = new ArrayList<>();
      for (RunResult result : new Runner(options(bench, log).build()).run()) {
        points.add(point(result));
      }
      return points;
    } catch (RunnerException e) {
      throw new RunException("JMH: %s (see %s)".formatted(e.getMessage(), log), e);
    }
  }

  /** JMH drops the results of a failed benchmark, so that a failure ends the run. */
  private static ChainedOptionsBuilder options(Bench bench, Path log) {
    TimeValue time = TimeValue.milliseconds(bench.quick() ? 100 : 1000);
    return new OptionsBuilder()
        .include(ALL.replace(".", "\\.") + ".*")
        .forks(bench.quick() ? 1 : 3)
        .warmupIterations(bench.quick() ? 1 : ITERATIONS)
        .warmupTime(time)
        .measurementIterations(bench.quick() ? 1 : ITERATIONS)
        .measurementTime(time)
        .timeout(TimeValue.minutes(2))
        .timeUnit(TimeUnit.NANOSECONDS)
        .addProfiler(GCProfiler.class)
        .shouldFailOnError(true)
        .jvmArgs("-XX:+UseSerialGC", "-Xmx512m")
        .output(log.toString());
  }

  private static PointResult point(RunResult result) {
    BenchmarkParams params = result.getParams();
    Map<String, String> parameters = new TreeMap<>();
    StringBuilder label = new StringBuilder(params.getBenchmark().substring(ALL.length()));
    for (String key : params.getParamsKeys()) {
      parameters.put(key, params.getParam(key));
      label.append(", ").append(key).append(' ').append(params.getParam(key));
    }
    parameters.put("jvm arguments", String.join(" ", params.getJvmArgs()));
    List<Trial> trials = new ArrayList<>();
    for (BenchmarkResult fork : result.getBenchmarkResults()) {
      for (IterationResult iteration : fork.getIterationResults()) {
        trials.add(new Trial(trials.size() + 1, sample(iteration), null));
      }
    }
    return PointResult.of(
        label.toString().replaceAll("[^A-Za-z0-9.]+", "-"),
        label.toString(),
        Metric.NS,
        parameters,
        trials);
  }

  private static Sample sample(IterationResult iteration) {
    Result<?> garbage = iteration.getSecondaryResults().get(GARBAGE);
    @Nullable Double bytes = garbage == null ? null : garbage.getScore();
    return new Sample(iteration.getPrimaryResult().getScore(), null, null, bytes, null);
  }
}
