package io.dpuactors.simulation;

import io.dpuactors.bridge.Buffer;
import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.Permission;
import io.dpuactors.protocol.PoolOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;

/**
 * The memory that an RDMA server shares. Each client writes one part. The last part has a number of
 * each client, and one that all clients change. World's thread.
 */
final class RdmaStore {
  /** Place of the number that all clients change, behind the numbers of the clients. */
  static final int COMMON = RdmaProgram.MAX_CLIENTS;

  private static final int PARTS = RdmaProgram.MAX_CLIENTS + 1;

  private final BufferPool pool;

  RdmaStore(BufferPool pool) {
    this.pool = pool;
  }

  /** Returns the options of the memory. */
  static PoolOptions options() {
    return PoolOptions.of(PARTS, RdmaProgram.BYTES)
        .onDevice(EnginePair.DPU_DEVICE)
        .withPermissions(
            EnumSet.of(
                Permission.LOCAL_READ_WRITE,
                Permission.RDMA_READ,
                Permission.RDMA_WRITE,
                Permission.RDMA_ATOMIC));
  }

  /** Returns the offset of the part that a client writes. */
  static long partOf(int client) {
    return (long) client * RdmaProgram.BYTES;
  }

  /** Returns the offset of the number of a client, or of the {@link #COMMON} one. */
  static long numberOf(int place) {
    return partOf(RdmaProgram.MAX_CLIENTS) + (long) place * Long.BYTES;
  }

  /** The content of the memory at one time. */
  record Content(List<byte[]> parts) {
    /** Returns what a client has written. */
    byte[] part(int client) {
      return parts.get(client);
    }

    /** Returns the number of a client, or the {@link #COMMON} one. */
    long number(int place) {
      return ByteBuffer.wrap(parts.get(PARTS - 1))
          .order(ByteOrder.nativeOrder())
          .getLong(place * Long.BYTES);
    }
  }

  /** Reads the memory, which is empty after the end of its engine. */
  List<Content> read() {
    List<Buffer> leased = new ArrayList<>();
    byte[][] parts = new byte[PARTS][];
    Buffer next;
    while (!pool.isClosed() && (next = pool.lease()) != null) {
      byte[] bytes = new byte[RdmaProgram.BYTES];
      next.bytes().get(0, bytes);
      parts[next.index()] = bytes;
      leased.add(next);
    }
    leased.forEach(Buffer::release);
    return leased.size() == PARTS ? List.of(new Content(List.of(parts))) : List.of();
  }
}
