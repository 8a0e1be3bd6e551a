package io.dpuactors.experiments.data;

/**
 * One number for the CRC-32s of many blocks, in their order: what the programs of the compression
 * experiment print, made from what the device computed. Not for more than one thread.
 */
public final class Checksum {
  private int value;

  /** Of no block yet. */
  public Checksum() {}

  /** The next block's CRC-32. */
  public void add(int crc32) {
    value = value * 31 + crc32;
  }

  /** Eight hexadecimal digits. */
  @Override
  public String toString() {
    return "%08x".formatted(value);
  }
}
