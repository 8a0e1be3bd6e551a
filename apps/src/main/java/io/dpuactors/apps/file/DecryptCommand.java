package io.dpuactors.apps.file;

import io.dpuactors.apps.cli.CliCommand;
import io.dpuactors.apps.cli.CommonOptions;
import io.dpuactors.encrypted.CipherKey;
import io.dpuactors.file.FileJob;
import io.dpuactors.file.KeyFile;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code dpu decrypt}. */
@Command(
    name = "decrypt",
    sortOptions = false,
    header = {"Decrypt files of 'dpu encrypt', many blocks at a time.", ""},
    description = {
      "",
      "The device authenticates each block before the program writes it. A wrong key and each change of the file are errors. "
          + "The output gets its name when it is complete and on disk. After a failure, no partial output remains.",
      "",
      "A file of 'dpu compress --encrypt' decrypts to a gzip file; 'dpu decompress --key-file' also decompresses it.",
      ""
    },
    exitCodeListHeading = "%nExit status (with several files: of the first failure):%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  dpu decrypt --key-file backup.key access.log.dpe   access.log",
      "  dpu decrypt --key-file backup.key - < folder.tar.dpe | tar x",
      "",
      "Standard output gets only authentic blocks. After an error, blocks are missing."
    })
public final class DecryptCommand extends CliCommand {
  @Mixin private FileOptions files = new FileOptions();

  @Mixin private EngineOptions engines = new EngineOptions();

  @Option(
      names = {"-k", "--key-file"},
      paramLabel = "KEY",
      required = true,
      description = "The key file of the encryption. Only its owner may have permissions.")
  private Path keyFile = Path.of("");

  @Mixin private CommonOptions common = new CommonOptions();

  public DecryptCommand() {}

  @Override
  public Integer call() throws Exception {
    engines.checkOneEngine(line());
    CipherKey key = KeyFile.read(keyFile);
    return new FileRun(line(), "decrypt", "dpu.aes-gcm.window", files, engines, common)
        .run(files.files, input -> job(input, key));
  }

  private FileJob job(Path input, CipherKey key) {
    Path output = files.outputWithoutSuffix(line(), input, EncryptCommand.SUFFIX);
    return new FileJob.Decrypt(input, output, key, files.force);
  }
}
