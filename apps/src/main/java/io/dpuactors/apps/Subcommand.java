package io.dpuactors.apps;

import io.dpuactors.apps.cli.ExitCode;
import java.util.concurrent.Callable;

/**
 * A command of {@code dpu} that another module provides: a picocli {@code @Command} class with a
 * public constructor without parameters. The file {@code
 * META-INF/services/io.dpuactors.apps.Subcommand} of the module's jar names the class.
 *
 * <p>{@code dpu} loads these commands only when its first argument is not a built-in command. The
 * result is the exit status, see {@link ExitCode}. {@code dpu} reports an exception in one line on
 * stderr.
 */
public interface Subcommand extends Callable<Integer> {}
