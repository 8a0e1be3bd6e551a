package io.dpuactors.apps;

import io.dpuactors.apps.channel.ClientCommand;
import io.dpuactors.apps.channel.ServeCommand;
import io.dpuactors.apps.cli.CommandGroup;
import io.dpuactors.apps.cli.Configuration;
import io.dpuactors.apps.cli.ErrorText;
import io.dpuactors.apps.cli.ExitCode;
import io.dpuactors.apps.cli.HelpCommand;
import io.dpuactors.apps.cli.RawArguments;
import io.dpuactors.apps.cli.StandardOutput;
import io.dpuactors.apps.cli.WrongUse;
import io.dpuactors.apps.device.DevicesCommand;
import io.dpuactors.apps.erasure.EcCommand;
import io.dpuactors.apps.file.CompressCommand;
import io.dpuactors.apps.file.CopyCommand;
import io.dpuactors.apps.file.DecompressCommand;
import io.dpuactors.apps.file.DecryptCommand;
import io.dpuactors.apps.file.EncryptCommand;
import io.dpuactors.apps.file.KeyCommand;
import io.dpuactors.apps.fleet.FleetCommand;
import io.dpuactors.apps.hash.HashCommand;
import io.dpuactors.apps.simulation.SimulateCommand;
import io.dpuactors.bridge.InvalidSettingException;
import io.dpuactors.file.KeyFileException;
import io.dpuactors.wire.OneLine;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** The command-line program. */
@Command(
    name = "dpu",
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    versionProvider = Dpu.Version.class,
    description = {
      "",
      "Compresses, decompresses, copies, hashes and encrypts files on a DPU, or on the software DPU if there is none. "
          + "Runs servers and clients of the communication channel.",
      "",
      "In a checkout, the first command builds the programs, which takes one or two minutes. If a build tool is missing, "
          + "the command installs it (as root), or prints the command that installs it.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  dpu compress access.log        writes access.log.gz, which any gunzip reads",
      "  dpu decompress access.log.gz   restores access.log",
      "  dpu copy access.log /backup/   copies it through the DMA engine",
      "  dpu ec encode a.tar --data 4 --parity 2 -o parts",
      "                                 writes 6 parts; any 2 may be lost",
      "  dpu hash access.log            prints the line that sha256sum prints",
      "  dpu encrypt -k key access.log  writes access.log.dpe; 'dpu key' makes keys",
      "  dpu serve ping                 answers the pings of 'dpu client ping'",
      "  dpu devices                    shows the devices and their capabilities",
      "  dpu help client data           shows the help of one command"
    })
public final class Dpu extends CommandGroup {
  private static final Map<String, Supplier<Callable<Integer>>> COMMANDS = commands();

  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      description = "Show the version and exit.")
  boolean version;

  private Dpu() {}

  /** Returns the built-in commands, in the order of the help. */
  private static Map<String, Supplier<Callable<Integer>>> commands() {
    Map<String, Supplier<Callable<Integer>>> commands = new LinkedHashMap<>();
    commands.put("compress", CompressCommand::new);
    commands.put("decompress", DecompressCommand::new);
    commands.put("copy", CopyCommand::new);
    commands.put("ec", EcCommand::new);
    commands.put("hash", HashCommand::new);
    commands.put("key", KeyCommand::new);
    commands.put("encrypt", EncryptCommand::new);
    commands.put("decrypt", DecryptCommand::new);
    commands.put("serve", ServeCommand::new);
    commands.put("client", ClientCommand::new);
    commands.put("fleet", FleetCommand::new);
    commands.put("devices", DevicesCommand::new);
    commands.put("simulate", SimulateCommand::new);
    return commands;
  }

  /** Runs the command line and exits the JVM with its exit status. */
  public static void main(String[] args) {
    StandardOutput out = new StandardOutput();
    CommandLine line = commandLine(args);
    line.setOut(new PrintWriter(out, true, Charset.defaultCharset()));
    int status =
        RawArguments.problem(args)
            .map(why -> refuse(line, why))
            .orElseGet(() -> line.execute(args));
    line.getOut().flush();
    out.problem().ifPresent(why -> line.getErr().println("dpu: standard output: " + why));
    System.exit(out.status(status));
  }

  /**
   * Returns the configured parser, for {@code main} and for tests.
   *
   * @param args the command line. If the first word is a built-in command, the parser reads no
   *     other command: picocli reads the annotations of each command by reflection
   */
  public static CommandLine commandLine(String... args) {
    CommandLine line = new CommandLine(new Dpu());
    Supplier<Callable<Integer>> named = args.length == 0 ? null : COMMANDS.get(args[0]);
    if (named != null) {
      line.addSubcommand(args[0], named.get());
    } else {
      COMMANDS.forEach((name, command) -> line.addSubcommand(name, command.get()));
      ServiceLoader.load(Subcommand.class).forEach(line::addSubcommand);
      line.addSubcommand(new HelpCommand());
    }
    line.setOut(new PrintWriter(System.out, true, Charset.defaultCharset()));
    line.setErr(new PrintWriter(System.err, true, Charset.defaultCharset()));
    line.setExpandAtFiles(false);
    line.setParameterExceptionHandler(Dpu::onWrongUse);
    line.setExecutionExceptionHandler(Dpu::onException);
    Map<String, String> codes = new LinkedHashMap<>();
    for (ExitCode code : ExitCode.values()) {
      codes.put(" " + code.status(), code.meaning());
    }
    tell(codes, line);
    return line;
  }

  private static void tell(Map<String, String> codes, CommandLine line) {
    UsageMessageSpec usage = line.getCommandSpec().usageMessage().exitCodeList(codes);
    if (usage.exitCodeListHeading().isEmpty()) {
      usage.exitCodeListHeading("%nExit status:%n");
    }
    line.getSubcommands().values().forEach(command -> tell(codes, command));
  }

  private static int refuse(CommandLine line, String why) {
    line.getErr().println("dpu: " + OneLine.of(why));
    return ExitCode.USAGE.status();
  }

  private static int onWrongUse(ParameterException e, String[] args) {
    e.getCommandLine().getErr().println(WrongUse.line(e));
    return ExitCode.USAGE.status();
  }

  private static int onException(Exception e, CommandLine line, ParseResult topLevel) {
    line.getErr().println("dpu: " + ErrorText.of(e));
    // The top-level result has the options of 'dpu' only; the failed command has --debug.
    if (Boolean.TRUE.equals(line.getParseResult().matchedOptionValue("--debug", false))) {
      e.printStackTrace(line.getErr());
    }
    if (e instanceof KeyFileException) {
      return ExitCode.INPUT.status();
    }
    return e instanceof Configuration.ConfigurationError || e instanceof InvalidSettingException
        ? ExitCode.USAGE.status()
        : ExitCode.FAILURE.status();
  }

  /** Reads the version from the jar's manifest. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = Dpu.class.getPackage().getImplementationVersion();
      return new String[] {"dpu " + (version == null ? "(built from classes)" : version)};
    }
  }
}
