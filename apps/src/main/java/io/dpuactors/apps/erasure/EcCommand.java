package io.dpuactors.apps.erasure;

import io.dpuactors.apps.cli.CommandGroup;
import picocli.CommandLine.Command;

/** {@code dpu ec}. */
@Command(
    name = "ec",
    sortOptions = false,
    synopsisSubcommandLabel = "ACTION",
    header = {"Protect a file against lost parts by erasure coding.", ""},
    description = {
      "",
      "'encode' divides a file into N data parts and computes M parity parts. Any N of the N + M parts restore the file. "
          + "With M parts on broken disks or with damaged blocks, nothing is lost.",
      ""
    },
    commandListHeading = "%nActions:%n",
    subcommands = {EcEncodeCommand.class, EcRecoverCommand.class, EcVerifyCommand.class},
    footerHeading = "%nExamples:%n",
    footer = {
      "  dpu ec encode backup.tar --data 4 --parity 2 -o parts",
      "                                      writes 6 parts; any 2 may be lost",
      "  dpu ec verify parts                 shows the state of each part",
      "  dpu ec recover parts -o backup.tar  restores the file"
    })
public final class EcCommand extends CommandGroup {
  public EcCommand() {}
}
