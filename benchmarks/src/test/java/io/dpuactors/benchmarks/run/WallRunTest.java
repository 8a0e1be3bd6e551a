package io.dpuactors.benchmarks.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.benchmarks.measure.Sample;
import io.dpuactors.benchmarks.measure.Trial;
import org.junit.jupiter.api.Test;

/** Checks which outputs are comparable. */
class WallRunTest {
  private static final Sample DONE = Sample.of(2);

  @Test
  void aLargeOutputIsAFailure() {
    Trial trial = new Trial(1, DONE, DONE);
    assertThat(WallRun.withinSize(trial, 105, 100)).isEqualTo(trial);
    assertThat(WallRun.withinSize(trial, 106, 100))
        .isEqualTo(new Trial(1, Sample.failed("106 bytes, igzip writes 100"), DONE));
  }

  /** On a machine without igzip only its trials fail. */
  @Test
  void sizesOfFailedTrialsAreNotCompared() {
    Trial trial = new Trial(1, DONE, Sample.failed("igzip cannot be started"));
    assertThat(WallRun.withinSize(trial, 106, 0)).isEqualTo(trial);
  }
}
