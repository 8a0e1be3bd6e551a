/** Actors under load, for microbenchmarks and scenarios. */
@NullMarked
package io.dpuactors.benchmarks.load;

import org.jspecify.annotations.NullMarked;
