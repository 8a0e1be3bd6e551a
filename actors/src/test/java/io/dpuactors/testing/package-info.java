/** Utilities shared by the tests of this module. */
@NullMarked
package io.dpuactors.testing;

import org.jspecify.annotations.NullMarked;
