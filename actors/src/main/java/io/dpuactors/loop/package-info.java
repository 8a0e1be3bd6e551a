/** The event loop of an engine: one thread that runs mailboxes and, between them, the device. */
@NullMarked
package io.dpuactors.loop;

import org.jspecify.annotations.NullMarked;
