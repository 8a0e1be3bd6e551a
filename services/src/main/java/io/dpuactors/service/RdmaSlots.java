package io.dpuactors.service;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.wire.RdmaOffer;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** The buffers of a client's tasks: one local buffer and one lease of remote memory for each. */
final class RdmaSlots {
  private final Buffer[] local;
  private final Buffer[] remote;
  private final boolean[] isLent;
  private final int[] places;
  private int size;
  private boolean hasRemote;

  /**
   * Leases the buffers.
   *
   * @throws IllegalStateException if a pool has too few
   */
  RdmaSlots(BufferPool localPool, BufferPool remotePool, int count) {
    local = new Buffer[count];
    remote = new Buffer[count];
    isLent = new boolean[count];
    places = new int[count];
    for (int i = 0; i < count; i++) {
      local[i] = lease(localPool);
      remote[i] = lease(remotePool);
    }
  }

  private static Buffer lease(BufferPool pool) {
    Buffer buffer = pool.lease();
    if (buffer == null) {
      throw new IllegalStateException(pool + " has no free buffer");
    }
    return buffer;
  }

  /**
   * Aims the slots at consecutive parts of the offered memory. Slots beyond its end share the first
   * parts.
   *
   * @param bytes size of each part
   */
  void aim(RdmaOffer offer, int bytes) {
    size = bytes;
    hasRemote = true;
    int parts = (int) Math.max(1, Math.min(local.length, offer.bytes() / bytes));
    for (int i = 0; i < local.length; i++) {
      places[i] = i % parts;
      remote[i].aim(offer.begin() + (long) places[i] * bytes, bytes);
      local[i].length(bytes);
    }
  }

  /** Sizes the local buffers, for tasks without remote memory. */
  void size(int bytes) {
    size = bytes;
    hasRemote = false;
    for (int i = 0; i < local.length; i++) {
      places[i] = i;
      local[i].length(bytes);
    }
  }

  Buffer local(int slot) {
    return local[slot];
  }

  Buffer remote(int slot) {
    return remote[slot];
  }

  /** Notes that a task holds the buffers of a slot. */
  void lend(int slot) {
    isLent[slot] = true;
  }

  /** Notes that the buffers of a slot have returned. */
  void returned(int slot) {
    isLent[slot] = false;
  }

  /** Fills the local buffers. Slots with the same part have the same content. */
  void fill(long seed) {
    for (int slot = 0; slot < local.length; slot++) {
      ByteBuffer into = local[slot].bytes().clear();
      int at = 0;
      for (; at + Long.BYTES <= size; at += Long.BYTES) {
        into.putLong(at, word(seed, slot, at));
      }
      for (; at < size; at++) {
        into.put(at, (byte) word(seed, slot, at));
      }
    }
  }

  /** Returns whether a local buffer has the content of {@link #fill}. */
  boolean matches(long seed, int slot) {
    ByteBuffer content = local[slot].bytes().clear();
    int at = 0;
    for (; at + Long.BYTES <= size; at += Long.BYTES) {
      if (content.getLong(at) != word(seed, slot, at)) {
        return false;
      }
    }
    for (; at < size; at++) {
      if (content.get(at) != (byte) word(seed, slot, at)) {
        return false;
      }
    }
    return true;
  }

  private long word(long seed, int slot, int at) {
    long mixed = (seed + ((long) places[slot] << 32) + at) * 0x9e3779b97f4a7c15L;
    return mixed ^ (mixed >>> 29);
  }

  /** Overwrites the local buffers with zeros. */
  void clear() {
    for (Buffer each : local) {
      ByteBuffer content = each.bytes().clear();
      for (int at = 0; at < size; at++) {
        content.put(at, (byte) 0);
      }
    }
  }

  /** Returns the CRC-32C of a local buffer. */
  long crc(int slot) {
    CRC32C crc = new CRC32C();
    crc.update(local[slot].bytes().clear().limit(size));
    return crc.getValue();
  }

  /** Releases all buffers that no task holds. */
  void release() {
    for (int i = 0; i < local.length; i++) {
      if (!isLent[i]) {
        local[i].release();
      }
      if (!isLent[i] || !hasRemote) {
        remote[i].release();
      }
    }
  }
}
