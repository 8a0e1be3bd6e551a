/** The software DPU of the process, which one test or simulation uses at a time. */
@NullMarked
package io.dpuactors.testkit.device;

import org.jspecify.annotations.NullMarked;
