/** Results of scenarios: their files, tables and plots, and the targets. */
@NullMarked
package io.dpuactors.benchmarks.result;

import org.jspecify.annotations.NullMarked;
