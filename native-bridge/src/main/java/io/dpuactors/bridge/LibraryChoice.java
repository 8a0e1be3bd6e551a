package io.dpuactors.bridge;

import java.util.Locale;

/** Which DOCA libraries a process is to use ({@code dpu.library}). */
public enum LibraryChoice {
  /** NVIDIA's libraries when they load and show a device, else the software DPU. */
  AUTO,
  /** NVIDIA's libraries, or an error. */
  DOCA,
  /** The software DPU that travels with this library. */
  SOFTDPU;

  /**
   * Reads a choice as configuration spells it, in any case.
   *
   * @throws IllegalArgumentException for another word; the message names those that exist
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

  /** As configuration spells it: {@code auto}, {@code doca} or {@code softdpu}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
