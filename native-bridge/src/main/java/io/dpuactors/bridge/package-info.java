/**
 * The native boundary: DOCA's libraries or the software DPU, the bridge's rings, registered memory.
 *
 * <p>Native pointers are plain {@code long} here, and nothing of JNA shows: that lives in {@code
 * io.dpuactors.bridge.jna}. An opened device, a context, a memory map and everything else that
 * hangs on a progress engine belongs to the thread that created the engine; each type says so.
 */
@NullMarked
package io.dpuactors.bridge;

import org.jspecify.annotations.NullMarked;
