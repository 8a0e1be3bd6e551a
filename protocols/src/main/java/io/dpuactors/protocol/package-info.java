/**
 * Messages between actors. Messages are immutable records; a request carries the {@code replyTo} of
 * its answer. This package has no threads and no native calls.
 */
@NullMarked
package io.dpuactors.protocol;

import org.jspecify.annotations.NullMarked;
