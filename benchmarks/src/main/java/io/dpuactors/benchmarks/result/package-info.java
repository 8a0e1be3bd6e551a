/** What was measured, as it is kept in files. */
@NullMarked
package io.dpuactors.benchmarks.result;

import org.jspecify.annotations.NullMarked;
