package io.dpuactors.apps;

import io.dpuactors.file.FileJob;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code dpu copy}. */
@Command(
    name = "copy",
    sortOptions = false,
    header = {"Copy a file through the DMA engine of the device, many blocks at a time.", ""},
    description = {
      "",
      "Each block is read into registered memory, copied by the device into other registered memory, and written from there. "
          + "The copy appears under its name when it is whole and on disk; whatever goes wrong, nothing partial is left behind.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  dpu copy big.tar /backup/                      /backup/big.tar",
      "  dpu copy --verify --parallel 16 big.tar copy.tar",
      "",
      "Sizes: K, M, G or KiB, MiB, GiB are powers of 1024; KB, MB, GB of 1000."
    })
final class CopyCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Parameters(index = "0", paramLabel = "SRC", description = "The file to read.")
  private Path source = Path.of("");

  @Parameters(
      index = "1",
      paramLabel = "DST",
      description = "What to write: a file, or a folder that gets a file of the same name.")
  private Path destination = Path.of("");

  @Mixin private RunOptions options = new RunOptions();

  @Option(
      names = {"-b", "--block-size"},
      paramLabel = "SIZE",
      defaultValue = "1M",
      converter = Size.Converter.class,
      description = "Size of one block. Default: ${DEFAULT-VALUE}.")
  private Size blockSize = new Size(1 << 20);

  @Option(
      names = "--verify",
      description = "Compare the CRC-32 of each block before and after the device copied it.")
  private boolean verify;

  @Mixin private CommonOptions common = new CommonOptions();

  CopyCommand() {}

  @Override
  public Integer call() throws Exception {
    CommandSpec self = spec;
    if (self != null && FileJob.isStream(source)) {
      throw new ParameterException(self.commandLine(), "SRC -: a copy reads a file");
    }
    if (self != null && destination.toString().equals("-")) {
      throw new ParameterException(
          self.commandLine(), "DST -: a copy is a file, so that it can appear when it is whole");
    }
    return new FileRun(spec, "copy", "dpu.dma.window", options, common)
        .run(List.of(source), this::job);
  }

  private FileJob job(Path input) {
    Path name = input.getFileName();
    boolean inside = name != null && Files.isDirectory(destination);
    Path output = inside ? destination.resolve(name) : destination;
    return new FileJob.Copy(input, output, blockSize.bytes(), verify, options.force);
  }
}
