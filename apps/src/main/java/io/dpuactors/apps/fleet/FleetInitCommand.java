package io.dpuactors.apps.fleet;

import io.dpuactors.apps.cli.CliCommand;
import io.dpuactors.apps.cli.CommonOptions;
import io.dpuactors.apps.cli.ErrorText;
import io.dpuactors.apps.cli.ExitCode;
import io.dpuactors.apps.cli.Interruption;
import io.dpuactors.fleet.FleetKeys;
import io.dpuactors.wire.OneLine;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code dpu fleet init}. */
@Command(
    name = "init",
    sortOptions = false,
    header = {"Create keys and certificates for the members of a fleet.", ""},
    description = {
      "",
      "Creates a CA in DIR/ca, and a key and a certificate for each member in DIR/member-1 and so on: RSA-3072, PEM, mode 0600, "
          + "valid for ten years. Called again, it adds members of the same CA. Beyond loopback, every node and client needs such a folder.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  dpu fleet init keys --members 4    then copy one folder to each machine:",
      "  dpu fleet node --host dpu1 -Ddpu.fleet.tls-dir=member-1"
    })
final class FleetInitCommand extends CliCommand {
  private static final int MAX_MEMBERS = 64;
  private static final Duration SIGNAL_GRACE = Duration.ofSeconds(10);

  @Parameters(paramLabel = "DIR", description = "Folder of the keys.")
  private Path folder = Path.of("");

  @Option(
      names = "--members",
      paramLabel = "N",
      defaultValue = "3",
      description = "Number of members to add. Default: ${DEFAULT-VALUE}.")
  private int members = 3;

  @Mixin private CommonOptions common = new CommonOptions();

  @Override
  public Integer call() {
    common.apply();
    if (members < 1 || members > MAX_MEMBERS) {
      throw wrongUse("--members %d: it must be from 1 to %d".formatted(members, MAX_MEMBERS));
    }
    // A signal lets this thread delete incomplete keys.
    Interruption interruption = Interruption.of(Thread.currentThread()::interrupt, SIGNAL_GRACE);
    try {
      for (Path member : FleetKeys.create(folder, members)) {
        String name = OneLine.of(member);
        line().getOut().println("%s: key and certificate of one member".formatted(name));
      }
      String ca = OneLine.of(folder.resolve("ca"));
      line().getOut().println("%s: the CA; keep it in a safe place".formatted(ca));
      return ExitCode.OK.status();
    } catch (InterruptedException e) {
      return interrupted();
    } catch (IOException e) {
      if (Thread.interrupted()) { // the signal has closed a file of this thread, or ended keytool
        return interrupted();
      }
      return fail("fleet init: " + ErrorText.of(e), ExitCode.FAILURE).status();
    } finally {
      interruption.over();
    }
  }

  /** The process ends with the status of the signal. */
  private int interrupted() {
    return fail("fleet init: interrupted; no keys were added", ExitCode.INTERRUPTED).status();
  }
}
