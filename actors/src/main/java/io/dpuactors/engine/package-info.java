/**
 * The engine: the actor that owns a progress engine and supervises every context on it.
 *
 * <pre>
 *   io.dpuactors.engine    the Engine actor: opens contexts as supervised children, stops them before itself
 *   io.dpuactors.context   the actors of the contexts
 *   io.dpuactors.node      the native halves of contexts: work per turn, requests, start and stop
 *   io.dpuactors.loop      the event loop: one thread that runs mailboxes and, between them, the device
 * </pre>
 */
@NullMarked
package io.dpuactors.engine;

import org.jspecify.annotations.NullMarked;
