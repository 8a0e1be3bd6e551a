/**
 * Trials: programs of both sides in turns, and a log that remains complete after any end of a run.
 */
@NullMarked
package io.dpuactors.experiments.run;

import org.jspecify.annotations.NullMarked;
