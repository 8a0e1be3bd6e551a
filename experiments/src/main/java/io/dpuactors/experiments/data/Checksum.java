package io.dpuactors.experiments.data;

/**
 * One number for the CRC-32s of many blocks, in their order. The programs of the compression
 * experiment print it, computed from the device's CRC-32s. For one thread.
 */
public final class Checksum {
  private int value;

  /** Creates the checksum of no block. */
  public Checksum() {}

  /** Adds the next block's CRC-32. */
  public void add(int crc32) {
    value = value * 31 + crc32;
  }

  /** Returns eight hexadecimal digits. */
  @Override
  public String toString() {
    return "%08x".formatted(value);
  }
}
