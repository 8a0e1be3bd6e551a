package io.dpuactors.apps.erasure;

import io.dpuactors.apps.cli.CliCommand;
import io.dpuactors.apps.cli.CommonOptions;
import io.dpuactors.apps.cli.Size;
import io.dpuactors.apps.file.DeviceOptions;
import io.dpuactors.apps.file.FileRun;
import io.dpuactors.apps.file.RunOptions;
import io.dpuactors.erasure.Stripes;
import io.dpuactors.file.FileJob;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code dpu ec encode}. */
@Command(
    name = "encode",
    sortOptions = false,
    header = {"Encode a file to data parts and parity parts.", ""},
    description = {
      "",
      "Writes DIR/part-000.ec and so on: first the data parts, then the parity parts. Together they have (N + M) / N of the size of FILE. "
          + "Store them on different disks or machines. A checksum for each block finds damage. "
          + "All parts get their names when all of them are complete and on disk.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  dpu ec encode backup.tar --data 4 --parity 2 -o parts",
      "                            6 parts of a quarter each; any 2 may be lost",
      "  dpu ec encode photo.raw --data 1 --parity 2 -o parts",
      "                            3 copies; one of them suffices",
      "  tar c folder | dpu ec encode - --data 10 --parity 4 -o parts",
      "",
      "Sizes: K, M, G or KiB, MiB, GiB are powers of 1024; KB, MB, GB of 1000.",
      "More data parts: less space for the same M. More parity parts: more may be lost."
    })
final class EcEncodeCommand extends CliCommand {
  @Parameters(paramLabel = "FILE", description = "The file to read; - is standard input.")
  private Path file = Path.of("");

  @Option(
      names = {"-n", "--data"},
      paramLabel = "N",
      required = true,
      description = "Number of data parts; as many parts restore the file.")
  private int data;

  @Option(
      names = {"-m", "--parity"},
      paramLabel = "M",
      required = true,
      description = "Number of parity parts; as many parts may be lost. N + M is at most 256.")
  private int parity;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "DIR",
      required = true,
      description = "The folder for the parts. The command creates it if it is absent.")
  private Path output = Path.of("");

  @Option(
      names = {"-b", "--block-size"},
      paramLabel = "SIZE",
      defaultValue = "256K",
      converter = Size.Converter.class,
      description = "Size of one block of a part, a multiple of 64. Default: ${DEFAULT-VALUE}.")
  private Size blockSize = new Size(256 << 10);

  @Mixin private RunOptions options = new RunOptions();

  @Mixin private DeviceOptions devices = new DeviceOptions();

  @Mixin private CommonOptions common = new CommonOptions();

  @Override
  public Integer call() throws Exception {
    Stripes stripes = stripes();
    return new FileRun(line(), "ec encode", EcRecoverCommand.WINDOW, options, devices, common)
        .run(List.of(file), input -> new FileJob.Encode(input, output, stripes, options.force));
  }

  private Stripes stripes() {
    try {
      if (blockSize.bytes() > Integer.MAX_VALUE) {
        throw new IllegalArgumentException("--block-size: it must be less than 2 GiB");
      }
      return new Stripes(data, parity, (int) blockSize.bytes());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(line(), e.getMessage(), e);
    }
  }
}
