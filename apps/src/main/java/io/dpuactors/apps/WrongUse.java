package io.dpuactors.apps;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** One line about a command line that cannot be understood, and where to read more. */
final class WrongUse {
  private WrongUse() {}

  static String line(ParameterException e) {
    CommandSpec spec = e.getCommandLine().getCommandSpec();
    return "dpu: %s (see '%s --help')".formatted(what(e, spec), spec.qualifiedName());
  }

  private static String what(ParameterException e, CommandSpec spec) {
    if (e instanceof UnmatchedArgumentException unmatched && !unmatched.isUnknownOption()) {
      List<String> words = unmatched.getUnmatched();
      return choices(spec).isEmpty()
          ? "'%s' is one word too many".formatted(words.get(0))
          : "'%s' is no %s: there are %s".formatted(words.get(0), kind(spec), choices(spec));
    }
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }

  /** What the subcommands of a command are called: command, service. */
  static String kind(CommandSpec spec) {
    return spec.usageMessage().synopsisSubcommandLabel().toLowerCase(Locale.ROOT);
  }

  /** Names of the subcommands that help shows; empty when there are none. */
  static String choices(CommandSpec spec) {
    return spec.subcommands().values().stream()
        .map(CommandLine::getCommandSpec)
        .filter(sub -> !sub.usageMessage().hidden() && !(sub.userObject() instanceof HelpCommand))
        .map(CommandSpec::name)
        .distinct()
        .collect(Collectors.joining(", "));
  }
}
