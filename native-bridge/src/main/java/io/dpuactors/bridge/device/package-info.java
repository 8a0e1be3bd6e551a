/** Lists the devices of a process with their capabilities. Needs no engine. */
@NullMarked
package io.dpuactors.bridge.device;

import org.jspecify.annotations.NullMarked;
