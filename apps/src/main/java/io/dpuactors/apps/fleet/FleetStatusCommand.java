package io.dpuactors.apps.fleet;

import com.fasterxml.jackson.core.JsonGenerator;
import com.typesafe.config.Config;
import io.dpuactors.apps.cli.CliCommand;
import io.dpuactors.apps.cli.CommonOptions;
import io.dpuactors.apps.cli.ExitCode;
import io.dpuactors.apps.cli.Json;
import io.dpuactors.apps.cli.Size;
import io.dpuactors.apps.cli.Terminal;
import io.dpuactors.apps.cli.TextTable;
import io.dpuactors.fleet.FleetMessage.NodeStatus;
import io.dpuactors.fleet.FleetMonitor.Event;
import io.dpuactors.fleet.FleetMonitor.NodeView;
import io.dpuactors.fleet.FleetMonitor.Nodes;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code dpu fleet status}. */
@Command(
    name = "status",
    sortOptions = false,
    header = {"Show the nodes of a fleet and their work.", ""},
    description = {
      "",
      "JOBS and BUSY are the jobs that a node serves and its blocks in work. BLOCKS, FAILED, REFUSED (peers), IN and OUT count since the node's start. "
          + "A node without numbers has not answered within 3 seconds.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  dpu fleet status                             one table",
      "  dpu fleet status --watch                     each second, until Ctrl-C",
      "  dpu fleet status --json --join dpu1:25520    one JSON document"
    })
final class FleetStatusCommand extends CliCommand {
  private static final Duration INTERVAL = Duration.ofSeconds(1);
  private static final String CLEAR = "\033[H\033[J";
  private static final List<String> TITLES =
      List.of(
          "NODE", "STATE", "TASKS", "JOBS", "BUSY", "BLOCKS", "FAILED", "REFUSED", "IN", "OUT",
          "DEVICES");

  @Mixin private FleetOptions fleet = new FleetOptions();

  @Option(names = "--watch", description = "Show the state each second until Ctrl-C.")
  private boolean watch;

  @Option(
      names = "--json",
      description = {
        "Print one JSON document instead of a table.",
        "With --watch: one document per second."
      })
  private boolean json;

  @Mixin private CommonOptions common = new CommonOptions();

  @Override
  public Integer call() throws Exception {
    Config config = fleet.begin(common);
    return MonitorRun.run(
            line(), config, INTERVAL, (event, monitor) -> onEvent(event, line().getOut()))
        .status();
  }

  private Optional<ExitCode> onEvent(Event event, PrintWriter out) throws IOException {
    if (!(event instanceof Nodes nodes)) {
      return Optional.empty();
    }
    if (json) {
      print(out, nodes);
    } else {
      if (watch && Terminal.isTerminal(1)) {
        out.print(CLEAR);
      }
      List<List<String>> rows = new ArrayList<>();
      rows.add(TITLES);
      nodes.nodes().forEach(node -> rows.add(row(node)));
      TextTable.print(out, rows);
    }
    out.flush();
    return watch && !out.checkError() ? Optional.empty() : Optional.of(ExitCode.OK);
  }

  private static List<String> row(NodeView node) {
    List<String> row = new ArrayList<>(List.of(node.node(), node.state()));
    if (node.status().isPresent()) {
      NodeStatus status = node.status().get();
      row.addAll(
          List.of(
              status.kinds(),
              String.valueOf(status.jobs()),
              String.valueOf(status.busy()),
              String.valueOf(status.blocks()),
              String.valueOf(status.failed()),
              String.valueOf(refused(status)),
              Size.text(status.bytesIn()),
              Size.text(status.bytesOut()),
              status.library() + " " + status.device()));
    }
    while (row.size() < TITLES.size()) {
      row.add("-");
    }
    return row;
  }

  private static long refused(NodeStatus status) {
    return status.refused().values().stream().mapToLong(Long::longValue).sum();
  }

  private static void print(PrintWriter out, Nodes nodes) throws IOException {
    try (JsonGenerator json = Json.generator(out)) {
      json.writeStartObject();
      json.writeStringField("command", "fleet status");
      json.writeNumberField("exitStatus", ExitCode.OK.status());
      json.writeArrayFieldStart("nodes");
      for (NodeView node : nodes.nodes()) {
        json.writeStartObject();
        json.writeStringField("node", node.node());
        json.writeStringField("state", node.state());
        if (node.status().isPresent()) {
          members(json, node.status().get());
        }
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    out.println();
  }

  private static void members(JsonGenerator json, NodeStatus status) throws IOException {
    json.writeStringField("library", status.library());
    json.writeStringField("devices", status.device());
    json.writeStringField("tasks", status.kinds());
    json.writeNumberField("jobs", status.jobs());
    json.writeNumberField("busy", status.busy());
    json.writeNumberField("blocks", status.blocks());
    json.writeNumberField("failed", status.failed());
    json.writeNumberField("bytesIn", status.bytesIn());
    json.writeNumberField("bytesOut", status.bytesOut());
    json.writeObjectFieldStart("refused");
    for (Map.Entry<String, Long> one : status.refused().entrySet()) {
      json.writeNumberField(one.getKey(), one.getValue());
    }
    json.writeEndObject();
  }
}
