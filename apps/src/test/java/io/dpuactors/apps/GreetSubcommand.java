package io.dpuactors.apps;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A command that another module contributes. */
@Command(name = "greet", hidden = true)
public final class GreetSubcommand implements Subcommand {
  @Option(names = "--loudly", required = true)
  private boolean loudly;

  /** Called by the service loader. */
  public GreetSubcommand() {}

  @Override
  public Integer call() {
    throw new IllegalStateException("nobody is here to greet " + (loudly ? "loudly" : "softly"));
  }
}
