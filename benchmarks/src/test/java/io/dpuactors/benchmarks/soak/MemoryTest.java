package io.dpuactors.benchmarks.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MemoryTest {
  private static Memory of(int count, IntFunction<Memory.Sample> sample) {
    Memory memory = new Memory();
    IntStream.range(0, count).mapToObj(sample).forEach(memory::add);
    return memory;
  }

  @Test
  void aWarmUpAndPeaksAreNoLeak() {
    assertThat(
            of(40, i -> new Memory.Sample(i < 10 ? 50 + 20 * i : 300 + i % 3 * 40, 5000)).isFlat())
        .isTrue();
  }

  @Test
  void aLeakInEachRoundIsFound() {
    assertThat(of(40, i -> new Memory.Sample(300 + 6 * i, 5000)).isFlat()).isFalse();
    assertThat(of(40, i -> new Memory.Sample(300, 5000 + 16 * i)).isFlat()).isFalse();
  }

  @Test
  void theProcessIsSampled() throws IOException {
    Memory memory = new Memory();
    memory.sample();
    assertThat(memory.samples()).allMatch(s -> s.residentMib() > 10 && s.virtualMib() > 100);
  }
}
