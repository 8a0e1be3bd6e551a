package io.dpuactors.bridge;

import java.util.Locale;

/** Choice of the DOCA libraries of a process ({@code dpu.library}). */
public enum LibraryChoice {
  /** NVIDIA's libraries if they load and show a device, else the software DPU. */
  AUTO,
  /** NVIDIA's libraries, or an error. */
  DOCA,
  /** The embedded software DPU. */
  SOFTDPU;

  /**
   * Reads a choice from the configuration, in any case.
   *
   * @throws IllegalArgumentException for another word; the message lists the valid ones
   */
  public static LibraryChoice parse(String text) {
    for (LibraryChoice choice : values()) {
      if (choice.toString().equals(text.strip().toLowerCase(Locale.ROOT))) {
        return choice;
      }
    }
    throw new IllegalArgumentException(
        "dpu.library is '" + text + "'; it must be auto, doca or softdpu");
  }

  /** Returns the word in the configuration: {@code auto}, {@code doca} or {@code softdpu}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
