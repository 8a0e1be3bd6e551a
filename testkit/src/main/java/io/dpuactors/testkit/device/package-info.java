/** The lock on the software DPU of the process, and a hash function of its tasks. */
@NullMarked
package io.dpuactors.testkit.device;

import org.jspecify.annotations.NullMarked;
