/** Programs that scenarios start in processes of their own. */
@NullMarked
package io.dpuactors.benchmarks.program;

import org.jspecify.annotations.NullMarked;
