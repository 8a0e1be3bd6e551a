/**
 * For tests of programs that use the engine: buffers in the Java heap, contexts without a device,
 * and an engine on the software DPU for each test.
 */
@NullMarked
package io.dpuactors.testkit;

import org.jspecify.annotations.NullMarked;
