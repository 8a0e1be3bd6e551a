package io.dpuactors.file;

import io.dpuactors.bridge.Buffer;
import org.jspecify.annotations.Nullable;

/** A place in a {@link BlockWindow}, used for one block of the file after the other. */
final class Block {
  /** Where a block is. */
  enum State {
    /** No block is in this place. */
    FREE,
    /** A context has it; so have the device both buffers. */
    SENT,
    /** The context was too busy to take it. */
    WAITING,
    /** Done, to be written when its turn comes. */
    READY
  }

  /** Which station's buffers it uses. */
  final int station;

  State state = State.FREE;

  /** Of the block in the file, from 0. */
  long number;

  /** Where it begins in the input. */
  long offset;

  int contentBytes;
  int payloadBytes;

  /** CRC-32 of the content: from the device when compressing, from the file when decompressing. */
  int crc32;

  /** CRC-32 that the CPU computed before the device was asked; used when verifying. */
  int ownCrc32;

  /** Whether the device is asked for the second time, to check its first result. */
  boolean verifying;

  /** When a context was first too busy for it. */
  long busySinceNs;

  private @Nullable Buffer src;
  private @Nullable Buffer dst;

  Block(int station) {
    this.station = station;
  }

  void take(long number, Buffer src, Buffer dst) {
    this.number = number;
    this.src = src;
    this.dst = dst;
    verifying = false;
    busySinceNs = 0;
  }

  Buffer src() {
    return held(src);
  }

  Buffer dst() {
    return held(dst);
  }

  /** The input is not needed any more. */
  void releaseSource() {
    if (src != null) {
      src.release();
      src = null;
    }
  }

  /** Both buffers go back to their pools, the place is free. */
  void release() {
    releaseSource();
    if (dst != null) {
      dst.release();
    }
    forget();
  }

  /** The device keeps both buffers; they go back by themselves. */
  void forget() {
    src = null;
    dst = null;
    state = State.FREE;
  }

  private static Buffer held(@Nullable Buffer buffer) {
    if (buffer == null) {
      throw new IllegalStateException("the block has no such buffer any more");
    }
    return buffer;
  }
}
