/**
 * The command-line program {@code dpu}: parsing, composition, printing. What it does is in the
 * modules below.
 */
@NullMarked
package io.dpuactors.apps;

import org.jspecify.annotations.NullMarked;
