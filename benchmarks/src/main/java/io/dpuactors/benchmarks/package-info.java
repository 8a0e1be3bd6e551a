/** {@code dpu bench}: what the actors cost, and which of the targets are met. */
@NullMarked
package io.dpuactors.benchmarks;

import org.jspecify.annotations.NullMarked;
