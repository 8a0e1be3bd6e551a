/** The actors' side of the compression experiment. */
@NullMarked
package io.dpuactors.experiments.program;

import org.jspecify.annotations.NullMarked;
