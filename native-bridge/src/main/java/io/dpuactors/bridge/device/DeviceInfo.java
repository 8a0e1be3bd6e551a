package io.dpuactors.bridge.device;

import io.dpuactors.bridge.ComchCapabilities;
import io.dpuactors.bridge.CompressCapabilities;
import io.dpuactors.bridge.DmaCapabilities;
import java.util.List;

/**
 * Description of a device at the time of listing. Missing properties are empty.
 *
 * @param pciAddress long form, as in {@code 0000:03:00.0}
 * @param ibdevName name of the RDMA device
 * @param ifaceName name of the network interface
 * @param macAddress as in {@code 02:00:00:03:00:00}
 * @param ipv4Address as in {@code 192.0.2.1}
 * @param representors host functions that this device can reach; empty on the host
 * @param compress compression capabilities
 * @param dma DMA capabilities
 * @param comch comch capabilities
 */
public record DeviceInfo(
    String pciAddress,
    String ibdevName,
    String ifaceName,
    String macAddress,
    String ipv4Address,
    List<RepresentorInfo> representors,
    CompressCapabilities compress,
    DmaCapabilities dma,
    ComchCapabilities comch) {

  /** Copies the list of representors. */
  public DeviceInfo {
    representors = List.copyOf(representors);
  }
}
