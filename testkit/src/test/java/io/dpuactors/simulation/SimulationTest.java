package io.dpuactors.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs 200 seeds of each scenario, and seeds that failed earlier. */
class SimulationTest {
  private static final int SEEDS = 200;
  private static final String SHARED = "destination in use";

  static List<String> scenarios() {
    return Simulator.scenarios();
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  @Timeout(300) // a calm machine needs a few seconds
  void allSeedsKeepThePromises(String scenario) {
    Campaign.Result result = new Campaign(() -> false, done -> {}).run(scenario, 1, SEEDS);
    assertThat(result.failure()).isEmpty();
    assertThat(result.seeds()).isEqualTo(SEEDS);
    assertThat(result.reached()).containsKeys("STOP_ENGINE", "BREAK_CONTEXT", "KILL_ENGINE");
    assertThat(result.reached()).containsKeys(cases(scenario));
  }

  /** The models of the programs were wrong for these seeds. */
  @ParameterizedTest
  @CsvSource({
    "comch, 1062", // a slow consumer, and short deadlines
    "comch, 1140", // a request after a connection that ended with TIME_OUT
    "comch, 7409", // a server that was silent for too long
    "mixed, 2120", // a producer of a connection that ended with TIME_OUT
    "rdma, 2058", // a write that outlived its connection
    "rdma, 4268", // a client that was opened again before the end of the last one
    "rdma, 6148" // an atomic task that outlived its connection
  })
  void seedsOfEarlierFailuresKeepThePromises(String scenario, long seed) {
    assertThat(new Campaign(() -> false, done -> {}).run(scenario, seed, 1).failure()).isEmpty();
  }

  /** Returns cases of a scenario that a change of the scenario could make impossible. */
  private static String[] cases(String scenario) {
    return switch (scenario) {
      case "batches" ->
          new String[] {"batch ended", "batch again", "batch busy", "batch TIME_OUT", "completed"};
      case "comch" -> new String[] {"damaged message", "data received", "produce NOT_CONNECTED"};
      case "group" -> new String[] {"member fails", "completed", "TIME_OUT"};
      case "sha" -> new String[] {"hash in parts", "session closed", "completed"};
      case "rdma" ->
          new String[] {
            "connected",
            "client lost",
            "client connected again",
            "sent",
            "read",
            "written",
            "written with immediate",
            "RDMA_COMPARE_AND_SWAP",
            "RDMA_FETCH_AND_ADD",
            "RDMA_EVENT_GET",
            "RDMA_EVENT_SET",
            "RDMA_EVENT_ADD",
            "batch of RDMA_WRITE",
            "batch of RDMA_READ",
            "batch of RDMA_SEND",
            "memory checked",
            "received by request",
            "SHUTDOWN"
          };
      case "mixed" ->
          new String[] {"completed", "data received", "read", "EVENT_ADD", "KILL_HOST", "SHUTDOWN"};
      case "sync-event" -> new String[] {"EVENT_ADD", "EVENT_WAIT_EQUAL", "TIME_OUT", "busy"};
      default -> new String[] {"completed", "busy", "TIME_OUT", "receiver ends", SHARED};
    };
  }
}
