package io.dpuactors.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class ComparisonTest {
  private static final double EXACT = 1e-12;
  private static final Sample FAILED = Sample.failed("the device is gone");

  private static Trial pair(int trial, double actors, double plain) {
    return new Trial(trial, Sample.of(actors), Sample.of(plain));
  }

  /** Losses of 10, 0 and -5 percent. */
  @Test
  void knownValues() {
    Comparison c = Comparison.of(List.of(pair(1, 0.9, 1), pair(2, 2, 2), pair(3, 4.2, 4)));
    assertThat(c.loss().mean()).isCloseTo(5.0 / 3, within(EXACT));
    assertThat(c.loss().sd()).isCloseTo(Math.sqrt(350.0 / 6), within(EXACT));
    assertThat(c.loss().ci()).isCloseTo(9.924843 * Math.sqrt(350.0 / 18), within(1e-5));
    assertThat(c.ratio().median()).isEqualTo(1);
    assertThat(c.outperformed()).isCloseTo(1.0 / 3, within(EXACT));
    assertThat(c.actors().mean()).isCloseTo(7.1 / 3, within(EXACT));
    assertThat(c.plain().mean()).isCloseTo(7.0 / 3, within(EXACT));
    assertThat(c.pairs()).isEqualTo(3);
    assertThat(c.failedActors() + c.failedPlain()).isZero();
  }

  /** The loss is computed per pair: the means would give 50 percent less. */
  @Test
  void pairsAreComparedBeforeTheyAreSummedUp() {
    Comparison c = Comparison.of(List.of(pair(1, 1, 1), pair(2, 0.5, 1), pair(3, 1, 4)));
    assertThat(c.loss().mean()).isCloseTo((0 + 50 + 75) / 3.0, within(EXACT));
  }

  @Test
  void equalIsNotFaster() {
    assertThat(Comparison.of(List.of(pair(1, 2, 2))).outperformed()).isZero();
  }

  @Test
  void failedTrialsAreCountedAndBreakTheirPairOnly() {
    Comparison c =
        Comparison.of(
            List.of(
                pair(1, 1, 2),
                new Trial(2, FAILED, Sample.of(4)),
                new Trial(3, Sample.of(3), FAILED),
                new Trial(4, FAILED, FAILED)));
    assertThat(c.pairs()).isEqualTo(4);
    assertThat(c.failedActors()).isEqualTo(2);
    assertThat(c.failedPlain()).isEqualTo(2);
    assertThat(c.actors().mean()).isEqualTo(2);
    assertThat(c.plain().mean()).isEqualTo(3);
    assertThat(c.loss().count()).isEqualTo(1);
    assertThat(c.loss().mean()).isEqualTo(50);
  }

  @Test
  void withoutACompletePairThereIsNoShare() {
    assertThat(Comparison.of(List.of(new Trial(1, FAILED, FAILED))).outperformed()).isNaN();
    assertThat(Comparison.of(List.of()).loss().count()).isZero();
  }
}
