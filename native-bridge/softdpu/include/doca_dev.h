/*
 * Devices and their representors.
 *
 * A devinfo describes one PCI function that this side of the card can use; opening it creates a device. On the DPU side, a
 * representor represents a function of the host. Destroying a list destroys its descriptions; the description of an opened
 * device stays valid while the device is open.
 *
 * Thread: any, if calls on the same object do not overlap. Unless stated otherwise, a NULL argument is
 * DOCA_ERROR_INVALID_VALUE, and so is a buffer size below the matching macro.
 */
#ifndef DOCA_DEV_H_
#define DOCA_DEV_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "doca_compat.h"
#include "doca_error.h"
#include "doca_types.h"

#ifdef __cplusplus
extern "C" {
#endif

struct doca_dev;
struct doca_dev_rep;
struct doca_devinfo;
struct doca_devinfo_rep;

/** @name Sizes in bytes; strings with their NUL */
/** @{ */
#define DOCA_DEVINFO_PCI_ADDR_SIZE 13		/**< "0000:3a:00.0" */
#define DOCA_DEVINFO_PCI_BDF_SIZE 8		/**< "3a:00.0" */
#define DOCA_DEVINFO_REP_PCI_ADDR_SIZE 13
#define DOCA_DEVINFO_REP_PCI_BDF_SIZE 8
#define DOCA_DEVINFO_IPV4_ADDR_SIZE 4
#define DOCA_DEVINFO_IPV6_ADDR_SIZE 16
#define DOCA_DEVINFO_MAC_ADDR_SIZE 6
#define DOCA_DEVINFO_IFACE_NAME_SIZE 256
#define DOCA_DEVINFO_IBDEV_NAME_SIZE 64
#define DOCA_DEVINFO_VUID_SIZE 128
#define DOCA_DEVINFO_REP_VUID_SIZE 128
/** @} */

/** Filter of a representor list. */
enum doca_devinfo_rep_filter {
	DOCA_DEVINFO_REP_FILTER_ALL = 0,
	DOCA_DEVINFO_REP_FILTER_NET = 1 << 1,		/**< network functions */
	DOCA_DEVINFO_REP_FILTER_EMULATED = 1 << 2,	/**< emulated functions */
};

/** @name Lists and devices */
/** @{ */
/**
 * Creates a list of all devices with nb_devs pointers; doca_devinfo_destroy_list() frees it. NOT_FOUND: no device exists, the
 * arguments are unchanged; NO_MEMORY.
 */
DOCA_STABLE
doca_error_t doca_devinfo_create_list(struct doca_devinfo ***dev_list, uint32_t *nb_devs);
/** Frees a list with its descriptions. Devices opened from it stay open. */
DOCA_STABLE
doca_error_t doca_devinfo_destroy_list(struct doca_devinfo **dev_list);
/** Opens a device. Opening the same function again returns the same device; each open needs one close. NO_MEMORY. */
DOCA_STABLE
doca_error_t doca_dev_open(struct doca_devinfo *devinfo, struct doca_dev **dev);
/**
 * Closes a device; the last close destroys it, NULL does nothing. IN_USE: a context or memory map uses the device, which stays
 * open.
 */
DOCA_STABLE
doca_error_t doca_dev_close(struct doca_dev *dev);
/** Returns the description of an opened device; NULL for NULL. */
DOCA_STABLE
struct doca_devinfo *doca_dev_as_devinfo(const struct doca_dev *dev);
/** Makes the operating system reclaim freed device resources earlier. NOT_SUPPORTED by the software DPU. */
DOCA_EXPERIMENTAL
doca_error_t doca_dev_accelerate_resource_reclaim(struct doca_dev *dev);
/** @} */

/** @name Properties of a device */
/** @{ */
/** Writes the PCI address "0000:3a:00.0" into at least DOCA_DEVINFO_PCI_ADDR_SIZE bytes. */
DOCA_STABLE
doca_error_t doca_devinfo_get_pci_addr_str(const struct doca_devinfo *devinfo, char *pci_addr_str);
/**
 * Returns whether the device has this PCI address, written with or without its domain (domain 0). INVALID_VALUE: not an
 * address.
 */
DOCA_STABLE
doca_error_t doca_devinfo_is_equal_pci_addr(const struct doca_devinfo *devinfo, const char *pci_addr_str,
					    uint8_t *is_equal);
/** Returns the type of the PCI function. */
DOCA_EXPERIMENTAL
doca_error_t doca_devinfo_get_pci_func_type(const struct doca_devinfo *devinfo, enum doca_pci_func_type *pci_func_type);
/** Returns the index of a sub-function. NOT_SUPPORTED: the device is not a sub-function. */
DOCA_EXPERIMENTAL
doca_error_t doca_devinfo_get_sf_index(const struct doca_devinfo *devinfo, uint32_t *sf_index);
/** Returns SUCCESS if the device can run programs for congestion control. NOT_SUPPORTED by the software DPU. */
DOCA_EXPERIMENTAL
doca_error_t doca_devinfo_get_is_pcc_supported(const struct doca_devinfo *devinfo);
/** Writes the IPv4 address in network byte order. NOT_FOUND: the device has no address. */
DOCA_STABLE
doca_error_t doca_devinfo_get_ipv4_addr(const struct doca_devinfo *devinfo, uint8_t *ipv4_addr, uint32_t size);
/** Writes the IPv6 address in network byte order. */
DOCA_STABLE
doca_error_t doca_devinfo_get_ipv6_addr(const struct doca_devinfo *devinfo, uint8_t *ipv6_addr, uint32_t size);
/** Writes the Ethernet address. NOT_SUPPORTED: the port is not an Ethernet port. */
DOCA_STABLE
doca_error_t doca_devinfo_get_mac_addr(const struct doca_devinfo *devinfo, uint8_t *mac_addr, uint32_t size);
/** Returns the InfiniBand local identifier. NOT_SUPPORTED: the port is not an InfiniBand port. */
DOCA_STABLE
doca_error_t doca_devinfo_get_lid(const struct doca_devinfo *devinfo, uint16_t *lid);
/** Writes the name of the network interface. */
DOCA_STABLE
doca_error_t doca_devinfo_get_iface_name(const struct doca_devinfo *devinfo, char *iface_name, uint32_t size);
/** Writes the name of the RDMA device. */
DOCA_STABLE
doca_error_t doca_devinfo_get_ibdev_name(const struct doca_devinfo *devinfo, char *ibdev_name, uint32_t size);
/** Returns the number of the function within the card. */
DOCA_EXPERIMENTAL
doca_error_t doca_devinfo_get_vhca_id(const struct doca_devinfo *devinfo, uint16_t *vhca_id);
/** Returns the rate of the port in bits per second. */
DOCA_EXPERIMENTAL
doca_error_t doca_devinfo_get_active_rate(const struct doca_devinfo *devinfo, uint64_t *active_rate);
/** @} */

/** @name Capabilities of a device: 1 or 0 */
/** @{ */
DOCA_STABLE
doca_error_t doca_devinfo_cap_is_hotplug_manager_supported(const struct doca_devinfo *devinfo,
							   uint8_t *is_hotplug_manager);
DOCA_EXPERIMENTAL
doca_error_t doca_devinfo_cap_is_accelerate_resource_reclaim_supported(const struct doca_devinfo *devinfo,
								       uint8_t *is_accelerate_resource_reclaim);
DOCA_EXPERIMENTAL
doca_error_t doca_devinfo_cap_is_notification_moderation_supported(const struct doca_devinfo *devinfo,
								   uint8_t *is_notification_moderation_supported);
/** Returns whether the device supports this filter for representor lists. NOT_SUPPORTED: the device has no representors. */
DOCA_STABLE
doca_error_t doca_devinfo_rep_cap_is_filter_all_supported(const struct doca_devinfo *devinfo,
							  uint8_t *filter_all_supported);
DOCA_STABLE
doca_error_t doca_devinfo_rep_cap_is_filter_net_supported(const struct doca_devinfo *devinfo,
							  uint8_t *filter_net_supported);
DOCA_STABLE
doca_error_t doca_devinfo_rep_cap_is_filter_emulated_supported(const struct doca_devinfo *devinfo,
							       uint8_t *filter_emulated_supported);
/** @} */

/** @name Representors */
/** @{ */
/**
 * Creates a list of the representors of an opened device; doca_devinfo_rep_destroy_list() frees it. filter: enum
 * doca_devinfo_rep_filter. NOT_SUPPORTED: the device has no representors, or none of this kind; NO_MEMORY.
 */
DOCA_STABLE
doca_error_t doca_devinfo_rep_create_list(struct doca_dev *dev, int filter, struct doca_devinfo_rep ***dev_list_rep,
					  uint32_t *nb_devs_rep);
/** Frees a list with its descriptions. Representors opened from it stay open. */
DOCA_STABLE
doca_error_t doca_devinfo_rep_destroy_list(struct doca_devinfo_rep **dev_list_rep);
/** Opens a representor. Each open needs one close; device and representor may be closed in any order. NO_MEMORY. */
DOCA_STABLE
doca_error_t doca_dev_rep_open(struct doca_devinfo_rep *devinfo, struct doca_dev_rep **dev_rep);
/** Closes a representor. IN_USE: another object uses it. */
DOCA_STABLE
doca_error_t doca_dev_rep_close(struct doca_dev_rep *dev);
/** Returns the description of an opened representor; NULL for NULL. */
DOCA_STABLE
struct doca_devinfo_rep *doca_dev_rep_as_devinfo(struct doca_dev_rep *dev_rep);
/** @} */

/** @name Properties of the host function of a representor */
/** @{ */
/** Writes the host's PCI address of the function into at least DOCA_DEVINFO_REP_PCI_ADDR_SIZE bytes. */
DOCA_STABLE
doca_error_t doca_devinfo_rep_get_pci_addr_str(const struct doca_devinfo_rep *devinfo_rep, char *pci_addr_str);
/** Same as doca_devinfo_is_equal_pci_addr(). */
DOCA_STABLE
doca_error_t doca_devinfo_rep_is_equal_pci_addr(const struct doca_devinfo_rep *devinfo_rep, const char *pci_addr_str,
						uint8_t *is_equal);
/** Returns the type of the PCI function. */
DOCA_STABLE
doca_error_t doca_devinfo_rep_get_pci_func_type(const struct doca_devinfo_rep *devinfo_rep,
						enum doca_pci_func_type *pci_func_type);
/** Returns whether the card hot-plugged the function: 1 or 0. */
DOCA_STABLE
doca_error_t doca_devinfo_rep_get_is_hotplug(const struct doca_devinfo_rep *devinfo_rep, uint8_t *is_hotplug);
/** Writes the name of the function that restarts do not change; size in bytes, at least DOCA_DEVINFO_REP_VUID_SIZE. */
DOCA_STABLE
doca_error_t doca_devinfo_rep_get_vuid(const struct doca_devinfo_rep *devinfo_rep, char *rep_vuid, uint32_t size);
/** Returns the number of the function within the card. */
DOCA_EXPERIMENTAL
doca_error_t doca_devinfo_rep_get_vhca_id(const struct doca_devinfo_rep *devinfo_rep, uint16_t *vhca_id);
/** Writes the name of the network interface on the DPU that carries the function's traffic. */
DOCA_EXPERIMENTAL
doca_error_t doca_devinfo_rep_get_iface_name(const struct doca_devinfo_rep *devinfo_rep, char *iface_name, uint32_t size);
/** @} */

#ifdef __cplusplus
}
#endif

#endif
