/** Load over hours with kills, stops and lost devices: every request must get one answer. */
@NullMarked
package io.dpuactors.benchmarks.soak;

import org.jspecify.annotations.NullMarked;
