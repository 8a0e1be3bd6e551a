/**
 * What peers say on the wire, byte by byte: programs that know nothing of each other but these
 * formats, and may be damaged or hostile. Reading yields a value or a {@link
 * io.dpuactors.protocol.wire.WireException}, and never takes more memory than the limits allow.
 * Plain JDK: no actors, no threads, no native calls.
 */
@NullMarked
package io.dpuactors.protocol.wire;

import org.jspecify.annotations.NullMarked;
