package io.dpuactors.bridge;

import io.dpuactors.bridge.jna.DocaCommon;

/** What DOCA has of a pool: an inventory and the {@code doca_buf}s out of it. Engine's thread. */
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
   * A started inventory.
   *
   * @param count how many bufs will be taken; there is one to spare for {@link #replace}
   * @param about for errors
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

  /** Takes the next buf: a window of a map. */
  long take(MemoryMap map, long address, long bytes) {
    bufs[taken] = get(taken, map, address, bytes);
    return bufs[taken++];
  }

  /** Takes another window in the place of a buf that is in no list; it stays when that fails. */
  long replace(int index, MemoryMap map, long address, long bytes) {
    long fresh = get(index, map, address, bytes);
    giveBack(index);
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

  private void giveBack(int index) {
    DocaException.check(
        "doca_buf_dec_refcount",
        DocaCommon.doca_buf_dec_refcount(bufs[index], null),
        "buffer " + index + " of " + about);
  }

  /** Gives everything back, the last first; continues where it failed when called again. */
  void close() {
    while (taken > 0) {
      giveBack(taken - 1);
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
