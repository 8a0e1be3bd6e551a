/** Actors under load, for microbenchmarks and scenarios alike. */
@NullMarked
package io.dpuactors.benchmarks.load;

import org.jspecify.annotations.NullMarked;
