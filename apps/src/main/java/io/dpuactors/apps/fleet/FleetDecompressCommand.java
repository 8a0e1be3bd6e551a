package io.dpuactors.apps.fleet;

import io.dpuactors.apps.cli.CommonOptions;
import io.dpuactors.apps.file.DeviceOptions;
import io.dpuactors.apps.file.FileOptions;
import io.dpuactors.file.FileJob;
import io.dpuactors.fleet.FleetEngine;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

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
final class FleetDecompressCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Mixin private FileOptions files = new FileOptions();

  @Mixin private DeviceOptions devices = new DeviceOptions();

  @Mixin private FleetOptions fleet = new FleetOptions();

  @Mixin private CommonOptions common = new CommonOptions();

  FleetDecompressCommand() {}

  @Override
  public Integer call() throws Exception {
    Optional<String> problem = files.problemInFleet(FleetEngine.MAX_IN_FLIGHT);
    if (problem.isPresent()) {
      throw new ParameterException(Objects.requireNonNull(spec).commandLine(), problem.get());
    }
    return new FleetRun(spec, "fleet decompress", files, devices, fleet, common)
        .run(files.files, this::job);
  }

  private FileJob job(Path input) {
    Path output =
        files.outputWithoutSuffix(Objects.requireNonNull(spec).commandLine(), input, ".gz");
    return new FileJob.Decompress(input, output, FleetEngine.MAX_BLOCK_BYTES, files.force);
  }
}
