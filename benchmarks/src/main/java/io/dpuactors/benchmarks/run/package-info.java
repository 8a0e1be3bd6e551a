/** Scenarios: programs of both sides in turns. */
@NullMarked
package io.dpuactors.benchmarks.run;

import org.jspecify.annotations.NullMarked;
