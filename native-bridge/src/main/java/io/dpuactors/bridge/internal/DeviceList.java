package io.dpuactors.bridge.internal;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.jna.DocaCommon;
import io.dpuactors.bridge.jna.PointerArray;

/**
 * DOCA's list of devices. The descriptions of the list ({@code struct doca_devinfo *}) are valid
 * until it is closed.
 */
public final class DeviceList implements AutoCloseable {
  private final long list;
  private final long[] devinfos;

  private DeviceList(long list, long[] devinfos) {
    this.list = list;
    this.devinfos = devinfos;
  }

  /**
   * Takes a snapshot, which may be empty.
   *
   * @throws DocaException if listing fails
   */
  public static DeviceList create() {
    long[] list = new long[1];
    int[] count = new int[1];
    int answer = DocaCommon.doca_devinfo_create_list(list, count);
    if (answer == DocaCode.NOT_FOUND.value()) {
      return new DeviceList(0, new long[0]);
    }
    DocaException.check("doca_devinfo_create_list", answer, "");
    return new DeviceList(list[0], PointerArray.copy(list[0], count[0]));
  }

  /** Returns the descriptions in DOCA's order. */
  public long[] devinfos() {
    return devinfos.clone();
  }

  @Override
  public void close() {
    if (list != 0) {
      DocaException.check(
          "doca_devinfo_destroy_list", DocaCommon.doca_devinfo_destroy_list(list), "");
    }
  }
}
