package io.dpuactors.file;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.protocol.TaskReply;
import org.jspecify.annotations.Nullable;

/** A place in a {@link BlockWindow}. The place holds one block of the file at a time. */
final class Block {
  /** State of a place. */
  enum State {
    /** The place holds no block. */
    FREE,
    /** A context has the block, and the device both buffers. */
    SENT,
    /** The context was busy and refused the block. */
    WAITING,
    /** The device has completed the block, which waits for its turn to be written. */
    READY
  }

  /** Index of the worker whose buffers the block uses. */
  final int worker;

  State state = State.FREE;

  /** Number of the block in the file, from 0. */
  long number;

  /** Offset of the block in the input. */
  long offset;

  int contentBytes;
  int payloadBytes;

  /** CRC-32 of the content: from the device for compression, from the file for decompression. */
  int crc32;

  /** CRC-32 that the CPU computed before the request; used for verification. */
  int ownCrc32;

  /** Whether the current request checks the result of the first request. */
  boolean verifying;

  /** Whether the block is the last of the file; used for encryption. */
  boolean last;

  /** Whether the current request encrypts or decrypts; used for compression with encryption. */
  boolean ciphering;

  /** Refusals of the current request by a busy context. */
  final RetryLimit busy = new RetryLimit();

  private @Nullable Buffer src;
  private @Nullable Buffer dst;

  Block(int worker) {
    this.worker = worker;
  }

  void take(long number, Buffer src, Buffer dst) {
    this.number = number;
    this.src = src;
    this.dst = dst;
    verifying = false;
    ciphering = false;
    busy.reset();
  }

  Buffer src() {
    return held(src);
  }

  Buffer dst() {
    return held(dst);
  }

  /** Makes the output buffer the input buffer of the next request, and the reverse. */
  void swap() {
    Buffer input = src;
    src = dst;
    dst = input;
  }

  /** Releases the input buffer, which no step needs any more. */
  void releaseSource() {
    if (src != null) {
      src.release();
      src = null;
    }
  }

  /** Releases both buffers and frees the place. */
  void release() {
    releaseSource();
    if (dst != null) {
      dst.release();
    }
    forget();
  }

  /** Frees the place after a failure: releases both buffers, unless the device retains them. */
  void settle(TaskReply reply) {
    if (reply instanceof TaskReply.Failed failed
        && failed.ownership() == TaskReply.Ownership.RETAINED) {
      forget();
    } else {
      release();
    }
  }

  /** Frees the place. The device retains both buffers, which return to their pools without it. */
  void forget() {
    src = null;
    dst = null;
    state = State.FREE;
  }

  private static Buffer held(@Nullable Buffer buffer) {
    if (buffer == null) {
      throw new IllegalStateException("the block has released this buffer");
    }
    return buffer;
  }
}
