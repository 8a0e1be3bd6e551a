/**
 * Pekko Streams over the context actors.
 *
 * <p>Each flow of tasks opens its buffers when it is materialized, and closes them when the stream
 * completes, fails or is cancelled. At most {@link
 * io.dpuactors.streams.StreamOptions#parallelism()} elements are in flight. Failures are {@link
 * io.dpuactors.bridge.DocaException}s. A stream may run on any dispatcher of the actor system.
 */
@NullMarked
package io.dpuactors.streams;

import org.jspecify.annotations.NullMarked;
