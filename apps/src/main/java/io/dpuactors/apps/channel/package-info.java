/** Servers and clients: {@code dpu serve} and {@code dpu client}. */
@NullMarked
package io.dpuactors.apps.channel;

import org.jspecify.annotations.NullMarked;
