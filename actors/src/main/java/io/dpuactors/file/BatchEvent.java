package io.dpuactors.file;

import java.util.Optional;

/**
 * What a {@link FileBatch} tells its listener: {@link Opened} at most once, the files' events,
 * {@link Ended} last.
 */
public sealed interface BatchEvent permits FileEvent, BatchEvent.Opened, BatchEvent.Ended {
  /**
   * All contexts run.
   *
   * @param library {@code software DPU} or NVIDIA's
   * @param version of the library
   * @param device PCI address
   * @param engines how many there are
   */
  record Opened(String library, String version, String device, int engines) implements BatchEvent {}

  /**
   * The batch is over; nothing follows.
   *
   * @param clean whether the engines left nothing open
   * @param census what they left, for people
   * @param failure why files of the list were not tried, if so
   */
  record Ended(boolean clean, String census, Optional<FileFailure> failure) implements BatchEvent {}
}
