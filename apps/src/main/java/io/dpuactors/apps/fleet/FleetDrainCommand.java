package io.dpuactors.apps.fleet;

import io.dpuactors.apps.cli.CliCommand;
import io.dpuactors.apps.cli.CommonOptions;
import io.dpuactors.apps.cli.ExitCode;
import io.dpuactors.fleet.FleetMonitor.DrainNode;
import io.dpuactors.fleet.FleetMonitor.Drained;
import io.dpuactors.fleet.FleetMonitor.Event;
import io.dpuactors.fleet.FleetMonitor.Nodes;
import io.dpuactors.fleet.FleetMonitor.NotDrained;
import io.dpuactors.fleet.HostPort;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code dpu fleet drain}. */
@Command(
    name = "drain",
    sortOptions = false,
    header = {"Let a node finish its blocks and leave a fleet.", ""},
    description = {
      "",
      "The node takes no more blocks, finishes those that it has taken, leaves the fleet and ends with status 0. "
          + "No block is computed twice, and no job fails. The command ends when the node has left.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {"  dpu fleet drain 127.0.0.1:25521"})
final class FleetDrainCommand extends CliCommand {
  private static final Duration INTERVAL = Duration.ofMillis(200);

  /** Time between the drain of a node, which has its limit in the monitor, and its leave. */
  private static final Duration LEAVE_LIMIT = Duration.ofSeconds(30);

  @Parameters(
      paramLabel = "NODE",
      converter = FleetOptions.Converter.class,
      description = "Address of the node, as 'dpu fleet status' shows it.")
  private HostPort node = new HostPort("127.0.0.1", 1);

  @Mixin private FleetOptions fleet = new FleetOptions();

  @Mixin private CommonOptions common = new CommonOptions();

  private long deadlineNs;
  private boolean begun;
  private boolean drained;

  @Override
  public Integer call() throws Exception {
    return MonitorRun.run(
            line(),
            fleet.begin(common),
            INTERVAL,
            (event, monitor) -> onEvent(event, monitor::tell, line()))
        .status();
  }

  /** Handles an event of the monitor: see {@link MonitorRun.Handler}. */
  Optional<ExitCode> onEvent(Event event, Consumer<DrainNode> monitor, CommandLine line) {
    if (event instanceof Drained) {
      drained = true;
      deadlineNs = System.nanoTime() + LEAVE_LIMIT.toNanos();
    } else if (event instanceof NotDrained failed) {
      return MonitorRun.fail(line, failed.message());
    } else if (!begun) {
      begun = true;
      monitor.accept(new DrainNode(node));
    } else if (event instanceof Nodes nodes && !nodes.contains(node)) {
      return left(line);
    } else if (drained && System.nanoTime() - deadlineNs > 0) {
      return MonitorRun.fail(
          line,
          "node %s has drained, and has not left within %d s"
              .formatted(node, LEAVE_LIMIT.toSeconds()));
    }
    return Optional.empty();
  }

  private Optional<ExitCode> left(CommandLine line) {
    if (!drained) {
      return MonitorRun.fail(line, "node %s was lost before it had drained".formatted(node));
    }
    line.getOut().println("node %s has left the fleet".formatted(node));
    return Optional.of(ExitCode.OK);
  }
}
