package io.dpuactors.bridge.internal;

import io.dpuactors.bridge.DocaCode;
import io.dpuactors.bridge.DocaException;
import io.dpuactors.bridge.jna.DocaCommon;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * Reads the properties of a device ({@code struct doca_devinfo *}) while its list or the device is
 * open.
 */
public final class DeviceProperties {
  private static final int PCI_ADDRESS_BYTES = 13;
  private static final int IBDEV_NAME_BYTES = 64;
  private static final int IFACE_NAME_BYTES = 256;
  private static final int MAC_BYTES = 6;
  private static final int IPV4_BYTES = 4;

  private DeviceProperties() {}

  /** Copies a property into memory; returns {@code doca_error_t}. */
  public interface Getter {
    int get(byte[] value);
  }

  public static String pciAddress(long devinfo) {
    byte[] value = new byte[PCI_ADDRESS_BYTES];
    DocaException.check(
        "doca_devinfo_get_pci_addr_str",
        DocaCommon.doca_devinfo_get_pci_addr_str(devinfo, value),
        "");
    return cString(value);
  }

  public static String ibdevName(long devinfo) {
    return text(
        IBDEV_NAME_BYTES, v -> DocaCommon.doca_devinfo_get_ibdev_name(devinfo, v, v.length));
  }

  public static String ifaceName(long devinfo) {
    return text(
        IFACE_NAME_BYTES, v -> DocaCommon.doca_devinfo_get_iface_name(devinfo, v, v.length));
  }

  public static String macAddress(long devinfo) {
    byte[] value = new byte[MAC_BYTES];
    int answer = DocaCommon.doca_devinfo_get_mac_addr(devinfo, value, value.length);
    return answer == DocaCode.SUCCESS.value() ? HexFormat.ofDelimiter(":").formatHex(value) : "";
  }

  public static String ipv4Address(long devinfo) {
    byte[] value = new byte[IPV4_BYTES];
    int answer = DocaCommon.doca_devinfo_get_ipv4_addr(devinfo, value, value.length);
    return answer == DocaCode.SUCCESS.value()
        ? "%d.%d.%d.%d"
            .formatted(value[0] & 0xff, value[1] & 0xff, value[2] & 0xff, value[3] & 0xff)
        : "";
  }

  /** Returns a text property; empty if DOCA returns an error. */
  public static String text(int bytes, Getter getter) {
    byte[] value = new byte[bytes];
    return getter.get(value) == DocaCode.SUCCESS.value() ? cString(value) : "";
  }

  /** Returns the text before the NUL. */
  public static String cString(byte[] value) {
    int length = 0;
    while (length < value.length && value[length] != 0) {
      length++;
    }
    return new String(value, 0, length, StandardCharsets.UTF_8);
  }
}
