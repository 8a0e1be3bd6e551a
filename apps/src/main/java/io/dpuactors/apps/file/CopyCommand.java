package io.dpuactors.apps.file;

import io.dpuactors.apps.cli.CliCommand;
import io.dpuactors.apps.cli.CommonOptions;
import io.dpuactors.apps.cli.Size;
import io.dpuactors.file.FileJob;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code dpu copy}. */
@Command(
    name = "copy",
    sortOptions = false,
    header = {"Copy a file through the DMA engine of the device, many blocks at a time.", ""},
    description = {
      "",
      "Reads each block into registered memory, lets the device copy it to other registered memory, and writes it from there. "
          + "The copy gets its name when it is complete and on disk. After a failure, no partial copy remains.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  dpu copy big.tar /backup/                      /backup/big.tar",
      "  dpu copy --verify --parallel 16 big.tar copy.tar",
      "",
      "Sizes: K, M, G or KiB, MiB, GiB are powers of 1024; KB, MB, GB of 1000."
    })
public final class CopyCommand extends CliCommand {
  @Parameters(index = "0", paramLabel = "SRC", description = "The file to read.")
  private Path source = Path.of("");

  @Parameters(
      index = "1",
      paramLabel = "DST",
      description = "The file to write, or a folder for a file of the same name.")
  private Path destination = Path.of("");

  @Mixin private RunOptions options = new RunOptions();

  @Mixin private EngineOptions engines = new EngineOptions();

  @Option(
      names = {"-b", "--block-size"},
      paramLabel = "SIZE",
      defaultValue = "1M",
      converter = Size.Converter.class,
      description = "Size of one block. Default: ${DEFAULT-VALUE}.")
  private Size blockSize = new Size(1 << 20);

  @Option(
      names = "--verify",
      description = "Compare the CRC-32 of each block before and after the copy.")
  private boolean verify;

  @Mixin private CommonOptions common = new CommonOptions();

  public CopyCommand() {}

  @Override
  public Integer call() throws Exception {
    if (FileJob.isStream(source)) {
      throw wrongUse("SRC -: standard input is not supported, name a file");
    }
    if (destination.toString().equals("-")) {
      throw wrongUse("DST -: standard output is not supported, name a file");
    }
    return new FileRun(line(), "copy", "dpu.dma.window", options, engines, common)
        .run(List.of(source), this::job);
  }

  private FileJob job(Path input) {
    Path name = input.getFileName();
    boolean inside = name != null && Files.isDirectory(destination);
    Path output = inside ? destination.resolve(name) : destination;
    return new FileJob.Copy(input, output, blockSize.bytes(), verify, options.force);
  }
}
