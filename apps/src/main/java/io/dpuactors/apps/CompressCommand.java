package io.dpuactors.apps;

import io.dpuactors.file.FileJob;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code dpu compress}. */
@Command(
    name = "compress",
    sortOptions = false,
    header = {"Compress files to gzip on the device, many blocks at a time.", ""},
    description = {
      "",
      "Each block becomes one gzip member that contains its size, so that 'dpu decompress' can process all members in parallel. "
          + "Any gzip can read the file. The output gets its name when it is complete and on disk. After a failure, no partial output remains.",
      ""
    },
    exitCodeListHeading = "%nExit status (with several files: of the first failure):%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  dpu compress access.log                        access.log.gz",
      "  dpu compress -o /backup/a.gz access.log        another name",
      "  dpu compress --parallel 16 --block-size 256K big.tar",
      "  dpu compress --verify --json *.log > report.json",
      "  tar c folder | dpu compress - > folder.tar.gz",
      "",
      "Sizes: K, M, G or KiB, MiB, GiB are powers of 1024; KB, MB, GB of 1000.",
      "Smaller blocks: less memory and more parallelism; larger blocks: better ratio."
    })
final class CompressCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Mixin private FileOptions files = new FileOptions();

  @Option(
      names = {"-b", "--block-size"},
      paramLabel = "SIZE",
      defaultValue = "1M",
      converter = Size.Converter.class,
      description = "Content of one block. Default: ${DEFAULT-VALUE}.")
  private Size blockSize = new Size(1 << 20);

  @Option(
      names = "--verify",
      description = {
        "Inflate and compare each block on the device before writing it.",
        "Always on for standard output, which cannot be deleted."
      })
  private boolean verify;

  @Mixin private CommonOptions common = new CommonOptions();

  CompressCommand() {}

  @Override
  public Integer call() throws Exception {
    return new FileRun(spec, "compress", "dpu.compress.window", files, common)
        .run(files.files, this::job);
  }

  private FileJob job(Path input) {
    Path output = files.outputWithSuffix(Objects.requireNonNull(spec).commandLine(), input, ".gz");
    return new FileJob.Compress(input, output, blockSize.bytes(), verify, files.force);
  }
}
