/** Results and their files. */
@NullMarked
package io.dpuactors.benchmarks.result;

import org.jspecify.annotations.NullMarked;
