package io.dpuactors.bridge.device;

import io.dpuactors.bridge.ComchCapabilities;
import io.dpuactors.bridge.TaskCapabilities;
import io.dpuactors.bridge.TaskLibrary;
import java.util.List;
import java.util.Map;

/**
 * Description of a device at the time of listing. Missing properties are empty.
 *
 * @param pciAddress long form, as in {@code 0000:03:00.0}
 * @param ibdevName name of the RDMA device
 * @param ifaceName name of the network interface
 * @param macAddress as in {@code 02:00:00:03:00:00}
 * @param ipv4Address as in {@code 192.0.2.1}
 * @param representors host functions that this device can reach; empty on the host
 * @param tasks capabilities in each library of tasks
 * @param comch comch capabilities
 */
public record DeviceInfo(
    String pciAddress,
    String ibdevName,
    String ifaceName,
    String macAddress,
    String ipv4Address,
    List<RepresentorInfo> representors,
    Map<TaskLibrary, TaskCapabilities> tasks,
    ComchCapabilities comch) {

  /** Copies the collections. */
  public DeviceInfo {
    representors = List.copyOf(representors);
    tasks = Map.copyOf(tasks);
  }

  /** Returns whether this is the address of the device, in the long form or without domain. */
  public boolean hasAddress(String address) {
    return address.equalsIgnoreCase(pciAddress) || ("0000:" + address).equalsIgnoreCase(pciAddress);
  }

  /** Returns the capabilities in one library. */
  public TaskCapabilities capabilities(TaskLibrary library) {
    return tasks.getOrDefault(library, TaskCapabilities.NONE);
  }
}
