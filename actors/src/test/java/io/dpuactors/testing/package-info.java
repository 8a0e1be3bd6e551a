/** What the tests of this module share. */
@NullMarked
package io.dpuactors.testing;

import org.jspecify.annotations.NullMarked;
