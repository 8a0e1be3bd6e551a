package io.dpuactors.bridge.internal;

import io.dpuactors.bridge.Census;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.jna.DocaCommon;

/** DOCA's side of a pool: an inventory and its {@code doca_buf}s. Engine's thread. */
final class BufferInventory {
  private final ProgressEngine engine;
  private final String about;
  private final long inventory;
  private final long[] bufs;
  private int taken;
  private boolean destroyed;

  private BufferInventory(ProgressEngine engine, String about, long inventory, int count) {
    this.engine = engine;
    this.about = about;
    this.inventory = inventory;
    this.bufs = new long[count];
  }

  /**
   * Creates a started inventory.
   *
   * @param count number of buffers; the inventory has one more for {@link #replace}
   * @param about subject for errors
   */
  static BufferInventory create(ProgressEngine engine, int count, String about) {
    long[] created = new long[1];
    DocaException.check(
        "doca_buf_inventory_create",
        DocaCommon.doca_buf_inventory_create(count + 1L, created),
        about);
    engine.census().opened(Census.Resource.BUFFER_INVENTORY);
    BufferInventory inventory = new BufferInventory(engine, about, created[0], count);
    try {
      DocaException.check(
          "doca_buf_inventory_start", DocaCommon.doca_buf_inventory_start(created[0]), about);
      return inventory;
    } catch (DocaException e) {
      Suppressed.run(e, inventory::close);
      throw e;
    }
  }

  /** Acquires the next buffer: a window of a map. */
  void take(MemoryMap map, long address, long bytes) {
    bufs[taken] = get(taken, map, address, bytes);
    taken++;
  }

  /** Returns the {@code struct doca_buf *} of a buffer. */
  long pointer(int index) {
    return bufs[index];
  }

  /** Replaces a buffer that is in no list by another window; a failure keeps the old one. */
  long replace(int index, MemoryMap map, long address, long bytes) {
    long fresh = get(index, map, address, bytes);
    release(index);
    bufs[index] = fresh;
    return fresh;
  }

  private long get(int index, MemoryMap map, long address, long bytes) {
    long[] buf = new long[1];
    DocaException.check(
        "doca_buf_inventory_buf_get_by_args",
        DocaCommon.doca_buf_inventory_buf_get_by_args(
            inventory, map.pointer(), address, bytes, address, 0, buf),
        "buffer " + index + " of " + about);
    return buf[0];
  }

  private void release(int index) {
    DocaException.check(
        "doca_buf_dec_refcount",
        DocaCommon.doca_buf_dec_refcount(bufs[index], null),
        "buffer " + index + " of " + about);
  }

  /** Appends a buffer to the list of another one, of this or another inventory. */
  static void chain(long head, long next, String about) {
    DocaException.check("doca_buf_chain_list", DocaCommon.doca_buf_chain_list(head, next), about);
  }

  /** Cuts a list between two buffers. */
  static void unchain(long before, long next, String about) {
    DocaException.check(
        "doca_buf_unchain_list", DocaCommon.doca_buf_unchain_list(before, next), about);
  }

  /** Sets the content of a buffer. */
  static void content(long buf, long address, long bytes, String about) {
    DocaException.check(
        "doca_buf_set_data", DocaCommon.doca_buf_set_data(buf, address, bytes), about);
  }

  /** Returns the number of content bytes of a buffer. */
  static long contentBytes(long buf, String about) {
    long[] bytes = new long[1];
    DocaException.check(
        "doca_buf_get_data_len", DocaCommon.doca_buf_get_data_len(buf, bytes), about);
    return bytes[0];
  }

  /** Destroys all buffers in reverse order; another call continues after a failure. */
  void close() {
    while (taken > 0) {
      release(taken - 1);
      taken--;
    }
    if (!destroyed) {
      DocaException.check(
          "doca_buf_inventory_destroy", DocaCommon.doca_buf_inventory_destroy(inventory), about);
      destroyed = true;
      engine.census().closed(Census.Resource.BUFFER_INVENTORY);
    }
  }
}
