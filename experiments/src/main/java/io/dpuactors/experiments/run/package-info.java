/** Trials: programs in turns, one log that survives whatever happens. */
@NullMarked
package io.dpuactors.experiments.run;

import org.jspecify.annotations.NullMarked;
