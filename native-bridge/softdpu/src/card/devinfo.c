/* Lists of devices, and properties of a device. */
#include "devinfo.h"

#include <stdlib.h>
#include <string.h>

#include "sd_dev.h"
#include "sd_shape.h"

doca_error_t devinfo_copy_string(const char *string, char *out, uint32_t size, uint32_t least)
{
	if (out == NULL || size < least)
		return DOCA_ERROR_INVALID_VALUE;
	strncpy(out, string, size - 1);
	out[size - 1] = '\0';
	return DOCA_SUCCESS;
}

static doca_error_t copy_bytes(const uint8_t *bytes, uint8_t *out, uint32_t size, uint32_t least)
{
	if (out == NULL || size < least)
		return DOCA_ERROR_INVALID_VALUE;
	memcpy(out, bytes, least);
	return DOCA_SUCCESS;
}

/* Allocates one block: first the pointers, then the descriptions. */
doca_error_t doca_devinfo_create_list(struct doca_devinfo ***dev_list, uint32_t *nb_devs)
{
	size_t count, i, found = 0;
	const struct card_function *functions = card_functions(&count);
	struct doca_devinfo **list, *infos;

	if (dev_list == NULL || nb_devs == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	list = malloc(count * (sizeof(*list) + sizeof(*infos)));
	if (list == NULL)
		return DOCA_ERROR_NO_MEMORY;
	infos = (struct doca_devinfo *)(list + count);
	for (i = 0; i < count; i++) {
		if (!(functions[i].side & sd_config()->sides))
			continue;
		infos[found].function = &functions[i];
		list[found] = &infos[found];
		found++;
	}
	*dev_list = list;
	*nb_devs = (uint32_t)found;
	return DOCA_SUCCESS;
}

doca_error_t doca_devinfo_destroy_list(struct doca_devinfo **dev_list)
{
	if (dev_list == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	free(dev_list);
	return DOCA_SUCCESS;
}

DEVINFO_PCI_ADDR(doca_devinfo, doca_devinfo, DOCA_DEVINFO_PCI_ADDR_SIZE)
SD_GETTER(doca_devinfo_get_pci_func_type, const struct doca_devinfo, enum doca_pci_func_type, object->function->type)
SD_ABSENT(doca_devinfo_get_is_pcc_supported, const struct doca_devinfo)
SD_ABSENT_POINTER(doca_devinfo_get_sf_index, const struct doca_devinfo, uint32_t *)

doca_error_t doca_devinfo_get_ipv4_addr(const struct doca_devinfo *devinfo, uint8_t *ipv4_addr, uint32_t size)
{
	static const uint8_t none[DOCA_DEVINFO_IPV4_ADDR_SIZE];

	if (devinfo == NULL || ipv4_addr == NULL || size < DOCA_DEVINFO_IPV4_ADDR_SIZE)
		return DOCA_ERROR_INVALID_VALUE;
	if (memcmp(devinfo->function->ipv4, none, sizeof(none)) == 0)
		return DOCA_ERROR_NOT_FOUND;
	return copy_bytes(devinfo->function->ipv4, ipv4_addr, size, DOCA_DEVINFO_IPV4_ADDR_SIZE);
}

/* Returns the link-local address that is derived from the MAC (RFC 4291, modified EUI-64). */
doca_error_t doca_devinfo_get_ipv6_addr(const struct doca_devinfo *devinfo, uint8_t *ipv6_addr, uint32_t size)
{
	uint8_t addr[DOCA_DEVINFO_IPV6_ADDR_SIZE] = { 0xfe, 0x80 };
	const uint8_t *mac;

	if (devinfo == NULL || ipv6_addr == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	mac = devinfo->function->mac;
	memcpy(addr + 8, mac, 3);
	addr[8] ^= 0x02;
	addr[11] = 0xff;
	addr[12] = 0xfe;
	memcpy(addr + 13, mac + 3, 3);
	return copy_bytes(addr, ipv6_addr, size, sizeof(addr));
}

doca_error_t doca_devinfo_get_mac_addr(const struct doca_devinfo *devinfo, uint8_t *mac_addr, uint32_t size)
{
	if (devinfo == NULL || mac_addr == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	return copy_bytes(devinfo->function->mac, mac_addr, size, DOCA_DEVINFO_MAC_ADDR_SIZE);
}

SD_ABSENT_POINTER(doca_devinfo_get_lid, const struct doca_devinfo, uint16_t *)
DEVINFO_STRING(doca_devinfo_get_iface_name, doca_devinfo, iface_name, DOCA_DEVINFO_IFACE_NAME_SIZE)
DEVINFO_STRING(doca_devinfo_get_ibdev_name, doca_devinfo, ibdev_name, DOCA_DEVINFO_IBDEV_NAME_SIZE)
SD_GETTER(doca_devinfo_get_vhca_id, const struct doca_devinfo, uint16_t, object->function->vhca_id)
SD_GETTER(doca_devinfo_get_active_rate, const struct doca_devinfo, uint64_t, CARD_ACTIVE_RATE)
SD_GETTER(doca_devinfo_cap_is_hotplug_manager_supported, const struct doca_devinfo, uint8_t, 0)
SD_GETTER(doca_devinfo_cap_is_accelerate_resource_reclaim_supported, const struct doca_devinfo, uint8_t, 0)
SD_GETTER(doca_devinfo_cap_is_notification_moderation_supported, const struct doca_devinfo, uint8_t, 0)

const struct sd_profile *sd_devinfo_profile(const struct doca_devinfo *devinfo)
{
	(void)devinfo; /* There is one card. */
	return sd_config()->profile;
}

uint8_t sd_devinfo_is_dpu_side(const struct doca_devinfo *devinfo)
{
	return devinfo->function->side == CARD_SIDE_DPU;
}
