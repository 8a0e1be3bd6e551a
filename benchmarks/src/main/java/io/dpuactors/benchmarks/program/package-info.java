/** Programs that scenarios start in separate processes. */
@NullMarked
package io.dpuactors.benchmarks.program;

import org.jspecify.annotations.NullMarked;
