package io.dpuactors.file;

import java.util.Optional;

/**
 * Event of a {@link FileBatch} or {@link HashBatch} for its listener: {@link Opened} at most once,
 * the events of the files, {@link Ended} last.
 */
public sealed interface BatchEvent
    permits FileEvent, HashEvent, BatchEvent.Opened, BatchEvent.Ended {
  /**
   * All contexts run.
   *
   * @param library name of the library: {@code software DPU}, or the name of NVIDIA's
   * @param version version of the library
   * @param device PCI address
   * @param engines number of engines
   */
  record Opened(String library, String version, String device, int engines) implements BatchEvent {}

  /**
   * The batch has ended. The last event.
   *
   * @param clean true: all resources of the engines are closed
   * @param census resources that are still open, as text for users
   * @param failure the reason why the batch skipped files; empty: it skipped none
   */
  record Ended(boolean clean, String census, Optional<FileFailure> failure) implements BatchEvent {}
}
