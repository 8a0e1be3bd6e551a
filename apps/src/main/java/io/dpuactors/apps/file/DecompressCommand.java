package io.dpuactors.apps.file;

import io.dpuactors.apps.cli.CliCommand;
import io.dpuactors.apps.cli.CommonOptions;
import io.dpuactors.apps.cli.Size;
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

/** {@code dpu decompress}. */
@Command(
    name = "decompress",
    sortOptions = false,
    header = {"Decompress files of 'dpu compress', many blocks at a time.", ""},
    description = {
      "",
      "The CPU checks length and CRC-32 of every block against the file. The output gets its name"
          + " when it is complete and on disk. After a failure, no partial output remains.",
      "",
      "gzip files of other programs do not contain the sizes of their blocks: use gunzip for them.",
      ""
    },
    exitCodeListHeading = "%nExit status (with several files: of the first failure):%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  dpu decompress access.log.gz                   access.log",
      "  dpu decompress -o copy.log --force access.log.gz",
      "  dpu decompress - < folder.tar.gz | tar x",
      "  dpu decompress --key-file backup.key access.log.gz.dpe   access.log",
      "",
      "Standard output gets only checked blocks. After an error, blocks are missing."
    })
public final class DecompressCommand extends CliCommand {
  @Mixin private FileOptions files = new FileOptions();

  @Mixin private EngineOptions engines = new EngineOptions();

  @Option(
      names = "--max-member",
      paramLabel = "SIZE",
      converter = Size.Converter.class,
      description = {
        "Refuse files with a block of more content than SIZE.",
        "Default: the largest buffer that the device can inflate."
      })
  private @Nullable Size maxMember;

  @Option(
      names = {"-k", "--key-file"},
      paramLabel = "KEY",
      description = {
        "Decrypt files of 'dpu compress --encrypt' with this key file.",
        "Only its owner may have permissions."
      })
  private @Nullable Path keyFile;

  @Mixin private CommonOptions common = new CommonOptions();

  public DecompressCommand() {}

  @Override
  public Integer call() throws Exception {
    Optional<CipherKey> key = key();
    return new FileRun(line(), "decompress", "dpu.compress.window", files, engines, common)
        .run(files.files, input -> job(input, key));
  }

  private Optional<CipherKey> key() throws KeyFileException {
    if (keyFile == null) {
      return Optional.empty();
    }
    engines.checkOneEngine(line());
    return Optional.of(KeyFile.read(keyFile));
  }

  private FileJob job(Path input, Optional<CipherKey> key) {
    long limit = maxMember == null ? Long.MAX_VALUE : maxMember.bytes();
    if (key.isEmpty() && input.toString().endsWith(EncryptCommand.SUFFIX)) {
      throw wrongUse("%s: the file is encrypted; name its key with --key-file".formatted(input));
    }
    String suffix = CompressCommand.SUFFIX + (key.isPresent() ? EncryptCommand.SUFFIX : "");
    Path output = files.outputWithoutSuffix(line(), input, suffix);
    return new FileJob.Decompress(input, output, limit, key, files.force);
  }
}
