package io.dpuactors.apps.channel;

import io.dpuactors.apps.cli.Size;
import io.dpuactors.wire.DataGeometry;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Options for the blocks of a server. */
final class BlockOptions {
  @Option(
      names = "--blocks",
      paramLabel = "N",
      defaultValue = "256",
      description =
          "Number of blocks; block i is filled with the byte i & 0xff. Default: ${DEFAULT-VALUE}.")
  int blocks = 256;

  @Option(
      names = {"-b", "--block-size"},
      paramLabel = "SIZE",
      defaultValue = "1M",
      converter = Size.Converter.class,
      description = "Size of each block. Default: ${DEFAULT-VALUE}.")
  Size blockSize = new Size(1 << 20);

  /** Returns the error of the first wrong option, or empty. */
  Optional<String> problem() {
    if (blocks < 1) {
      return Optional.of("--blocks " + blocks + ": it must be at least 1");
    }
    return blockSize.bytes() > Integer.MAX_VALUE
        ? Optional.of("--block-size: it must be less than 2 GiB")
        : Optional.empty();
  }

  DataGeometry geometry() {
    return new DataGeometry(blocks, (int) blockSize.bytes());
  }
}
