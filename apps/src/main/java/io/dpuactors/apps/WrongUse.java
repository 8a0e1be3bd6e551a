package io.dpuactors.apps;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** One line about a command line that cannot be understood, and where to read more. */
final class WrongUse {
  /** What picocli says, in its own words, of {@code help WORD} and of numbers. */
  private static final Pattern HELPLESS = Pattern.compile("Unknown subcommand '(.*)'\\.");

  private static final String NO_INT = "is not an int";

  private WrongUse() {}

  static String line(ParameterException e) {
    CommandSpec spec = e.getCommandLine().getCommandSpec();
    return "dpu: %s (see '%s --help')".formatted(what(e, spec), spec.qualifiedName());
  }

  private static String what(ParameterException e, CommandSpec spec) {
    String said = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    Matcher helpless = HELPLESS.matcher(said);
    if (helpless.matches()) {
      return noSuch(helpless.group(1), spec);
    }
    if (e instanceof UnmatchedArgumentException unmatched && !unmatched.isUnknownOption()) {
      String word = unmatched.getUnmatched().get(0);
      return choices(spec).isEmpty()
          ? "'%s' is one word too many".formatted(word)
          : noSuch(word, spec);
    }
    return said.replace(NO_INT, "is not a whole number up to " + Integer.MAX_VALUE);
  }

  private static String noSuch(String word, CommandSpec spec) {
    return "'%s' is no %s: there are %s".formatted(word, kind(spec), choices(spec));
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
