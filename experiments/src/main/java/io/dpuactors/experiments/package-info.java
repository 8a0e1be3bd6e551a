/**
 * {@code dpu experiment}: compares the actors with plain C on the same device, as published for
 * SHOC. One package per step: test data, runs, statistics, reports, and the actors' side of
 * compression.
 */
@NullMarked
package io.dpuactors.experiments;

import org.jspecify.annotations.NullMarked;
