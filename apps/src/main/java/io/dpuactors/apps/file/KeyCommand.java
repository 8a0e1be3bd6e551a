package io.dpuactors.apps.file;

import io.dpuactors.apps.cli.CliCommand;
import io.dpuactors.apps.cli.CommonOptions;
import io.dpuactors.apps.cli.ExitCode;
import io.dpuactors.encrypted.CipherKey;
import io.dpuactors.file.FileFailure;
import io.dpuactors.file.FileJob;
import io.dpuactors.file.KeyFile;
import io.dpuactors.file.PartialFiles;
import io.dpuactors.wire.OneLine;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code dpu key}. */
@Command(
    name = "key",
    sortOptions = false,
    header = {"Create a key file for encrypt and decrypt.", ""},
    description = {
      "",
      "Writes 16 or 32 bytes of the operating system's random numbers to a file that only its owner can read (mode 0600). "
          + "Decryption needs the key file: keep a copy in a safe place.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  dpu key -o backup.key",
      "  dpu encrypt --key-file backup.key access.log",
      "",
      "Any file of 16 or 32 random bytes with mode 0600 is a key file."
    })
public final class KeyCommand extends CliCommand {
  @Option(
      names = "--bits",
      paramLabel = "N",
      defaultValue = "256",
      description = "Length of the key: 128 or 256. Default: ${DEFAULT-VALUE}.")
  private int bits = 256;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      required = true,
      description = "The key file to write.")
  private Path output = Path.of("");

  @Option(
      names = {"-f", "--force"},
      description = "Replace an existing file.")
  private boolean force;

  @Option(
      names = {"-q", "--quiet"},
      description = "Print errors only.")
  private boolean quiet;

  @Mixin private CommonOptions common = new CommonOptions();

  public KeyCommand() {}

  @Override
  public Integer call() {
    common.apply();
    if (bits != 128 && bits != 256) {
      throw wrongUse("--bits " + bits + ": it must be 128 or 256");
    }
    if (FileJob.isStream(output)) {
      throw wrongUse("-o -: standard output is not supported, name a file");
    }
    Optional<FileFailure> failure =
        KeyFile.create(output, CipherKey.random(bits), force, PartialFiles.create());
    if (failure.isPresent()) {
      FileFailure.Kind kind = failure.get().kind();
      String hint = kind == FileFailure.Kind.EXISTS ? " (--force replaces it)" : "";
      return fail(OneLine.of(failure.get()) + hint, ExitCode.of(kind)).status();
    }
    if (!quiet) {
      String name = OneLine.of(output);
      line().getOut().println("%s: key of %d bits, mode 0600".formatted(name, bits));
    }
    return ExitCode.OK.status();
  }
}
