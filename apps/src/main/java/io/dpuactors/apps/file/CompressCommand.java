package io.dpuactors.apps.file;

import io.dpuactors.apps.cli.CliCommand;
import io.dpuactors.apps.cli.CommonOptions;
import io.dpuactors.encrypted.CipherKey;
import io.dpuactors.file.FileJob;
import io.dpuactors.file.KeyFile;
import io.dpuactors.file.KeyFileException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

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
      "  dpu compress --encrypt --key-file backup.key access.log   access.log.gz.dpe",
      "  tar c folder | dpu compress - > folder.tar.gz",
      "",
      "Sizes: K, M, G or KiB, MiB, GiB are powers of 1024; KB, MB, GB of 1000.",
      "Smaller blocks: less memory and more parallelism; larger blocks: better ratio."
    })
public final class CompressCommand extends CliCommand {
  static final String SUFFIX = ".gz";

  @Mixin private FileOptions files = new FileOptions();

  @Mixin private EngineOptions engines = new EngineOptions();

  @Mixin private CompressOptions options = new CompressOptions();

  @Option(
      names = "--encrypt",
      description = {
        "Also encrypt each block, to FILE.gz.dpe; needs --key-file.",
        "Then the block size is from 64K to 4M."
      })
  private boolean encrypt;

  @Option(
      names = {"-k", "--key-file"},
      paramLabel = "KEY",
      description = "Key file of 'dpu key'. Only its owner may have permissions.")
  private @Nullable Path keyFile;

  @Mixin private CommonOptions common = new CommonOptions();

  public CompressCommand() {}

  @Override
  public Integer call() throws Exception {
    Optional<CipherKey> key = key();
    return new FileRun(line(), "compress", "dpu.compress.window", files, engines, common)
        .run(files.files, input -> job(input, key));
  }

  private Optional<CipherKey> key() throws KeyFileException {
    if (keyFile == null) {
      if (encrypt) {
        throw wrongUse("--encrypt needs --key-file");
      }
      return Optional.empty();
    }
    if (!encrypt) {
      throw wrongUse("--key-file needs --encrypt");
    }
    EncryptCommand.checkBlockSize(line(), options.blockSize);
    engines.checkOneEngine(line());
    return Optional.of(KeyFile.read(keyFile));
  }

  private FileJob job(Path input, Optional<CipherKey> key) {
    String suffix = SUFFIX + (key.isPresent() ? EncryptCommand.SUFFIX : "");
    Path output = files.outputWithSuffix(line(), input, suffix);
    return new FileJob.Compress(
        input, output, options.blockSize.bytes(), options.verify, key, files.force);
  }
}
