/** Tables, figures, charts and JSON, the same for scenarios and experiments. */
@NullMarked
package io.dpuactors.benchmarks.report;

import org.jspecify.annotations.NullMarked;
