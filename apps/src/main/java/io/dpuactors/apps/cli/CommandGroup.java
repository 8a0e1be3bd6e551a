package io.dpuactors.apps.cli;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;

/** A command that only contains subcommands. Without a subcommand it fails and lists them. */
public abstract class CommandGroup extends CliCommand {
  @Mixin HelpOption help = new HelpOption();

  /** Creates a group. Picocli sets its fields. */
  protected CommandGroup() {}

  @Override
  public final Integer call() {
    CommandSpec self = line().getCommandSpec();
    throw wrongUse(
        "missing %s: choose one of %s".formatted(WrongUse.kind(self), WrongUse.choices(self)));
  }
}
