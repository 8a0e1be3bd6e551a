/** The command {@code dpu hash}, and the lines of {@code sha256sum}. */
@NullMarked
package io.dpuactors.apps.hash;

import org.jspecify.annotations.NullMarked;
