package io.dpuactors.apps.cli;

import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command with its command line. */
public abstract class CliCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  /** Creates a command. Picocli sets its fields. */
  protected CliCommand() {}

  /** Returns the parsed command line, whose writers print the results and errors. */
  protected final CommandLine line() {
    return Objects.requireNonNull(spec, "picocli sets it").commandLine();
  }

  /** Returns the error of a wrong option. */
  protected final ParameterException wrongUse(String why) {
    return new ParameterException(line(), why);
  }

  /** Throws the error of a wrong option, if there is one. */
  protected final void refuse(Optional<String> problem) {
    if (problem.isPresent()) {
      throw wrongUse(problem.get());
    }
  }

  /** Prints an error. Returns the exit status. */
  protected final ExitCode fail(@Nullable String why, ExitCode code) {
    line().getErr().println("dpu: " + why);
    return code;
  }
}
