package io.dpuactors.bridge.device;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.internal.DeviceProperties;
import io.dpuactors.bridge.internal.RepresentorList;
import io.dpuactors.bridge.jna.DocaCommon;
import java.util.ArrayList;
import java.util.List;

/** Lists the host functions that a device of the DPU side can reach. */
final class Representors {
  private static final int FILTER_ALL = 0;
  private static final int NO_FILTER = -1;
  private static final int VUID_BYTES = 128;
  private static final int IFACE_NAME_BYTES = 256;
  private static final String[] FUNCTION_TYPES = {"PF", "VF", "SF"};

  private Representors() {}

  /** Returns whether the device has representors; devices on the host's side have none. */
  static boolean canList(long devinfo) {
    return filter(devinfo) != NO_FILTER;
  }

  /**
   * Lists the representors of an opened device.
   *
   * @throws DocaException if listing fails, or a list cannot be freed
   */
  static List<RepresentorInfo> list(long dev, long devinfo, String about) {
    List<RepresentorInfo> infos = new ArrayList<>();
    try (RepresentorList listed = RepresentorList.create(dev, filter(devinfo), about)) {
      for (long representor : listed.infos()) {
        infos.add(info(representor));
      }
    }
    return infos;
  }

  private static int filter(long devinfo) {
    byte[] can = new byte[1];
    if (DocaCommon.doca_devinfo_rep_cap_is_filter_all_supported(devinfo, can) == 0 && can[0] != 0) {
      return FILTER_ALL;
    }
    if (DocaCommon.doca_devinfo_rep_cap_is_filter_net_supported(devinfo, can) == 0 && can[0] != 0) {
      return RepresentorList.FILTER_NET;
    }
    return NO_FILTER;
  }

  private static RepresentorInfo info(long rep) {
    return new RepresentorInfo(
        RepresentorList.pciAddress(rep),
        functionType(rep),
        DeviceProperties.text(
            VUID_BYTES, v -> DocaCommon.doca_devinfo_rep_get_vuid(rep, v, v.length)),
        DeviceProperties.text(
            IFACE_NAME_BYTES, v -> DocaCommon.doca_devinfo_rep_get_iface_name(rep, v, v.length)));
  }

  private static String functionType(long rep) {
    int[] type = new int[1];
    if (DocaCommon.doca_devinfo_rep_get_pci_func_type(rep, type) != DocaCode.SUCCESS.value()) {
      return "";
    }
    return type[0] >= 0 && type[0] < FUNCTION_TYPES.length
        ? FUNCTION_TYPES[type[0]]
        : Integer.toString(type[0]);
  }
}
