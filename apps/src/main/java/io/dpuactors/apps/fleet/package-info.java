/** The commands of {@code dpu fleet}. */
@NullMarked
package io.dpuactors.apps.fleet;

import org.jspecify.annotations.NullMarked;
