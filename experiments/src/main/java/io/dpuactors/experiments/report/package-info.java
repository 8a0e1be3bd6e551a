/** Reports of the results: Markdown, TSV, JSON, LaTeX, and plots. */
@NullMarked
package io.dpuactors.experiments.report;

import org.jspecify.annotations.NullMarked;
