package io.dpuactors.bridge.jna;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * libdoca_common, directly mapped: errors, log, version, devices, contexts, progress engine and
 * tasks, memory maps, buffers, buffer inventories and buffer pools. Names and arguments are those
 * of DOCA; the package describes how their types map to Java.
 *
 * <p>A function that the loaded library lacks, because it is older or newer, returns NOT_SUPPORTED.
 * A library must have the {@link #REQUIRED} functions.
 *
 * <p>Usable once {@link NativeLibraries} has bound it. Thread: the engine's of the object; any for
 * functions that take a description, a level or nothing.
 */
public final class DocaCommon {
  /** Functions without which the library is refused. */
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
          "doca_error_get_descr",
          "doca_error_get_name",
          "doca_mmap_create",
          "doca_mmap_start",
          "doca_pe_connect_ctx",
          "doca_pe_create",
          "doca_pe_destroy",
          "doca_pe_progress",
          "doca_task_submit",
          "doca_version_runtime");

  private DocaCommon() {}

  // ---- Errors ----

  /** Returns a one-sentence description of an error, in English. */
  public static native String doca_error_get_descr(int error);

  /** Returns the name of an error's constant, such as DOCA_ERROR_AGAIN. */
  public static native String doca_error_get_name(int error);

  // ---- Log ----

  /** Writes one line to the log. Variadic in C: bound for the format {@code "%s"} only. */
  public static native int doca_log(
      int level, int source, String fname, int line, String func, String format, String argument);

  /** Logs the program's lines to stdout and, from warning on, to stderr. */
  public static native int doca_log_backend_create_standard();

  /** Logs the program's lines to a buffer; passes the full buffer to a C function. */
  public static native int doca_log_backend_create_with_buf(
      long buf, long capacity, long handler, long[] backend);

  /** Logs the library's lines to a buffer; passes the full buffer to a C function. */
  public static native int doca_log_backend_create_with_buf_sdk(
      long buf, long capacity, long handler, long[] backend);

  /** Logs the program's lines to a file descriptor. */
  public static native int doca_log_backend_create_with_fd(int fd, long[] backend);

  /** Logs the library's lines to a file descriptor. */
  public static native int doca_log_backend_create_with_fd_sdk(int fd, long[] backend);

  /** Logs the program's lines to a C stream. */
  public static native int doca_log_backend_create_with_file(long fptr, long[] backend);

  /** Logs the library's lines to a C stream. */
  public static native int doca_log_backend_create_with_file_sdk(long fptr, long[] backend);

  /** Logs the program's lines to syslog under a name. */
  public static native int doca_log_backend_create_with_syslog(String name, long[] backend);

  /** Logs the library's lines to syslog under a name. */
  public static native int doca_log_backend_create_with_syslog_sdk(String name, long[] backend);

  /** Sets the most verbose level that a backend writes. */
  public static native int doca_log_backend_set_level_lower_limit(long backend, int level);

  /** Fixes a backend's lower limit against later global changes. */
  public static native int doca_log_backend_set_level_lower_limit_strict(long backend);

  /** Sets the most severe level that a backend writes. */
  public static native int doca_log_backend_set_level_upper_limit(long backend, int upperLimit);

  /** Fixes a backend's upper limit against later global changes. */
  public static native int doca_log_backend_set_level_upper_limit_strict(long backend);

  /** Sets the level of the library's lines on a backend. */
  public static native int doca_log_backend_set_sdk_level(long backend, int level);

  /** Returns the lower limit of all backends of the program. */
  public static native int doca_log_level_get_global_lower_limit();

  /** Returns the lower limit of the library's lines. */
  public static native int doca_log_level_get_global_sdk_limit();

  /** Returns the upper limit of all backends of the program. */
  public static native int doca_log_level_get_global_upper_limit();

  /** Sets the lower limit of all backends of the program. */
  public static native int doca_log_level_set_global_lower_limit(int level);

  /** Sets the lower limit of the library's lines. */
  public static native int doca_log_level_set_global_sdk_limit(int level);

  /** Sets the upper limit of all backends of the program. */
  public static native int doca_log_level_set_global_upper_limit(int upperLimit);

  /** Registers a named source of lines and returns its number. */
  public static native int doca_log_register_source(String sourceName, int[] source);

  /** Releases the number of a source. */
  public static native int doca_log_unregister_source(int source);

  // ---- Version ----

  /** Returns the version of the library that is loaded. */
  public static native String doca_version_runtime();

  // ---- Devices and representors ----

  /** Requests that freed device resources are reclaimed sooner. */
  public static native int doca_dev_accelerate_resource_reclaim(long dev);

  /** Returns the description of an opened device; valid while it is open. */
  public static native long doca_dev_as_devinfo(long dev);

  /** Closes a device; IN_USE while objects use it. */
  public static native int doca_dev_close(long dev);

  /** Opens a device; every open needs its close. */
  public static native int doca_dev_open(long devinfo, long[] dev);

  /** Returns the description of an opened representor; valid while it is open. */
  public static native long doca_dev_rep_as_devinfo(long devRep);

  /** Closes a representor. */
  public static native int doca_dev_rep_close(long dev);

  /** Opens a representor; every open needs its close. */
  public static native int doca_dev_rep_open(long devinfo, long[] devRep);

  /** Returns whether freed resources can be reclaimed sooner, 1 or 0. */
  public static native int doca_devinfo_cap_is_accelerate_resource_reclaim_supported(
      long devinfo, byte[] isAccelerateResourceReclaim);

  /** Returns whether the device can plug emulated functions, 1 or 0. */
  public static native int doca_devinfo_cap_is_hotplug_manager_supported(
      long devinfo, byte[] isHotplugManager);

  /** Returns whether notifications can be moderated, 1 or 0. */
  public static native int doca_devinfo_cap_is_notification_moderation_supported(
      long devinfo, byte[] isNotificationModerationSupported);

  /** Lists the devices: an array of {@code nbDevs} pointers; NOT_FOUND when there are none. */
  public static native int doca_devinfo_create_list(long[] devList, int[] nbDevs);

  /** Frees a list of devices with its elements. */
  public static native int doca_devinfo_destroy_list(long devList);

  /** Returns the rate of the port in bits per second. */
  public static native int doca_devinfo_get_active_rate(long devinfo, long[] activeRate);

  /** Returns the name of the RDMA device; at least 64 bytes. */
  public static native int doca_devinfo_get_ibdev_name(long devinfo, byte[] ibdevName, int size);

  /** Returns the name of the network interface; at least 256 bytes. */
  public static native int doca_devinfo_get_iface_name(long devinfo, byte[] ifaceName, int size);

  /** Returns the IPv4 address, 4 bytes in network order. */
  public static native int doca_devinfo_get_ipv4_addr(long devinfo, byte[] ipv4Addr, int size);

  /** Returns the IPv6 address, 16 bytes in network order. */
  public static native int doca_devinfo_get_ipv6_addr(long devinfo, byte[] ipv6Addr, int size);

  /** Returns the local identifier of an InfiniBand port. */
  public static native int doca_devinfo_get_lid(long devinfo, short[] lid);

  /** Returns the MAC address, 6 bytes. */
  public static native int doca_devinfo_get_mac_addr(long devinfo, byte[] macAddr, int size);

  /** Returns the PCI address in its long form, 13 bytes with the NUL. */
  public static native int doca_devinfo_get_pci_addr_str(long devinfo, byte[] pciAddrStr);

  /** Returns the type of the PCI function: 0 PF, 1 VF, 2 SF. New in 3.1. */
  public static native int doca_devinfo_get_pci_func_type(long devinfo, int[] pciFuncType);

  /** Returns the number of a sub-function. New in 3.1. */
  public static native int doca_devinfo_get_sf_index(long devinfo, int[] sfIndex);

  /** Returns the number of the virtual adapter. */
  public static native int doca_devinfo_get_vhca_id(long devinfo, short[] vhcaId);

  /** Returns whether the device has a PCI address, long or short form, 1 or 0. */
  public static native int doca_devinfo_is_equal_pci_addr(
      long devinfo, String pciAddrStr, byte[] isEqual);

  /** Returns whether all kinds of representors can be listed, 1 or 0. */
  public static native int doca_devinfo_rep_cap_is_filter_all_supported(
      long devinfo, byte[] filterAllSupported);

  /** Returns whether emulated representors can be listed, 1 or 0. */
  public static native int doca_devinfo_rep_cap_is_filter_emulated_supported(
      long devinfo, byte[] filterEmulatedSupported);

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

  /** Returns whether the function was plugged at run time, 1 or 0. */
  public static native int doca_devinfo_rep_get_is_hotplug(long devinfoRep, byte[] isHotplug);

  /** Returns the PCI address on the host's bus, 13 bytes with the NUL. */
  public static native int doca_devinfo_rep_get_pci_addr_str(long devinfoRep, byte[] pciAddrStr);

  /** Returns the type of the represented function: 0 PF, 1 VF, 2 SF. */
  public static native int doca_devinfo_rep_get_pci_func_type(long devinfoRep, int[] pciFuncType);

  /** Returns the number of the represented virtual adapter. */
  public static native int doca_devinfo_rep_get_vhca_id(long devinfoRep, short[] vhcaId);

  /** Returns the vendor's unique name of the function; at least 128 bytes. */
  public static native int doca_devinfo_rep_get_vuid(long devinfoRep, byte[] repVuid, int size);

  /** Returns whether the function has a PCI address, long or short form, 1 or 0. */
  public static native int doca_devinfo_rep_is_equal_pci_addr(
      long devinfoRep, String pciAddrStr, byte[] isEqual);

  // ---- Contexts ----

  /** Returns the number of completion vectors of a device. */
  public static native int doca_ctx_cap_get_num_completion_vectors(
      long devinfo, int[] numCompVectors);

  /** Passes on tasks that were submitted without the flush flag. */
  public static native void doca_ctx_flush_tasks(long ctx);

  /** Returns the number of tasks in flight. */
  public static native int doca_ctx_get_num_inflight_tasks(long ctx, long[] numInflightTasks);

  /** Returns the state: 0 idle, 1 starting, 2 running, 3 stopping. */
  public static native int doca_ctx_get_state(long ctx, int[] state);

  /** Returns the user data of a context. */
  public static native int doca_ctx_get_user_data(long ctx, long[] userData);

  /** Chooses a completion vector; idle contexts only. */
  public static native int doca_ctx_set_completion_vector(long ctx, int compVector);

  /** Moves the data path to a data-path accelerator; idle contexts only. */
  public static native int doca_ctx_set_datapath_on_dpa(long ctx, long dpaDev);

  /** Moves the data path to a GPU; idle contexts only. */
  public static native int doca_ctx_set_datapath_on_gpu(long ctx, long gpuDev);

  /** Sets the C callback for state changes; idle contexts only. */
  public static native int doca_ctx_set_state_changed_cb(long ctx, long cb);

  /** Sets the user data of a context. */
  public static native int doca_ctx_set_user_data(long ctx, long userData);

  /** Starts a context: SUCCESS when running, IN_PROGRESS when the engine will report it. */
  public static native int doca_ctx_start(long ctx);

  /** Stops a context: SUCCESS when idle, IN_PROGRESS when the engine will report it. */
  public static native int doca_ctx_stop(long ctx);

  // ---- Progress engine and tasks ----

  /** Clears the signal after a wake-up; the handle is ignored on Linux. */
  public static native int doca_pe_clear_notification(long pe, int handle);

  /** Attaches an idle context to a progress engine for its life. */
  public static native int doca_pe_connect_ctx(long pe, long ctx);

  /** Creates a progress engine. */
  public static native int doca_pe_create(long[] pe);

  /** Destroys a progress engine; IN_USE while contexts are attached. */
  public static native int doca_pe_destroy(long pe);

  /** Returns the file descriptor that signals work; the same for the engine's life. */
  public static native int doca_pe_get_notification_handle(long pe, int[] handle);

  /** Returns the number of submitted tasks of all attached contexts. */
  public static native int doca_pe_get_num_inflight_tasks(long pe, long[] numInflightTasks);

  /** Does the next piece of work. Returns 1 if there was one. The engine must not be NULL. */
  public static native byte doca_pe_progress(long pe);

  /** Arms the file descriptor for one signal. */
  public static native int doca_pe_request_notification(long pe);

  /** Sets which contexts progress polls: 0 those signalled, 1 all. */
  public static native int doca_pe_set_event_mode(long pe, int eventMode);

  /** Frees a batch and its tasks. */
  public static native void doca_task_batch_free(long taskBatch);

  /** Returns the context of a batch. */
  public static native long doca_task_batch_get_ctx(long taskBatch);

  /** Returns the user data of a batch's context. */
  public static native long doca_task_batch_get_ctx_user_data(long taskBatch);

  /** Returns the status of a completed batch. */
  public static native int doca_task_batch_get_status(long taskBatch);

  /** Returns the number of tasks in a batch. */
  public static native short doca_task_batch_get_tasks_num(long taskBatch);

  /** Returns the user data of a batch. */
  public static native long doca_task_batch_get_user_data(long taskBatch);

  /** Sets the user data of a batch. */
  public static native void doca_task_batch_set_user_data(long taskBatch, long userData);

  /** Submits a batch without checking it. */
  public static native int doca_task_batch_submit(long taskBatch);

  /** Checks a batch and submits it. */
  public static native int doca_task_batch_try_submit(long taskBatch);

  /** Frees a task; not while it is in flight. */
  public static native void doca_task_free(long task);

  /** Returns the context of a task. */
  public static native long doca_task_get_ctx(long task);

  /** Returns the status of a completed task. */
  public static native int doca_task_get_status(long task);

  /** Returns the user data of a task. */
  public static native long doca_task_get_user_data(long task);

  /** Sets the user data of a task. */
  public static native void doca_task_set_user_data(long task, long userData);

  /** Submits a task without checking it. */
  public static native int doca_task_submit(long task);

  /** Submits a task with flags: 1 flush, 2 optimise reports. */
  public static native int doca_task_submit_ex(long task, int flags);

  /** Checks a task and submits it. */
  public static native int doca_task_try_submit(long task);

  // ---- Memory maps ----

  /** Adds a device to a stopped map. */
  public static native int doca_mmap_add_dev(long mmap, long dev);

  /** Returns whether maps exported over PCI can be imported, 1 or 0. */
  public static native int doca_mmap_cap_is_create_from_export_pci_supported(
      long devinfo, byte[] fromExport);

  /** Returns whether maps can be exported over PCI, 1 or 0. */
  public static native int doca_mmap_cap_is_export_pci_supported(long devinfo, byte[] mmapExport);

  /** Creates an empty map. */
  public static native int doca_mmap_create(long[] mmap);

  /** Creates a started map of remote memory from its owner's export; user data may be null. */
  public static native int doca_mmap_create_from_export(
      long @Nullable [] userData, long exportDesc, long exportDescLen, long dev, long[] mmap);

  /** Stops and destroys a map; NOT_PERMITTED while buffers point into it. */
  public static native int doca_mmap_destroy(long mmap);

  /** Returns the key of the map on a data-path accelerator. */
  public static native int doca_mmap_dev_get_dpa_handle(long mmap, long dev, int[] dpaMmapHandle);

  /** Lets several threads allocate buffers on the map; before it is started. */
  public static native int doca_mmap_enable_thread_safety(long mmap);

  /** Exports a started map to the other side of the PCI bus; the map keeps the memory. */
  public static native int doca_mmap_export_pci(
      long mmap, long dev, long[] exportDesc, long[] exportDescLen);

  /** Exports a started map to RDMA peers; the map keeps the memory. */
  public static native int doca_mmap_export_rdma(
      long mmap, long dev, long[] exportDesc, long[] exportDescLen);

  /** Returns whether the map was exported, 1 or 0. */
  public static native int doca_mmap_get_exported(long mmap, byte[] exported);

  /** Returns whether the map is of remote memory, 1 or 0. */
  public static native int doca_mmap_get_from_export(long mmap, byte[] fromExport);

  /** Returns the maximum number of devices that can be added. */
  public static native int doca_mmap_get_max_num_devices(long mmap, int[] maxNumDevices);

  /** Returns the address and length in bytes of the memory. */
  public static native int doca_mmap_get_memrange(long mmap, long[] addr, long[] len);

  /** Returns the key of the map on a device. New in 3.2. */
  public static native int doca_mmap_get_mkey(long mmap, long dev, int[] mkey);

  /** Returns the number of buffers that point into the map. */
  public static native int doca_mmap_get_num_bufs(long mmap, int[] numBufs);

  /** Returns the user data of a map. */
  public static native int doca_mmap_get_user_data(long mmap, long[] userData);

  /** Removes a device from a stopped map. */
  public static native int doca_mmap_rm_dev(long mmap, long dev);

  /** Sets the memory of a map to a range of a dma-buf. */
  public static native int doca_mmap_set_dmabuf_memrange(
      long mmap, int dmabufFd, long addr, long dmabufOffset, long len);

  /** Sets the memory of a map to a range of a data-path accelerator. */
  public static native int doca_mmap_set_dpa_memrange(long mmap, long dpa, long dpaAddr, long len);

  /** Sets the C function that frees the memory when the map is destroyed. */
  public static native int doca_mmap_set_free_cb(long mmap, long freeCb, long opaque);

  /** Sets the most devices that can be added; before the first start. */
  public static native int doca_mmap_set_max_num_devices(long mmap, int maxNumDevices);

  /** Sets the memory of a map, once. */
  public static native int doca_mmap_set_memrange(long mmap, long addr, long len);

  /** Sets the permitted accesses to the memory, a sum of access flags. */
  public static native int doca_mmap_set_permissions(long mmap, int accessMask);

  /** Sets the user data of a map. */
  public static native int doca_mmap_set_user_data(long mmap, long userData);

  /** Registers the memory with the devices. */
  public static native int doca_mmap_start(long mmap);

  /** Removes the registration. */
  public static native int doca_mmap_stop(long mmap);

  // ---- Buffers ----

  /** Appends a list to another. */
  public static native int doca_buf_chain_list(long list1, long list2);

  /** Appends a list to another whose tail is known. */
  public static native int doca_buf_chain_list_tail(long list1Head, long list1Tail, long list2);

  /** Drops a reference, returns the count before; the last one returns the buffer. */
  public static native int doca_buf_dec_refcount(long buf, short @Nullable [] refcount);

  /** Returns the address of the content. */
  public static native int doca_buf_get_data(long buf, long[] data);

  /** Returns the length of the content in bytes. */
  public static native int doca_buf_get_data_len(long buf, long[] dataLen);

  /** Returns the address of the window. */
  public static native int doca_buf_get_head(long buf, long[] head);

  /** Returns the last element of a list. */
  public static native int doca_buf_get_last_in_list(long buf, long[] lastBuf);

  /** Returns the length of the window in bytes. */
  public static native int doca_buf_get_len(long buf, long[] len);

  /** Returns the number of elements of a list. */
  public static native int doca_buf_get_list_len(long buf, int[] numElements);

  /** Returns the next element of a list; 0 at its end. */
  public static native int doca_buf_get_next_in_list(long buf, long[] nextBuf);

  /** Returns the number of references. */
  public static native int doca_buf_get_refcount(long buf, short[] refcount);

  /** Adds a reference, returns the count before. */
  public static native int doca_buf_inc_refcount(long buf, short @Nullable [] refcount);

  /** Returns whether the buffer is the head of a list, 1 or 0. */
  public static native int doca_buf_is_first_in_list(long buf, byte[] isFirst);

  /** Returns whether the buffer is chained, 1 or 0. */
  public static native int doca_buf_is_in_list(long buf, byte[] isInList);

  /** Returns whether the buffer is the end of a list, 1 or 0. */
  public static native int doca_buf_is_last_in_list(long buf, byte[] isLast);

  /** Sets the content's length to 0. */
  public static native int doca_buf_reset_data_len(long buf);

  /** Sets address and length of the content; not checked. */
  public static native int doca_buf_set_data(long buf, long data, long dataLen);

  /** Sets the length of the content; not checked. */
  public static native int doca_buf_set_data_len(long buf, long dataLen);

  /** Cuts a list before one of its elements. */
  public static native int doca_buf_unchain_list(long list1, long list2);

  // ---- Buffer inventories ----

  /** Copies a buffer or a list, not the memory. */
  public static native int doca_buf_inventory_buf_dup(long inventory, long srcBuf, long[] dstBuf);

  /** Allocates a buffer with window and content. */
  public static native int doca_buf_inventory_buf_get_by_args(
      long inventory, long mmap, long addr, long len, long data, long dataLen, long[] buf);

  /** Sets a buffer to another window, without content. New in 3.2. */
  public static native int doca_buf_inventory_buf_reuse_by_addr(long buf, long addr, long len);

  /** Sets a buffer to another window that is all content. New in 3.2. */
  public static native int doca_buf_inventory_buf_reuse_by_data(long buf, long data, long dataLen);

  /** Creates an inventory of buffers. */
  public static native int doca_buf_inventory_create(long numElements, long[] inventory);

  /** Stops and destroys an inventory; IN_USE while buffers are in use. */
  public static native int doca_buf_inventory_destroy(long inventory);

  /** Adds buffers to a started inventory. */
  public static native int doca_buf_inventory_expand(long inventory, int numElements);

  /** Returns the total number of buffers. */
  public static native int doca_buf_inventory_get_num_elements(long inventory, int[] numOfElements);

  /** Returns the number of free buffers. */
  public static native int doca_buf_inventory_get_num_free_elements(
      long inventory, int[] numOfFreeElements);

  /** Returns the user data of an inventory. */
  public static native int doca_buf_inventory_get_user_data(long inventory, long[] userData);

  /** Sets the user data of an inventory. */
  public static native int doca_buf_inventory_set_user_data(long inventory, long userData);

  /** Allows buffers to be allocated. */
  public static native int doca_buf_inventory_start(long inventory);

  /** Refuses further allocations of buffers. */
  public static native int doca_buf_inventory_stop(long inventory);

  /**
   * Allocates a buffer with a window and no content. Inline in C, so no library has it.
   *
   * @see #doca_buf_inventory_buf_get_by_args
   */
  public static int doca_buf_inventory_buf_get_by_addr(
      long inventory, long mmap, long addr, long len, long[] buf) {
    return doca_buf_inventory_buf_get_by_args(inventory, mmap, addr, len, addr, 0, buf);
  }

  /**
   * Allocates a buffer with a window that is all content. Inline in C, so no library has it.
   *
   * @see #doca_buf_inventory_buf_get_by_args
   */
  public static int doca_buf_inventory_buf_get_by_data(
      long inventory, long mmap, long data, long dataLen, long[] buf) {
    return doca_buf_inventory_buf_get_by_args(inventory, mmap, data, dataLen, data, dataLen, buf);
  }

  // ---- Buffer pools ----

  /** Allocates a buffer; EMPTY when all are in use. */
  public static native int doca_buf_pool_buf_alloc(long bufPool, long[] buf);

  /** Creates a pool of equal buffers that divide a map. */
  public static native int doca_buf_pool_create(
      long numElements, long elementSize, long mmap, long[] bufPool);

  /** Stops and destroys a pool; IN_USE while buffers are in use. */
  public static native int doca_buf_pool_destroy(long bufPool);

  /** Returns the alignment of the buffers in bytes. */
  public static native int doca_buf_pool_get_element_alignment(
      long bufPool, long[] elementAlignment);

  /** Returns the total number of buffers. */
  public static native int doca_buf_pool_get_num_elements(long bufPool, int[] numOfElements);

  /** Returns the number of free buffers. */
  public static native int doca_buf_pool_get_num_free_elements(
      long bufPool, int[] numOfFreeElements);

  /** Returns the user data of a pool. */
  public static native int doca_buf_pool_get_user_data(long bufPool, long[] userData);

  /** Sets the alignment of the buffers, a power of two; before start. */
  public static native int doca_buf_pool_set_element_alignment(long bufPool, long elementAlignment);

  /** Sets the user data of a pool. */
  public static native int doca_buf_pool_set_user_data(long bufPool, long userData);

  /** Allows buffers to be allocated; the map must be started. */
  public static native int doca_buf_pool_start(long bufPool);

  /** Refuses further allocations of buffers; IN_USE while some are in use. */
  public static native int doca_buf_pool_stop(long bufPool);
}
