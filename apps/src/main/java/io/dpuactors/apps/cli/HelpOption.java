package io.dpuactors.apps.cli;

import picocli.CommandLine.Option;

/** The option {@code --help} of every command. */
public final class HelpOption {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help and exit.")
  boolean help;

  /** Creates unset options. Picocli sets them. */
  public HelpOption() {}
}
