package io.dpuactors.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SummaryTest {
  private static final double EXACT = 1e-12;

  /** Computed by hand: the squares of the deviations sum up to 32, over n-1 = 7. */
  @Test
  void knownValues() {
    Summary summary = Summary.of(2, 4, 4, 4, 5, 5, 7, 9);
    assertThat(summary.count()).isEqualTo(8);
    assertThat(summary.mean()).isEqualTo(5);
    assertThat(summary.median()).isEqualTo(4.5);
    assertThat(summary.sd()).isCloseTo(Math.sqrt(32.0 / 7), within(EXACT));
    assertThat(summary.ci()).isCloseTo(3.499483 * summary.sd() / Math.sqrt(8), within(1e-6));
  }

  /** From a printed table of Student's t: 99.5 % of the distribution are below these values. */
  @ParameterizedTest
  @CsvSource({"2, 63.657", "3, 9.925", "4, 5.841", "10, 3.250", "31, 2.750", "121, 2.617"})
  void theIntervalIsWiderTheFewerTheTrials(int count, double t) {
    double[] values = new double[count];
    values[0] = 1;
    Summary summary = Summary.of(values);
    assertThat(summary.ci() * Math.sqrt(count) / summary.sd()).isCloseTo(t, within(5e-4));
  }

  @Test
  void theMedianOfAnOddColumnDoesNotDependOnItsOrder() {
    assertThat(Summary.of(9, 1, 5).median()).isEqualTo(5);
  }

  @Test
  void equalValuesHaveNoSpread() {
    Summary summary = Summary.of(3, 3, 3);
    assertThat(summary.sd()).isZero();
    assertThat(summary.ci()).isZero();
  }

  @Test
  void oneValueHasNoSpread() {
    Summary summary = Summary.of(3);
    assertThat(summary.mean()).isEqualTo(3);
    assertThat(summary.median()).isEqualTo(3);
    assertThat(summary.sd()).isNaN();
    assertThat(summary.ci()).isNaN();
  }

  @Test
  void anEmptyColumnHasNoStatistics() {
    Summary summary = Summary.of();
    assertThat(summary.count()).isZero();
    assertThat(summary.mean()).isNaN();
    assertThat(summary.median()).isNaN();
  }

  @Test
  void aSummaryDoesNotModifyItsColumn() {
    double[] values = {3, 1, 2};
    Summary.of(values);
    assertThat(values).containsExactly(3, 1, 2);
  }
}
