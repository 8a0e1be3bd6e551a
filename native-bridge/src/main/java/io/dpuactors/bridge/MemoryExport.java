package io.dpuactors.bridge;

import java.util.Arrays;

/**
 * What another process, or the other side of the PCI bus, needs to import a {@link MemoryMap}: a
 * value that can be sent in a message. Valid while the exporting map is open. Immutable. Thread:
 * any.
 */
public final class MemoryExport {
  private final byte[] descriptor;

  private MemoryExport(byte[] descriptor) {
    this.descriptor = descriptor;
  }

  /**
   * An export that was received; the bytes are copied. Nothing is checked before it is imported.
   *
   * @throws IllegalArgumentException when there are no bytes
   */
  public static MemoryExport of(byte[] descriptor) {
    if (descriptor.length == 0) {
      throw new IllegalArgumentException("an export has at least one byte");
    }
    return new MemoryExport(descriptor.clone());
  }

  /** The bytes to send, a copy. */
  public byte[] bytes() {
    return descriptor.clone();
  }

  /** How many bytes there are to send. */
  public int length() {
    return descriptor.length;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof MemoryExport export && Arrays.equals(descriptor, export.descriptor);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(descriptor);
  }

  @Override
  public String toString() {
    return "memory export of " + descriptor.length + " bytes";
  }
}
