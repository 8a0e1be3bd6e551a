/**
 * Files through compress contexts: blocks are read into registered memory, worked on by the device
 * in parallel, and written in order. {@link io.dpuactors.file.FileBatch} opens the engines and
 * works through a list of files; {@link io.dpuactors.file.FileCompression} and {@link
 * io.dpuactors.file.FileDecompression} work on one file with contexts that are there already.
 *
 * <p>The actors of this package read and write files, so they belong on {@code
 * DispatcherSelector.blocking()}, never on an engine's dispatcher.
 */
@NullMarked
package io.dpuactors.file;

import org.jspecify.annotations.NullMarked;
