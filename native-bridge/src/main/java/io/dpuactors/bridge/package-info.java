/**
 * The types of the native boundary that programs use: the choice of DOCA's libraries, errors, kinds
 * of tasks, capabilities, buffers and batches.
 *
 * <p>{@link io.dpuactors.bridge.DocaLibrary} loads NVIDIA's libraries or the software DPU. The
 * engine opens a {@link io.dpuactors.bridge.BufferPool}, which leases {@link
 * io.dpuactors.bridge.Buffer}s. Native pointers are plain {@code long}s.
 */
@NullMarked
package io.dpuactors.bridge;

import org.jspecify.annotations.NullMarked;
