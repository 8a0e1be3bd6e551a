/** Scenarios: programs of both sides in turns, trial after trial. */
@NullMarked
package io.dpuactors.benchmarks.run;

import org.jspecify.annotations.NullMarked;
