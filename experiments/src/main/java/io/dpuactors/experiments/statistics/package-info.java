/** What is said about columns of trials, and about pairs of them. */
@NullMarked
package io.dpuactors.experiments.statistics;

import org.jspecify.annotations.NullMarked;
