package io.dpuactors.apps.cli;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code dpu help client data}: prints the help of the command that the words name. */
@Command(
    name = "help",
    header = {"Show the help of a command.", ""},
    description = "",
    footerHeading = "%nExamples:%n",
    footer = {
      "  dpu help compress      same as 'dpu compress --help'",
      "  dpu help client data   same as 'dpu client data --help'"
    })
public final class HelpCommand extends CliCommand {
  @Parameters(arity = "0..*", paramLabel = "COMMAND", description = "The command, word by word.")
  private List<String> words = List.of();

  @Mixin HelpOption help = new HelpOption();

  public HelpCommand() {}

  @Override
  public Integer call() {
    CommandLine command = line().getParent();
    for (String word : words) {
      CommandLine next = command.getSubcommands().get(word);
      if (next == null) {
        throw new ParameterException(command, WrongUse.unknown(word, command.getCommandSpec()));
      }
      command = next;
    }
    command.usage(command.getOut());
    return ExitCode.OK.status();
  }
}
