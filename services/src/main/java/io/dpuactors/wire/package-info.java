/**
 * Messages of the services, byte by byte. Peers share nothing else, and may be damaged or hostile.
 * Reading yields a value or a {@link io.dpuactors.wire.WireException}, and never allocates more
 * than the limits permit. This package needs only the JDK: no actors, no threads, no native calls.
 */
@NullMarked
package io.dpuactors.wire;

import org.jspecify.annotations.NullMarked;
