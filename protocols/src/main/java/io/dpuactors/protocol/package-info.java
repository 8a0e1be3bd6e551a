/**
 * What actors say to each other. Messages are immutable records; a request carries the {@code
 * replyTo} of its one answer. No threads and no native calls here.
 */
@NullMarked
package io.dpuactors.protocol;

import org.jspecify.annotations.NullMarked;
