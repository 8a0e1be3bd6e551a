package io.dpuactors.wire;

import io.dpuactors.gzip.GzipMember;

/**
 * Messages of client and server of the compress service on the control path. The blocks travel on
 * the fast path, each with a {@link CompressTag}.
 *
 * <pre>{@code
 * client                                   server
 * Hello      wishes                 --->
 *            <---                           Welcome    granted values
 * both open a consumer with buffers of the sizes in Welcome
 * block 0, block 1, ...             ===>
 *            <===                           member 0, member 1, ... in this order
 * End        number of blocks       --->    after the last block
 *            <---                           Summary    after the last member
 * Failed     <--->                          either side, at any time: ends the stream
 * }</pre>
 *
 * <p>The client has at most {@code window} blocks in flight: each returned member permits one more
 * block. Each side posts a buffer for every block or member that may arrive, so that neither side
 * waits for a buffer of the other.
 */
public sealed interface CompressMessage {
  /** Name of the service. */
  String SERVICE = "dpu-compress";

  /** Largest text of a failure, in bytes of UTF-8. */
  int MAX_TEXT_BYTES = 512;

  /** The largest message, in bytes. */
  int MAX_BYTES = CompressCodec.HEADER_BYTES + 1 + MAX_TEXT_BYTES;

  /** Returns the bytes on the wire. */
  default byte[] encode() {
    return CompressCodec.encode(this);
  }

  /**
   * Reads a message.
   *
   * @throws WireException if it is incomplete, of another version, or out of range
   */
  static CompressMessage decode(byte[] message) throws WireException {
    return CompressCodec.decode(message);
  }

  /**
   * A client requests the compression of a stream.
   *
   * @param blockBytes requested content of each block except the last, at least 1
   * @param window requested number of blocks in flight, at least 1
   */
  record Hello(int blockBytes, int window) implements CompressMessage {
    /** Checks the ranges. */
    public Hello {
      requirePositive(blockBytes, "a block's size");
      requirePositive(window, "a window");
    }
  }

  /**
   * The server is ready and states its limits.
   *
   * @param blockBytes largest content of a block, at least 1
   * @param payloadBytes the largest member payload: the size of the client's buffers, at least 1
   * @param window number of blocks in flight, at least 1
   */
  record Welcome(int blockBytes, int payloadBytes, int window) implements CompressMessage {
    /** Checks the ranges. */
    public Welcome {
      requirePositive(blockBytes, "a block's size");
      requirePositive(payloadBytes, "a payload's size");
      requirePositive(window, "a window");
    }

    /**
     * Returns whether the values do not exceed the request, and the payload does not exceed that of
     * the blocks.
     */
    public boolean isWithin(Hello wishes) {
      return blockBytes <= wishes.blockBytes()
          && window <= wishes.window()
          && payloadBytes <= GzipMember.maxPayloadBytes(blockBytes);
    }
  }

  /**
   * The client has sent its last block.
   *
   * @param blocks number of blocks
   * @param contentBytes size of their content together
   * @param crc32 over the CRC-32 of every block in order, each as four little-endian bytes
   */
  record End(long blocks, long contentBytes, int crc32) implements CompressMessage {
    /** Checks the ranges. */
    public End {
      requireCounts(blocks, contentBytes, 0);
    }
  }

  /**
   * The server has sent its last member, and its counts match the client's {@link End}.
   *
   * @param blocks number of blocks
   * @param contentBytes size of their content together
   * @param payloadBytes size of all members' payloads together
   * @param crc32 as in {@link End}, of the blocks that the device processed
   */
  record Summary(long blocks, long contentBytes, long payloadBytes, int crc32)
      implements CompressMessage {
    /** Checks the ranges. */
    public Summary {
      requireCounts(blocks, contentBytes, payloadBytes);
    }

    /** Returns whether both sides counted the same blocks. */
    public boolean agreesWith(End end) {
      return blocks == end.blocks() && contentBytes == end.contentBytes() && crc32 == end.crc32();
    }
  }

  /**
   * The stream has failed; the receiver closes the connection.
   *
   * @param reason for programs
   * @param text for users, one line; limited to {@link #MAX_TEXT_BYTES}
   */
  record Failed(Reason reason, String text) implements CompressMessage {
    /** Returns the text without control characters, for terminals and logs. */
    public String line() {
      return OneLine.of(text);
    }

    @Override
    public String toString() {
      return reason + ": " + line();
    }
  }

  /** Causes of a failed stream. The order is part of the format. */
  enum Reason {
    /** The peer broke the protocol. */
    PROTOCOL,
    /** The server's limit of clients or memory is reached; the client may try later. */
    BUSY,
    /** The device failed at a block, or its context failed. */
    DEVICE,
    /** The received data differ from the sent data. */
    DAMAGED,
    /** The sender is stopping. Present servers and clients close the connection instead. */
    SHUTDOWN
  }

  private static void requirePositive(int value, String what) {
    if (value < 1) {
      throw new IllegalArgumentException(what + " is at least 1, not " + value);
    }
  }

  private static void requireCounts(long blocks, long contentBytes, long payloadBytes) {
    if (blocks < 0 || contentBytes < 0 || payloadBytes < 0) {
      throw new IllegalArgumentException(
          "%d blocks of %d bytes, %d compressed: none may be negative"
              .formatted(blocks, contentBytes, payloadBytes));
    }
  }
}
