package io.dpuactors.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HistogramTest {
  @Test
  void everyValueIsInOneBin() {
    double[] a = IntStream.range(0, 1000).mapToDouble(i -> i % 97).toArray();
    double[] b = {-5, 96, 200};
    Histogram histogram = Histogram.over(List.of(a, b));
    assertThat(histogram.bins()).isBetween(2, 60);
    assertThat(Arrays.stream(histogram.count(a)).sum()).isEqualTo(1000);
    int[] counts = histogram.count(b);
    assertThat(counts[0]).isEqualTo(1);
    assertThat(counts[counts.length - 1]).isEqualTo(1);
  }

  @Test
  void bordersAreRoundAndAFewValuesDoNotFallTogether() {
    double[] a = {0.7390551, 4.1008849, 2.2262052};
    double[] b = {5.074233, 5.509834, 1.53466};
    Histogram histogram = Histogram.over(List.of(a, b));
    assertThat(histogram).isEqualTo(new Histogram(0.5, 0.5, 11));
    assertThat(histogram.to()).isEqualTo(6);
    assertThat(histogram.count(a)).containsExactly(1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0);
    assertThat(histogram.count(b)).containsExactly(0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 1);
    assertThat(Histogram.over(List.of(new double[] {-29.9, -1.0})))
        .isEqualTo(new Histogram(-30, 2.5, 12));
  }

  @Test
  void equalValuesAndNoneHaveABinToo() {
    assertThat(Histogram.over(List.of(new double[] {3, 3})).count(new double[] {3, 3}))
        .containsExactly(2);
    assertThat(Histogram.over(List.of(new double[0])).count(new double[0])).containsExactly(0);
  }

  @Test
  void theOutlineBeginsAndEndsAtTheAxis() {
    double[][] outline = new Histogram(1, 2, 2).outline(new double[] {1, 2, 4});
    assertThat(outline[0]).containsExactly(1, 1, 3, 3, 5, 5);
    assertThat(outline[1]).containsExactly(0, 2, 2, 1, 1, 0);
  }

  @Test
  void theLegendHasTheNumberOfTrials() {
    assertThat(Charts.legend("actors", 2, 1.55)).isEqualTo("actors, 2 trials, median 1.550");
    assertThat(Charts.legend("loss", 0, Double.NaN)).isEqualTo("loss, 0 trials");
  }
}
