/** The test data: generated, not shipped, and checked against its published digest. */
@NullMarked
package io.dpuactors.experiments.data;

import org.jspecify.annotations.NullMarked;
