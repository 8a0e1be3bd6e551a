/**
 * Files through compress and DMA contexts. The actors read blocks into registered memory, the
 * device processes them in parallel, and the actors write them in order. {@link
 * io.dpuactors.file.FileBatch} opens the engines and processes a list of files. {@link
 * io.dpuactors.file.FileCompression} and {@link io.dpuactors.file.FileDecompression} process one
 * file with existing contexts.
 *
 * <p>The actors of this package read and write files. Spawn them on {@code
 * DispatcherSelector.blocking()}, never on an engine's dispatcher.
 */
@NullMarked
package io.dpuactors.file;

import org.jspecify.annotations.NullMarked;
