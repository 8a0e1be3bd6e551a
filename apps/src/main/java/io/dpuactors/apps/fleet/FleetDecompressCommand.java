package io.dpuactors.apps.fleet;

import io.dpuactors.apps.cli.CliCommand;
import io.dpuactors.apps.cli.CommonOptions;
import io.dpuactors.apps.file.DeviceOptions;
import io.dpuactors.apps.file.FileOptions;
import io.dpuactors.file.FileJob;
import io.dpuactors.fleet.FleetEngine;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code dpu fleet decompress}. */
@Command(
    name = "decompress",
    sortOptions = false,
    header = {"Decompress files of 'dpu compress' on the nodes of a fleet.", ""},
    description = {
      "",
      "This client checks length and CRC-32 of every block against the file. "
          + "Files with blocks of more than 1.9 MiB need 'dpu decompress'.",
      ""
    },
    exitCodeListHeading = "%nExit status (with several files: of the first failure):%n",
    footerHeading = "%nExamples:%n",
    footer = {"  dpu fleet decompress access.log.gz   access.log"})
final class FleetDecompressCommand extends CliCommand {
  @Mixin private FileOptions files = new FileOptions();

  @Mixin private DeviceOptions devices = new DeviceOptions();

  @Mixin private FleetOptions fleet = new FleetOptions();

  @Mixin private CommonOptions common = new CommonOptions();

  @Override
  public Integer call() throws Exception {
    refuse(files.problemInFleet(FleetEngine.MAX_IN_FLIGHT));
    return new FleetRun(line(), "fleet decompress", files, devices, fleet, common)
        .run(files.files, this::job);
  }

  private FileJob job(Path input) {
    Path output = files.outputWithoutSuffix(line(), input, ".gz");
    return new FileJob.Decompress(input, output, FleetEngine.MAX_BLOCK_BYTES, files.force);
  }
}
