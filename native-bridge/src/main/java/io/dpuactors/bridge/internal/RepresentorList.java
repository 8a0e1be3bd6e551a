package io.dpuactors.bridge.internal;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.jna.DocaCommon;
import io.dpuactors.bridge.jna.PointerArray;

/**
 * DOCA's list of an opened device's representors. The descriptions of the list ({@code struct
 * doca_devinfo_rep *}) are valid until it is closed.
 */
public final class RepresentorList implements AutoCloseable {
  /** DOCA's filter for network functions: the clients of servers. */
  public static final int FILTER_NET = 2;

  private static final int PCI_ADDRESS_BYTES = 13;

  private final long list;
  private final long[] infos;
  private final String about;

  private RepresentorList(long list, long[] infos, String about) {
    this.list = list;
    this.infos = infos;
    this.about = about;
  }

  /**
   * Takes a snapshot, which may be empty.
   *
   * @throws DocaException if listing fails
   */
  public static RepresentorList create(long dev, int filter, String about) {
    long[] list = new long[1];
    int[] count = new int[1];
    int answer = DocaCommon.doca_devinfo_rep_create_list(dev, filter, list, count);
    if (answer == DocaCode.NOT_FOUND.value() || answer == DocaCode.NOT_SUPPORTED.value()) {
      return new RepresentorList(0, new long[0], about);
    }
    DocaException.check("doca_devinfo_rep_create_list", answer, about);
    return new RepresentorList(list[0], PointerArray.copy(list[0], count[0]), about);
  }

  /** Returns the descriptions in DOCA's order. */
  public long[] infos() {
    return infos.clone();
  }

  /** Returns the address of a description on the host's bus; empty without one. */
  public static String pciAddress(long info) {
    return DeviceProperties.text(
        PCI_ADDRESS_BYTES, v -> DocaCommon.doca_devinfo_rep_get_pci_addr_str(info, v));
  }

  @Override
  public void close() {
    if (list != 0) {
      DocaException.check(
          "doca_devinfo_rep_destroy_list", DocaCommon.doca_devinfo_rep_destroy_list(list), about);
    }
  }
}
