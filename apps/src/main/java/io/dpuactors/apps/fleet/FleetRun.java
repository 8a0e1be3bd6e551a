package io.dpuactors.apps.fleet;

import com.fasterxml.jackson.core.JsonGenerator;
import com.typesafe.config.Config;
import io.dpuactors.apps.cli.CommonOptions;
import io.dpuactors.apps.cli.Configuration;
import io.dpuactors.apps.cli.Size;
import io.dpuactors.apps.file.DeviceOptions;
import io.dpuactors.apps.file.FileOptions;
import io.dpuactors.apps.file.FileRun;
import io.dpuactors.file.BatchEvent;
import io.dpuactors.file.BatchSettings;
import io.dpuactors.file.FileBatch;
import io.dpuactors.file.PartialFiles;
import io.dpuactors.fleet.FleetEngine;
import io.dpuactors.fleet.FleetTally;
import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import picocli.CommandLine;

/** Runs a command that processes files on the nodes of a fleet. */
final class FleetRun extends FileRun {
  private final FleetOptions fleet;
  private final FleetTally tally = new FleetTally();

  FleetRun(
      CommandLine line,
      String command,
      FileOptions options,
      DeviceOptions devices,
      FleetOptions fleet,
      CommonOptions common) {
    super(line, command, "dpu.fleet.client.window", options, devices, common);
    this.fleet = fleet;
  }

  @Override
  protected Config config() throws Configuration.ConfigurationError {
    return fleet.client();
  }

  @Override
  protected PartialFiles partials() {
    return PartialFiles.resumable();
  }

  @Override
  protected Behavior<FileBatch.Command> batch(
      BatchSettings settings, PartialFiles partials, ActorRef<BatchEvent> listener) {
    return FileBatch.create(settings, FleetEngine.create(tally), partials, listener);
  }

  @Override
  protected String progress() {
    return progress(tally.shares().values());
  }

  /** Returns the blocks of each node, such as {@code , nodes 34 30 28}. */
  static String progress(Collection<FleetTally.Share> shares) {
    return shares.stream()
        .map(share -> String.valueOf(share.blocks()))
        .collect(Collectors.joining(" ", shares.isEmpty() ? "" : ", nodes ", ""));
  }

  /** Prints one line per node. */
  @Override
  protected void printMore(CommandLine to) {
    tally
        .shares()
        .forEach(
            (node, share) ->
                to.getErr()
                    .println(
                        "  node %s: %d blocks, %s"
                            .formatted(node, share.blocks(), Size.text(share.bytesIn()))));
  }

  @Override
  protected void addJson(JsonGenerator json) throws IOException {
    json.writeArrayFieldStart("nodes");
    for (Map.Entry<String, FleetTally.Share> node : tally.shares().entrySet()) {
      json.writeStartObject();
      json.writeStringField("node", node.getKey());
      json.writeNumberField("blocks", node.getValue().blocks());
      json.writeNumberField("bytesIn", node.getValue().bytesIn());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeNumberField("blocksRepeated", tally.repeated());
    json.writeNumberField("resultsDropped", tally.dropped());
  }
}
