package io.dpuactors.bridge.internal;

import io.dpuactors.bridge.BufferPool;
import io.dpuactors.bridge.Census;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.MemoryExport;
import io.dpuactors.bridge.Pages;
import io.dpuactors.bridge.Permission;
import io.dpuactors.bridge.PoolMemory;
import io.dpuactors.bridge.RemoteMemory;
import java.nio.ByteBuffer;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The native side of a pool: a map, and an inventory of its buffers. Thread: the engine's. */
final class RegisteredMemory implements PoolMemory {
  private final ProgressEngine engine;
  private final MemoryMap map;
  private final boolean ownsMap;
  private final BufferInventory inventory;
  private final int count;
  private final int bufferBytes;

  /** Distance of two windows; 0 if every buffer is a lease of all of the memory. */
  private final long stride;

  RegisteredMemory(
      ProgressEngine engine,
      MemoryMap map,
      boolean ownsMap,
      int count,
      int bufferBytes,
      long stride) {
    this.engine = engine;
    this.map = map;
    this.ownsMap = ownsMap;
    this.count = count;
    this.bufferBytes = bufferBytes;
    this.stride = stride;
    this.inventory = BufferInventory.create(engine, count, describe(count, bufferBytes));
  }

  /** Takes all buffers from the inventory, and returns their pool. */
  BufferPool open(long windowBytes) {
    try {
      for (int i = 0; i < count; i++) {
        inventory.take(map, address(i), windowBytes);
      }
      return BufferPool.of(this);
    } catch (DocaException | OutOfMemoryError e) {
      Suppressed.run(e, inventory::close);
      throw e;
    }
  }

  MemoryMap map() {
    return map;
  }

  static String describe(int count, int bufferBytes) {
    return "buffer pool of " + count + " x " + bufferBytes + " bytes";
  }

  @Override
  public int count() {
    return count;
  }

  @Override
  public int bufferBytes() {
    return bufferBytes;
  }

  @Override
  public @Nullable ByteBuffer view(int index) {
    return stride == 0 ? null : map.slice(index * stride, bufferBytes);
  }

  @Override
  public long address(int index) {
    return map.address() + index * stride;
  }

  @Override
  public long pointer(int index) {
    return inventory.pointer(index);
  }

  @Override
  public long bytes() {
    return map.bytes();
  }

  @Override
  public long replace(int index, long address, long bytes) {
    return inventory.replace(index, map, address, bytes);
  }

  @Override
  public void chain(long head, long next, String about) {
    BufferInventory.chain(head, next, about);
  }

  @Override
  public void unchain(long before, long next, String about) {
    BufferInventory.unchain(before, next, about);
  }

  @Override
  public void content(long pointer, long address, long bytes, String about) {
    BufferInventory.content(pointer, address, bytes, about);
  }

  @Override
  public long contentBytes(long pointer, String about) {
    return BufferInventory.contentBytes(pointer, about);
  }

  @Override
  public Pages pages() {
    return map.pages();
  }

  @Override
  public MemoryExport export() {
    return map.export();
  }

  @Override
  public RemoteMemory exportToPeers() {
    return map.exportToPeers();
  }

  @Override
  public Set<Permission> grantedByPeer() {
    return map.isImported() ? map.permissions() : Set.of();
  }

  @Override
  public boolean isOnDeviceOf(PoolMemory other) {
    return !(other instanceof RegisteredMemory known) || map.isOnDeviceOf(known.map);
  }

  @Override
  public Census census() {
    return engine.census();
  }

  @Override
  public void checkThread(String operation) {
    engine.checkThread(operation);
  }

  @Override
  public void close(boolean keepsMapped) {
    inventory.close();
    if (ownsMap && keepsMapped) {
      map.unregister();
    } else if (ownsMap) {
      map.close();
    }
  }
}
