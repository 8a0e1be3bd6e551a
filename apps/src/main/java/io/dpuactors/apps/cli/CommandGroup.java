package io.dpuactors.apps.cli;

import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that only contains subcommands. Without a subcommand it fails and lists them. */
public abstract class CommandGroup implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Mixin HelpOption help = new HelpOption();

  /** Creates a group. Picocli sets its fields. */
  protected CommandGroup() {}

  @Override
  public final Integer call() {
    CommandSpec self = Objects.requireNonNull(spec, "picocli sets it");
    throw new ParameterException(
        self.commandLine(),
        "missing %s: choose one of %s".formatted(WrongUse.kind(self), WrongUse.choices(self)));
  }
}
