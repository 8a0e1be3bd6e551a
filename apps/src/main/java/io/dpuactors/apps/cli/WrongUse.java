package io.dpuactors.apps.cli;

import io.dpuactors.wire.OneLine;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Formats one line about a wrong command line, with the command that prints its help. */
public final class WrongUse {
  /** Picocli's text for a value that is not a number. */
  private static final String NO_INT = "is not an int";

  private WrongUse() {}

  /** Returns the line for standard error. */
  public static String line(ParameterException e) {
    CommandSpec spec = e.getCommandLine().getCommandSpec();
    return "dpu: %s (see '%s --help')".formatted(OneLine.of(what(e, spec)), spec.qualifiedName());
  }

  private static String what(ParameterException e, CommandSpec spec) {
    String said = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    if (e instanceof UnmatchedArgumentException unmatched && !unmatched.isUnknownOption()) {
      return unknown(unmatched.getUnmatched().get(0), spec);
    }
    return said.replace(NO_INT, "is not a whole number up to " + Integer.MAX_VALUE);
  }

  /** Returns the error for an unknown word after a command. */
  static String unknown(String word, CommandSpec spec) {
    return choices(spec).isEmpty()
        ? "unexpected argument '%s'".formatted(word)
        : "unknown %2$s '%1$s': choose one of %3$s".formatted(word, kind(spec), choices(spec));
  }

  /** Returns the name for a command's subcommands: command, service. */
  static String kind(CommandSpec spec) {
    return spec.usageMessage().synopsisSubcommandLabel().toLowerCase(Locale.ROOT);
  }

  /** Returns the names of the subcommands that help shows, separated by commas. */
  static String choices(CommandSpec spec) {
    return spec.subcommands().values().stream()
        .map(CommandLine::getCommandSpec)
        .filter(sub -> !sub.usageMessage().hidden() && !(sub.userObject() instanceof HelpCommand))
        .map(CommandSpec::name)
        .distinct()
        .collect(Collectors.joining(", "));
  }
}
