/**
 * The native objects of a progress engine: rings, devices, contexts, registered memory. The module
 * exports this package to the actors only.
 *
 * <p>Native pointers are plain {@code long}s. This package does not use JNA; {@code
 * io.dpuactors.bridge.jna} does. Every object of a progress engine belongs to the thread that
 * created the engine; the documentation of each type states this.
 */
@NullMarked
package io.dpuactors.bridge.internal;

import org.jspecify.annotations.NullMarked;
