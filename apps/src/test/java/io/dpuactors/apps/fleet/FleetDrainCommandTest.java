package io.dpuactors.apps.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.dpuactors.apps.cli.ExitCode;
import io.dpuactors.fleet.FleetMonitor.DrainNode;
import io.dpuactors.fleet.FleetMonitor.Drained;
import io.dpuactors.fleet.FleetMonitor.Event;
import io.dpuactors.fleet.FleetMonitor.NodeView;
import io.dpuactors.fleet.FleetMonitor.Nodes;
import io.dpuactors.fleet.FleetMonitor.NotDrained;
import io.dpuactors.fleet.HostPort;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Tests which status {@code dpu fleet drain} has after the events of its monitor. */
class FleetDrainCommandTest {
  private static final String NODE = "h:1";
  private static final Nodes WITH_NODE =
      new Nodes(List.of(new NodeView(NODE, "up", Optional.empty())));
  private static final Nodes WITHOUT_NODE = new Nodes(List.of());

  private final List<DrainNode> drains = new ArrayList<>();
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final FleetDrainCommand command = new FleetDrainCommand();
  private final CommandLine line = new CommandLine(command);

  FleetDrainCommandTest() {
    line.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    line.parseArgs(NODE);
  }

  private Optional<ExitCode> on(Event event) {
    return command.onEvent(event, drains::add, line);
  }

  private void begin() {
    assertThat(on(WITH_NODE)).isEmpty();
    assertThat(drains).containsExactly(new DrainNode(HostPort.parse(NODE)));
  }

  @Test
  void aDrainedNodeThatHasLeftIsASuccess() {
    begin();
    assertThat(on(new Drained(NODE))).isEmpty();
    assertThat(on(WITH_NODE)).isEmpty();
    assertThat(on(WITHOUT_NODE)).contains(ExitCode.OK);
    assertThat(out).hasToString("node h:1 has left the fleet\n");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void aNodeThatLeavesBeforeItHasDrainedIsAFailure() {
    begin();
    assertThat(on(WITHOUT_NODE)).contains(ExitCode.FAILURE);
    assertThat(err).hasToString("dpu: node h:1 was lost before it had drained\n");
  }

  /** A status of 4 would mean that there is no such node. */
  @Test
  void aNodeThatDoesNotDrainIsAFailure() {
    begin();
    assertThat(on(new NotDrained("node h:1 has not drained within 45 s")))
        .contains(ExitCode.FAILURE);
    assertThat(err).hasToString("dpu: node h:1 has not drained within 45 s\n");
    assertThat(out.toString()).isEmpty();
  }
}
