package io.dpuactors.bridge;

import java.util.Arrays;

/**
 * Descriptor of exported memory, for another process or the other side of the PCI bus. A message
 * can carry it. Valid while the exporting map is open. Immutable. Thread: any.
 */
public final class MemoryExport {
  private final byte[] descriptor;

  private MemoryExport(byte[] descriptor) {
    this.descriptor = descriptor;
  }

  /**
   * Wraps a received export; copies the bytes. The import checks them.
   *
   * @throws IllegalArgumentException if there are no bytes
   */
  public static MemoryExport of(byte[] descriptor) {
    if (descriptor.length == 0) {
      throw new IllegalArgumentException("an export has at least one byte");
    }
    return new MemoryExport(descriptor.clone());
  }

  /** Returns a copy of the bytes to send. */
  public byte[] bytes() {
    return descriptor.clone();
  }

  /** Returns the number of bytes to send. */
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
