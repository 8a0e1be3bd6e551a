package io.dpuactors.apps.file;

import io.dpuactors.apps.cli.Size;
import picocli.CommandLine.Option;

/** Options of the commands that compress files. */
public final class CompressOptions {
  @Option(
      names = {"-b", "--block-size"},
      paramLabel = "SIZE",
      defaultValue = "1M",
      converter = Size.Converter.class,
      description = "Content of one block. Default: ${DEFAULT-VALUE}.")
  public Size blockSize = new Size(1 << 20);

  @Option(
      names = "--verify",
      description = {
        "Inflate and compare each block on a device before writing it.",
        "Always on for standard output, which cannot be deleted."
      })
  public boolean verify;
}
