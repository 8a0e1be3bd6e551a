package io.dpuactors.apps;

import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** One line about a command line that cannot be understood, and where to read more. */
final class WrongUse {
  /** Picocli's text for a word that is not a number. */
  private static final String NO_INT = "is not an int";

  private WrongUse() {}

  static String line(ParameterException e) {
    CommandSpec spec = e.getCommandLine().getCommandSpec();
    return "dpu: %s (see '%s --help')".formatted(what(e, spec), spec.qualifiedName());
  }

  private static String what(ParameterException e, CommandSpec spec) {
    String said = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    if (e instanceof UnmatchedArgumentException unmatched && !unmatched.isUnknownOption()) {
      return unknown(unmatched.getUnmatched().get(0), spec);
    }
    return said.replace(NO_INT, "is not a whole number up to " + Integer.MAX_VALUE);
  }

  /** The error for a word behind a command that understands no such word. */
  static String unknown(String word, CommandSpec spec) {
    return choices(spec).isEmpty()
        ? "'%s' is one word too many".formatted(word)
        : "'%s' is no %s: there are %s".formatted(word, kind(spec), choices(spec));
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
