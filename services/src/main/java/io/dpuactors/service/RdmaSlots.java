package io.dpuactors.service;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.wire.RdmaOffer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** The buffers of a client's tasks: one local buffer and one lease of remote memory for each. */
final class RdmaSlots {
  private final Buffer[] local;
  private final Buffer[] remote;
  private final boolean[] isLent;
  private final int[] places;
  private int size;
  private boolean hasRemote;

  private RdmaSlots(Buffer[] local, Buffer[] remote) {
    this.local = local;
    this.remote = remote;
    isLent = new boolean[local.length];
    places = new int[local.length];
  }

  /** Leases the buffers. Returns null if a pool lends too few, because its engine stops. */
  static @Nullable RdmaSlots lease(BufferPool localPool, BufferPool remotePool, int count) {
    List<Buffer> leases = new ArrayList<>();
    for (int i = 0; i < 2 * count; i++) {
      Buffer buffer = BlockMemory.lease(i < count ? localPool : remotePool);
      if (buffer == null) {
        leases.forEach(Buffer::release);
        return null;
      }
      leases.add(buffer);
    }
    return new RdmaSlots(
        leases.subList(0, count).toArray(Buffer[]::new),
        leases.subList(count, 2 * count).toArray(Buffer[]::new));
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

  boolean isLent(int slot) {
    return isLent[slot];
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
