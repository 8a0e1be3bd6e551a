package io.dpuactors.bridge;

import java.util.List;

/**
 * A device as it was when it was listed. A property that it lacks is empty.
 *
 * @param pciAddress long form, as in {@code 0000:03:00.0}
 * @param ibdevName name of the RDMA device
 * @param ifaceName name of the network interface
 * @param macAddress as in {@code 02:00:00:03:00:00}
 * @param ipv4Address as in {@code 192.0.2.1}
 * @param representors functions of the host that this device can reach; empty on the host itself
 * @param compress what it can compress and decompress
 * @param dma what it can copy
 * @param comch what it can do on the communication channel
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

  /** The list of representors is copied. */
  public DeviceInfo {
    representors = List.copyOf(representors);
  }
}
