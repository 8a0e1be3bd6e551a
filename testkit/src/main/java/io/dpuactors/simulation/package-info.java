/**
 * A deterministic world for actors: one thread, one virtual clock, and an order of work from a
 * seed; and the scenarios of {@code ./dpu simulate}.
 */
@NullMarked
package io.dpuactors.simulation;

import org.jspecify.annotations.NullMarked;
