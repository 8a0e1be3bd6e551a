package io.dpuactors.protocol.wire;

import io.dpuactors.protocol.gzip.GzipMember;

/**
 * What client and server of the compress service say on the control path; the blocks themselves
 * travel on the fast path, each with a {@link CompressTag}.
 *
 * <pre>
 *   client                                   server
 *   Hello      what I would like      --->
 *              <---                           Welcome    what you get
 *   both open a consumer with buffers of the sizes in Welcome
 *   block 0, block 1, ...             ===>
 *              <===                           member 0, member 1, ... in any order
 *   End        how many there were    --->    after the last block
 *              <---                           Summary    after the last member
 *   Failed     <--->                          either side, at any time: it is over
 * </pre>
 *
 * <p>The client has at most {@code window} blocks on their way: one more may be sent when a member
 * has come back. Each side posts a buffer for every block or member that may come, so that nobody
 * waits for the other with a buffer in hand.
 */
public sealed interface CompressMessage {
  /** The name that the service is found by. */
  String SERVICE = "dpu-compress";

  /** The most that a failure's text has, in bytes of UTF-8. */
  int MAX_TEXT_BYTES = 512;

  /** The largest message, in bytes. */
  int MAX_BYTES = CompressCodec.HEADER_BYTES + 1 + MAX_TEXT_BYTES;

  /** The message for the wire. */
  default byte[] encode() {
    return CompressCodec.encode(this);
  }

  /**
   * Reads a message.
   *
   * @throws WireException when it is not whole, of another version, or out of range
   */
  static CompressMessage decode(byte[] message) throws WireException {
    return CompressCodec.decode(message);
  }

  /**
   * A client wants a stream compressed.
   *
   * @param blockBytes content of each block but the last, at least 1; a wish
   * @param window blocks on their way at once, at least 1; a wish
   */
  record Hello(int blockBytes, int window) implements CompressMessage {
    /** Checks the ranges. */
    public Hello {
      requirePositive(blockBytes, "a block's size");
      requirePositive(window, "a window");
    }
  }

  /**
   * The server is ready, within its limits.
   *
   * @param blockBytes the most content of a block, at least 1
   * @param payloadBytes the largest member payload: the size of the client's buffers, at least 1
   * @param window blocks on their way at once, at least 1
   */
  record Welcome(int blockBytes, int payloadBytes, int window) implements CompressMessage {
    /** Checks the ranges. */
    public Welcome {
      requirePositive(blockBytes, "a block's size");
      requirePositive(payloadBytes, "a payload's size");
      requirePositive(window, "a window");
    }

    /** Whether it grants no more than was wished, and payloads no larger than its blocks need. */
    public boolean isWithin(Hello wishes) {
      return blockBytes <= wishes.blockBytes()
          && window <= wishes.window()
          && payloadBytes <= GzipMember.maxPayloadBytes(blockBytes);
    }
  }

  /**
   * The client has sent its last block.
   *
   * @param blocks how many there were
   * @param contentBytes the size of all their content
   * @param crc32 over the CRC-32 of every block in order, each as four little-endian bytes
   */
  record End(long blocks, long contentBytes, int crc32) implements CompressMessage {
    /** Checks the ranges. */
    public End {
      requireCounts(blocks, contentBytes, 0);
    }
  }

  /**
   * The server has sent its last member, and agrees with the client's {@link End}.
   *
   * @param blocks how many there were
   * @param contentBytes the size of all their content
   * @param payloadBytes the size of all members' payloads
   * @param crc32 as in {@link End}, of what the device has seen
   */
  record Summary(long blocks, long contentBytes, long payloadBytes, int crc32)
      implements CompressMessage {
    /** Checks the ranges. */
    public Summary {
      requireCounts(blocks, contentBytes, payloadBytes);
    }

    /** Whether both sides have seen the same blocks. */
    public boolean agreesWith(End end) {
      return blocks == end.blocks() && contentBytes == end.contentBytes() && crc32 == end.crc32();
    }
  }

  /**
   * It is over; whoever gets this closes the connection.
   *
   * @param reason for programs
   * @param text for people, one line; what is longer than {@link #MAX_TEXT_BYTES} is cut off
   */
  record Failed(Reason reason, String text) implements CompressMessage {}

  /** Why a stream has failed. The order is part of the format. */
  enum Reason {
    /** The peer broke the protocol. */
    PROTOCOL,
    /** The server has as many clients or as little memory as it can have; try later. */
    BUSY,
    /** The device failed at a block, or its context broke. */
    DEVICE,
    /** What arrived is not what was sent. */
    DAMAGED,
    /** The side that says this is ending. */
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
