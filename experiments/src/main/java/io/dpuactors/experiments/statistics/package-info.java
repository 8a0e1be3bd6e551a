/** Statistics of columns of trials, and of their pairs. */
@NullMarked
package io.dpuactors.experiments.statistics;

import org.jspecify.annotations.NullMarked;
