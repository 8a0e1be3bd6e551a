package io.dpuactors.bridge.jna;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The functions of libdoca_common that main code calls, directly mapped: version, devices,
 * contexts, progress engine, memory maps, buffers and buffer inventories. Names and arguments are
 * those of DOCA; the package describes how their types map to Java.
 *
 * <p>A function that the loaded library lacks, because it is older or newer, returns NOT_SUPPORTED.
 * A library must have the {@link #REQUIRED} functions.
 *
 * <p>Usable once {@link NativeLibraries} has bound it. Thread: the engine's of the object; any for
 * functions that take a description, a level or nothing.
 */
public final class DocaCommon {
  /** Functions without which the library is refused. The bridge calls some of them. */
  static final Set<String> REQUIRED =
      Set.of(
          "doca_buf_dec_refcount",
          "doca_buf_inventory_buf_get_by_args",
          "doca_buf_inventory_create",
          "doca_ctx_start",
          "doca_ctx_stop",
          "doca_dev_as_devinfo",
          "doca_dev_close",
          "doca_dev_open",
          "doca_devinfo_create_list",
          "doca_devinfo_destroy_list",
          "doca_devinfo_get_pci_addr_str",
          "doca_mmap_create",
          "doca_mmap_start",
          "doca_pe_connect_ctx",
          "doca_pe_create",
          "doca_pe_destroy",
          "doca_pe_progress",
          "doca_task_submit",
          "doca_version_runtime");

  private DocaCommon() {}

  // ---- Version ----

  /** Returns the version of the library that is loaded. */
  public static native String doca_version_runtime();

  // ---- Devices and representors ----

  /** Returns the description of an opened device; valid while it is open. */
  public static native long doca_dev_as_devinfo(long dev);

  /** Closes a device; IN_USE while objects use it. */
  public static native int doca_dev_close(long dev);

  /** Opens a device; every open needs its close. */
  public static native int doca_dev_open(long devinfo, long[] dev);

  /** Closes a representor. */
  public static native int doca_dev_rep_close(long dev);

  /** Opens a representor; every open needs its close. */
  public static native int doca_dev_rep_open(long devinfo, long[] devRep);

  /** Lists the devices: an array of {@code nbDevs} pointers; NOT_FOUND when there are none. */
  public static native int doca_devinfo_create_list(long[] devList, int[] nbDevs);

  /** Frees a list of devices with its elements. */
  public static native int doca_devinfo_destroy_list(long devList);

  /** Returns the name of the RDMA device; at least 64 bytes. */
  public static native int doca_devinfo_get_ibdev_name(long devinfo, byte[] ibdevName, int size);

  /** Returns the name of the network interface; at least 256 bytes. */
  public static native int doca_devinfo_get_iface_name(long devinfo, byte[] ifaceName, int size);

  /** Returns the IPv4 address, 4 bytes in network order. */
  public static native int doca_devinfo_get_ipv4_addr(long devinfo, byte[] ipv4Addr, int size);

  /** Returns the MAC address, 6 bytes. */
  public static native int doca_devinfo_get_mac_addr(long devinfo, byte[] macAddr, int size);

  /** Returns the PCI address in its long form, 13 bytes with the NUL. */
  public static native int doca_devinfo_get_pci_addr_str(long devinfo, byte[] pciAddrStr);

  /** Returns whether all kinds of representors can be listed, 1 or 0. */
  public static native int doca_devinfo_rep_cap_is_filter_all_supported(
      long devinfo, byte[] filterAllSupported);

  /** Returns whether network representors can be listed, 1 or 0. */
  public static native int doca_devinfo_rep_cap_is_filter_net_supported(
      long devinfo, byte[] filterNetSupported);

  /** Lists representors of an opened device: an array of {@code nbDevsRep} pointers. */
  public static native int doca_devinfo_rep_create_list(
      long dev, int filter, long[] devListRep, int[] nbDevsRep);

  /** Frees a list of representors with its elements. */
  public static native int doca_devinfo_rep_destroy_list(long devListRep);

  /** Returns the name of the representor's network interface; at least 256 bytes. */
  public static native int doca_devinfo_rep_get_iface_name(
      long devinfoRep, byte[] ifaceName, int size);

  /** Returns the PCI address on the host's bus, 13 bytes with the NUL. */
  public static native int doca_devinfo_rep_get_pci_addr_str(long devinfoRep, byte[] pciAddrStr);

  /** Returns the type of the represented function: 0 PF, 1 VF, 2 SF. */
  public static native int doca_devinfo_rep_get_pci_func_type(long devinfoRep, int[] pciFuncType);

  /** Returns the vendor's unique name of the function; at least 128 bytes. */
  public static native int doca_devinfo_rep_get_vuid(long devinfoRep, byte[] repVuid, int size);

  // ---- Contexts ----

  /** Returns the state: 0 idle, 1 starting, 2 running, 3 stopping. */
  public static native int doca_ctx_get_state(long ctx, int[] state);

  /** Starts a context: SUCCESS when running, IN_PROGRESS when the engine will report it. */
  public static native int doca_ctx_start(long ctx);

  /** Stops a context: SUCCESS when idle, IN_PROGRESS when the engine will report it. */
  public static native int doca_ctx_stop(long ctx);

  // ---- Progress engine and tasks ----

  /** Attaches an idle context to a progress engine for its life. */
  public static native int doca_pe_connect_ctx(long pe, long ctx);

  /** Creates a progress engine. */
  public static native int doca_pe_create(long[] pe);

  /** Destroys a progress engine; IN_USE while contexts are attached. */
  public static native int doca_pe_destroy(long pe);

  // ---- Memory maps ----

  /** Adds a device to a stopped map. */
  public static native int doca_mmap_add_dev(long mmap, long dev);

  /** Creates an empty map. */
  public static native int doca_mmap_create(long[] mmap);

  /** Creates a started map of remote memory from its owner's export; user data may be null. */
  public static native int doca_mmap_create_from_export(
      long @Nullable [] userData, long exportDesc, long exportDescLen, long dev, long[] mmap);

  /** Stops and destroys a map; NOT_PERMITTED while buffers point into it. */
  public static native int doca_mmap_destroy(long mmap);

  /** Exports a started map to the other side of the PCI bus; the map keeps the memory. */
  public static native int doca_mmap_export_pci(
      long mmap, long dev, long[] exportDesc, long[] exportDescLen);

  /** Exports a started map to RDMA peers; the map keeps the memory. */
  public static native int doca_mmap_export_rdma(
      long mmap, long dev, long[] exportDesc, long[] exportDescLen);

  /** Returns the address and length in bytes of the memory. */
  public static native int doca_mmap_get_memrange(long mmap, long[] addr, long[] len);

  /** Sets the memory of a map, once. */
  public static native int doca_mmap_set_memrange(long mmap, long addr, long len);

  /** Sets the permitted accesses to the memory, a sum of access flags. */
  public static native int doca_mmap_set_permissions(long mmap, int accessMask);

  /** Registers the memory with the devices. */
  public static native int doca_mmap_start(long mmap);

  // ---- Buffers ----

  /** Appends a list to another. */
  public static native int doca_buf_chain_list(long list1, long list2);

  /** Drops a reference, returns the count before; the last one returns the buffer. */
  public static native int doca_buf_dec_refcount(long buf, short @Nullable [] refcount);

  /** Returns the length of the content in bytes. */
  public static native int doca_buf_get_data_len(long buf, long[] dataLen);

  /** Sets address and length of the content; not checked. */
  public static native int doca_buf_set_data(long buf, long data, long dataLen);

  /** Cuts a list before one of its elements. */
  public static native int doca_buf_unchain_list(long list1, long list2);

  // ---- Buffer inventories ----

  /** Allocates a buffer with window and content. */
  public static native int doca_buf_inventory_buf_get_by_args(
      long inventory, long mmap, long addr, long len, long data, long dataLen, long[] buf);

  /** Creates an inventory of buffers. */
  public static native int doca_buf_inventory_create(long numElements, long[] inventory);

  /** Stops and destroys an inventory; IN_USE while buffers are in use. */
  public static native int doca_buf_inventory_destroy(long inventory);

  /** Allows buffers to be allocated. */
  public static native int doca_buf_inventory_start(long inventory);
}
