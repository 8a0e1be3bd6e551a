/** The commands of {@code dpu ec}. */
@NullMarked
package io.dpuactors.apps.erasure;

import org.jspecify.annotations.NullMarked;
