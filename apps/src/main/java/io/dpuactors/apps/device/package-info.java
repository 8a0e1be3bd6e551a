/** The command {@code dpu devices}. */
@NullMarked
package io.dpuactors.apps.device;

import org.jspecify.annotations.NullMarked;
