package io.dpuactors.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.dpuactors.bridge.Census.Resource;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;

class CensusTest {
  private final Census census = new Census();

  @Test
  void startsEmpty() {
    assertThat(census.isEmpty()).isTrue();
    assertThat(census).hasToString("empty");
  }

  @Test
  void countsWhatIsOpen() {
    census.opened(Resource.LEASE);
    census.opened(Resource.CONTEXT);
    census.opened(Resource.CONTEXT);
    assertThat(census).hasToString("2 CONTEXT, 1 LEASE");
    assertThat(census.snapshot())
        .containsExactly(entry(Resource.CONTEXT, 2), entry(Resource.LEASE, 1));
    census.closed(Resource.CONTEXT);
    census.closed(Resource.CONTEXT);
    census.closed(Resource.LEASE);
    assertThat(census.isEmpty()).isTrue();
  }

  @Test
  void closingTooOftenIsSeen() {
    census.closed(Resource.DEVICE);
    assertThat(census.isEmpty()).isFalse();
    assertThat(census).hasToString("-1 DEVICE");
  }

  @Test
  void watchesAreAskedEachTime() {
    int[] tasks = {3};
    IntSupplier watch = () -> tasks[0];
    census.watch(Resource.TASK, watch);
    assertThat(census.count(Resource.TASK)).isEqualTo(3);
    tasks[0] = 0;
    assertThat(census.isEmpty()).isTrue();
    tasks[0] = 1;
    census.unwatch(watch);
    assertThat(census.isEmpty()).isTrue();
  }
}
