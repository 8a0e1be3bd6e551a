package io.dpuactors.file;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.TaskBuffers.Part;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The buffers of one file that the device hashes: the current part, the next part, and the digest.
 * Thread: the job's.
 */
final class HashBuffers {
  private final Part memory;
  private @Nullable Buffer current;
  private @Nullable Buffer next;
  private @Nullable Buffer digest;

  /** Creates an object without buffers. */
  HashBuffers(Part memory) {
    this.memory = memory;
  }

  /** Returns the current part; leases it at the first call. */
  Buffer current() {
    current = current == null ? leased(memory.sources()) : current;
    return current;
  }

  /** Returns the next part; leases it at the first call. */
  Buffer next() {
    next = next == null ? leased(memory.sources()) : next;
    return next;
  }

  /** Returns the buffer of the digest; leases it at the first call. */
  Buffer digest() {
    digest = digest == null ? leased(memory.destinations()) : digest;
    return digest;
  }

  private static Buffer leased(BufferPool pool) {
    Buffer buffer = pool.lease();
    if (buffer == null) {
      throw new IllegalStateException("no buffer is free in the " + pool);
    }
    return buffer;
  }

  /** Makes the next part the current part. */
  void advance() {
    Buffer hashed = current;
    current = next;
    next = hashed;
  }

  /** Returns the digest in hexadecimal digits. */
  String hexadecimal() {
    byte[] bytes = new byte[digest().length()];
    digest().bytes().clear().get(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /** Drops the current part and the digest, which the device retains. */
  void forgetSent() {
    current = null;
    digest = null;
  }

  /** Releases the buffers. Idempotent. */
  void release() {
    for (Buffer buffer : new @Nullable Buffer[] {current, next, digest}) {
      if (buffer != null) {
        buffer.release();
      }
    }
    forgetSent();
    next = null;
  }
}
