package io.dpuactors.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The message of the DMA service: the memory offered and its export descriptor. Both sides run on
 * one machine, so the numbers have its byte order.
 *
 * <pre>
 *   offset  size  field
 *        0     4  number of blocks
 *        4     4  size of each
 *        8     n  export descriptor, 1 to 4072 bytes
 * </pre>
 *
 * <p>A peer that has copied all data answers {@code done}.
 */
public final class DmaOffer {
  /** Name of the service. */
  public static final String SERVICE = "dma-test";

  /** The largest descriptor that fits into one message of the usual size. */
  public static final int MAX_DESCRIPTOR_BYTES = 4072;

  private static final int HEADER_BYTES = 8;
  private static final String DONE = "done";

  private final DataGeometry geometry;
  private final byte[] descriptor;

  private DmaOffer(DataGeometry geometry, byte[] descriptor) {
    this.geometry = geometry;
    this.descriptor = descriptor;
  }

  /**
   * Returns an offer of exported memory. Copies the descriptor.
   *
   * @throws IllegalArgumentException if the descriptor is empty or too long
   */
  public static DmaOffer of(DataGeometry geometry, byte[] descriptor) {
    if (descriptor.length < 1 || descriptor.length > MAX_DESCRIPTOR_BYTES) {
      throw new IllegalArgumentException(
          "a descriptor of %d bytes: from 1 to %d fit into an offer"
              .formatted(descriptor.length, MAX_DESCRIPTOR_BYTES));
    }
    return new DmaOffer(geometry, descriptor.clone());
  }

  /** Returns number and size of the blocks. */
  public DataGeometry geometry() {
    return geometry;
  }

  /** Returns a copy of the export descriptor. */
  public byte[] descriptor() {
    return descriptor.clone();
  }

  /** Returns the bytes for a peer on this machine. */
  public byte[] encode() {
    return encode(ByteOrder.nativeOrder());
  }

  byte[] encode(ByteOrder order) {
    return ByteBuffer.allocate(HEADER_BYTES + descriptor.length)
        .order(order)
        .putInt(geometry.blocks())
        .putInt(geometry.blockBytes())
        .put(descriptor)
        .array();
  }

  /**
   * Reads a message of a peer on this machine.
   *
   * @throws WireException if it is too short or too long, or a number is 0 or larger than 2^31 - 1
   */
  public static DmaOffer decode(byte[] message) throws WireException {
    return decode(message, ByteOrder.nativeOrder());
  }

  static DmaOffer decode(byte[] message, ByteOrder order) throws WireException {
    int descriptorBytes = message.length - HEADER_BYTES;
    if (descriptorBytes < 1 || descriptorBytes > MAX_DESCRIPTOR_BYTES) {
      throw new WireException(
          "an offer of memory has %d to %d bytes, not %d"
              .formatted(HEADER_BYTES + 1, HEADER_BYTES + MAX_DESCRIPTOR_BYTES, message.length));
    }
    ByteBuffer in = ByteBuffer.wrap(message).order(order);
    int blocks = in.getInt();
    int blockBytes = in.getInt();
    if (blocks < 1 || blockBytes < 1) {
      throw new WireException(
          "an offer of %s blocks of %s bytes: both must be from 1 to %d"
              .formatted(
                  Integer.toUnsignedString(blocks),
                  Integer.toUnsignedString(blockBytes),
                  Integer.MAX_VALUE));
    }
    return new DmaOffer(
        new DataGeometry(blocks, blockBytes),
        Arrays.copyOfRange(message, HEADER_BYTES, message.length));
  }

  /** Returns the answer of a peer that has copied all data. */
  public static byte[] done() {
    return Ascii.bytes(DONE);
  }

  /**
   * Checks that answer; a NUL may end it.
   *
   * @throws WireException for any other message
   */
  public static void checkDone(byte[] message) throws WireException {
    byte[] done = done();
    if (!Arrays.equals(message, 0, Ascii.length(message), done, 0, done.length)) {
      throw new WireException("\"done\" was expected, but %s came".formatted(Ascii.quote(message)));
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof DmaOffer offer
        && geometry.equals(offer.geometry)
        && Arrays.equals(descriptor, offer.descriptor);
  }

  @Override
  public int hashCode() {
    return 31 * geometry.hashCode() + Arrays.hashCode(descriptor);
  }

  @Override
  public String toString() {
    return "an offer of %d blocks of %d bytes".formatted(geometry.blocks(), geometry.blockBytes());
  }
}
