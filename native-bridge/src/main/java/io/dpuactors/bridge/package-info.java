/**
 * The native boundary: DOCA's libraries or the software DPU, the bridge's rings, registered memory.
 *
 * <p>Native pointers are plain {@code long}s. This package does not use JNA; {@code
 * io.dpuactors.bridge.jna} does. Every object of a progress engine, such as a device, a context or
 * a memory map, belongs to the thread that created the engine; the documentation of each type
 * states this.
 */
@NullMarked
package io.dpuactors.bridge;

import org.jspecify.annotations.NullMarked;
