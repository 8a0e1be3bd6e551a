/** What came of it: Markdown, TSV, JSON, LaTeX, and plots. */
@NullMarked
package io.dpuactors.experiments.report;

import org.jspecify.annotations.NullMarked;
