package io.dpuactors.bridge;

import io.dpuactors.bridge.jna.DocaCommon;
import io.dpuactors.bridge.jna.PointerArray;

/**
 * DOCA's list of the representors of an opened device; its descriptions ({@code struct
 * doca_devinfo_rep *}) live until it is closed.
 */
final class RepresentorList implements AutoCloseable {
  /** DOCA's filter for network functions: those that a server can serve. */
  static final int FILTER_NET = 2;

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
   * Takes a snapshot; it is empty when DOCA finds none.
   *
   * @throws DocaException when listing itself fails
   */
  static RepresentorList create(long dev, int filter, String about) {
    long[] list = new long[1];
    int[] count = new int[1];
    int answer = DocaCommon.doca_devinfo_rep_create_list(dev, filter, list, count);
    if (answer == DocaCode.NOT_FOUND.value() || answer == DocaCode.NOT_SUPPORTED.value()) {
      return new RepresentorList(0, new long[0], about);
    }
    DocaException.check("doca_devinfo_rep_create_list", answer, about);
    return new RepresentorList(list[0], PointerArray.copy(list[0], count[0]), about);
  }

  /** The descriptions, in DOCA's order. */
  long[] infos() {
    return infos.clone();
  }

  /** The address of a description, on the host's bus; empty when it has none. */
  static String pciAddress(long info) {
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
