/** Results as tables, files and plots, and held against the targets. */
@NullMarked
package io.dpuactors.benchmarks.report;

import org.jspecify.annotations.NullMarked;
