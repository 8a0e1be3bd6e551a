package io.dpuactors.apps;

import picocli.CommandLine.Option;

/** {@code --help}, which every command understands. */
public final class HelpOption {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help and exit.")
  boolean help;

  /** Nothing asked for; picocli fills it. */
  public HelpOption() {}
}
