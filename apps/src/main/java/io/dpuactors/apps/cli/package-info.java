/** What all commands share: options, exit status, signals, log, terminal, JSON. */
@NullMarked
package io.dpuactors.apps.cli;

import org.jspecify.annotations.NullMarked;
