package io.dpuactors.apps;

import java.util.concurrent.Callable;

/**
 * A command of {@code dpu} that another module brings: a picocli {@code @Command} class with a
 * public constructor without parameters, named in {@code
 * META-INF/services/io.dpuactors.apps.Subcommand} of that module's jar.
 *
 * <p>It is looked for when the first word is none of the program's own commands, so that those do
 * not wait for it. What it answers is the exit status, see {@link ExitCode}; what it throws is told
 * in one line on stderr.
 */
public interface Subcommand extends Callable<Integer> {}
