package io.dpuactors.apps.fleet;

import io.dpuactors.apps.cli.CliCommand;
import io.dpuactors.apps.cli.CommonOptions;
import io.dpuactors.apps.file.CompressOptions;
import io.dpuactors.apps.file.DeviceOptions;
import io.dpuactors.apps.file.FileOptions;
import io.dpuactors.file.FileJob;
import io.dpuactors.fleet.FleetEngine;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code dpu fleet compress}. */
@Command(
    name = "compress",
    sortOptions = false,
    header = {"Compress files to gzip on the nodes of a fleet.", ""},
    description = {
      "",
      "The output and its checks are those of 'dpu compress'. Each block has an identity; its first result counts. "
          + "Blocks of a lost node are computed by other nodes.",
      ""
    },
    exitCodeListHeading = "%nExit status (with several files: of the first failure):%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  dpu fleet compress access.log                          access.log.gz",
      "  dpu fleet compress --join dpu1:25520 --join dpu2:25520 big.tar"
    })
final class FleetCompressCommand extends CliCommand {
  @Mixin private FileOptions files = new FileOptions();

  @Mixin private DeviceOptions devices = new DeviceOptions();

  @Mixin private FleetOptions fleet = new FleetOptions();

  @Mixin private CompressOptions options = new CompressOptions();

  @Mixin private CommonOptions common = new CommonOptions();

  @Override
  public Integer call() throws Exception {
    refuse(files.problemInFleet(FleetEngine.MAX_IN_FLIGHT).or(this::problem));
    return new FleetRun(line(), "fleet compress", files, devices, fleet, common)
        .run(files.files, this::job);
  }

  private Optional<String> problem() {
    int limit = FleetEngine.MAX_CONTENT_BYTES;
    return options.blockSize.bytes() > limit
        ? Optional.of("--block-size: a block of a fleet has at most %d bytes".formatted(limit))
        : Optional.empty();
  }

  private FileJob job(Path input) {
    Path output = files.outputWithSuffix(line(), input, ".gz");
    return new FileJob.Compress(
        input, output, options.blockSize.bytes(), options.verify, files.force);
  }
}
