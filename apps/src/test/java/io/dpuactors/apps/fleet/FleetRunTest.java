package io.dpuactors.apps.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.fleet.FleetTally.Share;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the text of the progress of a fleet. */
class FleetRunTest {
  @Test
  void theProgressHasTheBlocksOfEachNode() {
    assertThat(FleetRun.progress(List.of(new Share(34, 1), new Share(30, 1))))
        .isEqualTo(", nodes 34 30");
    assertThat(FleetRun.progress(List.of())).isEmpty();
  }
}
