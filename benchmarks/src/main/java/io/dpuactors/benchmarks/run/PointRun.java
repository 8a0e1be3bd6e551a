package io.dpuactors.benchmarks.run;

import io.dpuactors.benchmarks.result.PointResult;
import io.dpuactors.benchmarks.result.Sample;
import io.dpuactors.benchmarks.result.Trial;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs the trials of a point: the sides in turns, A B A B, each in one process. */
final class PointRun {
  private static final int WARM_UPS = 4;

  private final Programs programs;
  private final Path logs;
  private final Observer observer;

  PointRun(Programs programs, Path logs, Observer observer) {
    this.programs = programs;
    this.logs = logs;
    this.observer = observer;
  }

  PointResult run(Point point, int trials) throws InterruptedException {
    int turns = trials + WARM_UPS;
    try (Side actors = side(point, "actors", programs.actors(point, turns));
        @Nullable Side plain =
            point.isPaired() ? side(point, "plain", programs.plain(point, turns)) : null) {
      List<Trial> done = new ArrayList<>();
      for (int number = 1; number <= trials; number++) {
        Sample ours = actors.run();
        Sample theirs = plain == null ? null : plain.run();
        done.add(new Trial(number, ours, theirs));
        tell(point, done.get(done.size() - 1));
      }
      return new PointResult(
          point.key(),
          point.label(),
          point.metric(),
          point.parameters(),
          done,
          point.gib(),
          actors.peakMib(),
          plain == null ? null : plain.peakMib());
    }
  }

  private Side side(Point point, String who, List<String> command) {
    return new Side(
        command,
        point.environment(),
        point.metric(),
        WARM_UPS,
        logs.resolve(point.key() + "." + who + ".err"));
  }

  private void tell(Point point, Trial trial) {
    Sample plain = trial.plain();
    observer.told(
        "%s: trial %d: %s%s"
            .formatted(
                point.label(),
                trial.number(),
                text(trial.actors(), point),
                plain == null ? "" : ", plain C " + text(plain, point)));
  }

  private static String text(Sample sample, Point point) {
    return sample.failure() != null
        ? "FAILED: " + sample.failure()
        : "%.4g %s".formatted(sample.value(), point.metric().unit());
  }
}
