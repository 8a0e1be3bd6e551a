package io.dpuactors.apps;

import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * A command that only holds others: by itself it is wrong use, told with the words to choose from.
 */
public abstract class CommandGroup implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Mixin HelpOption help = new HelpOption();

  /** picocli fills it. */
  protected CommandGroup() {}

  @Override
  public final Integer call() {
    CommandSpec self = Objects.requireNonNull(spec, "picocli sets it");
    throw new ParameterException(
        self.commandLine(), "which %s: %s?".formatted(WrongUse.kind(self), WrongUse.choices(self)));
  }
}
