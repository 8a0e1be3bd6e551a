/** Programs of both sides, their trials in turns, statistics, and the folder of a run. */
@NullMarked
package io.dpuactors.benchmarks.measure;

import org.jspecify.annotations.NullMarked;
