package io.dpuactors.apps;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.apps.cli.ExitCode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the end of the processes of {@code dpu fleet up}. */
@Timeout(value = 200, unit = TimeUnit.SECONDS)
class FleetUpTest {
  @TempDir Path logs;

  /** Ctrl-C on a terminal interrupts the nodes, too. A command such as kill does not. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anInterruptEndsAllNodes(boolean alsoOfNodes) throws Exception {
    FleetProcesses fleet = FleetProcesses.up(logs, 2, Map.of());
    List<ProcessHandle> nodes = fleet.processes();
    assertThat(nodes).hasSize(2).allMatch(ProcessHandle::isAlive);
    assertThat(fleet.interrupt(alsoOfNodes ? nodes : List.of()))
        .as(fleet.err())
        .isEqualTo(ExitCode.INTERRUPTED.status());
    assertThat(nodes).noneMatch(ProcessHandle::isAlive);
    assertThat(fleet.err()).doesNotContain("starting it again");
  }

  /** The standard input of a node ends with its supervisor. */
  @Test
  void nodesEndAfterTheirSupervisorIsKilled() throws Exception {
    FleetProcesses fleet = FleetProcesses.up(logs, 2, Map.of());
    List<ProcessHandle> nodes = fleet.processes();
    assertThat(nodes).hasSize(2);
    fleet.kill();
    try {
      for (ProcessHandle node : nodes) {
        FleetProcesses.awaitEnd(node);
      }
    } finally {
      nodes.forEach(ProcessHandle::destroyForcibly);
    }
  }
}
