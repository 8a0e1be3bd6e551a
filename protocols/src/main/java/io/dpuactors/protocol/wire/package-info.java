/**
 * Frames: pieces of payloads that are longer than a message. Peers may be damaged or hostile.
 * Reading yields a value or a {@link io.dpuactors.protocol.wire.FrameException}, and never
 * allocates more than the limits permit. This package needs only the JDK: no actors, no threads, no
 * native calls.
 */
@NullMarked
package io.dpuactors.protocol.wire;

import org.jspecify.annotations.NullMarked;
