/**
 * The command-line program {@code dpu}: it parses arguments, composes actors of the other modules,
 * and prints results.
 */
@NullMarked
package io.dpuactors.apps;

import org.jspecify.annotations.NullMarked;
