package io.dpuactors.apps.file;

import io.dpuactors.apps.cli.CliCommand;
import io.dpuactors.apps.cli.CommonOptions;
import io.dpuactors.apps.cli.Size;
import io.dpuactors.encrypted.CipherKey;
import io.dpuactors.encrypted.EncryptedHeader;
import io.dpuactors.file.FileJob;
import io.dpuactors.file.KeyFile;
import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** {@code dpu encrypt}. */
@Command(
    name = "encrypt",
    sortOptions = false,
    header = {"Encrypt files on the device, many blocks at a time.", ""},
    description = {
      "",
      "Encrypts each block by AES-GCM under a separate key for each file. 'dpu decrypt' detects each change: "
          + "a flipped bit, and missing, moved, additional or foreign blocks. The output gets its name when it is complete and on disk. "
          + "After a failure, no partial output remains.",
      ""
    },
    exitCodeListHeading = "%nExit status (with several files: of the first failure):%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  dpu key -o backup.key                          once",
      "  dpu encrypt --key-file backup.key access.log   access.log.dpe",
      "  tar c folder | dpu encrypt --key-file backup.key - > folder.tar.dpe",
      "  dpu compress --encrypt --key-file backup.key access.log",
      "",
      "Sizes: K, M, G or KiB, MiB, GiB are powers of 1024; KB, MB, GB of 1000."
    })
public final class EncryptCommand extends CliCommand {
  static final String SUFFIX = ".dpe";

  @Mixin private FileOptions files = new FileOptions();

  @Mixin private EngineOptions engines = new EngineOptions();

  @Option(
      names = {"-k", "--key-file"},
      paramLabel = "KEY",
      required = true,
      description = "Key file of 'dpu key'. Only its owner may have permissions.")
  private Path keyFile = Path.of("");

  @Option(
      names = {"-b", "--block-size"},
      paramLabel = "SIZE",
      defaultValue = "1M",
      converter = Size.Converter.class,
      description = "Content of one block, from 64K to 4M. Default: ${DEFAULT-VALUE}.")
  private Size blockSize = new Size(1 << 20);

  @Mixin private CommonOptions common = new CommonOptions();

  public EncryptCommand() {}

  @Override
  public Integer call() throws Exception {
    checkBlockSize(line(), blockSize);
    engines.checkOneEngine(line());
    CipherKey key = KeyFile.read(keyFile);
    return new FileRun(line(), "encrypt", "dpu.aes-gcm.window", files, engines, common)
        .run(files.files, input -> job(input, key));
  }

  static void checkBlockSize(CommandLine line, Size size) {
    if (!EncryptedHeader.isBlockSize(size.bytes())) {
      throw new ParameterException(line, "--block-size: encryption needs a size from 64K to 4M");
    }
  }

  private FileJob job(Path input, CipherKey key) {
    Path output = files.outputWithSuffix(line(), input, SUFFIX);
    return new FileJob.Encrypt(input, output, key, (int) blockSize.bytes(), files.force);
  }
}
