/* Capabilities of devices for RDMA: the same for all devices of the card. Thread: any. */
#include <string.h>

#include "sd_address.h"
#include "sd_rdma.h"
#include "sd_shape.h"

enum { MAC_LEN = 6 };

SD_PRESENT(doca_rdma_cap_task_receive_is_supported, const struct doca_devinfo)
SD_PRESENT(doca_rdma_cap_task_send_is_supported, const struct doca_devinfo)
SD_PRESENT(doca_rdma_cap_task_send_imm_is_supported, const struct doca_devinfo)
SD_PRESENT(doca_rdma_cap_task_read_is_supported, const struct doca_devinfo)
SD_PRESENT(doca_rdma_cap_task_write_is_supported, const struct doca_devinfo)
SD_PRESENT(doca_rdma_cap_task_write_imm_is_supported, const struct doca_devinfo)
SD_PRESENT(doca_rdma_cap_task_atomic_cmp_swp_is_supported, const struct doca_devinfo)
SD_PRESENT(doca_rdma_cap_task_atomic_fetch_add_is_supported, const struct doca_devinfo)
SD_PRESENT(doca_rdma_cap_task_remote_net_sync_event_get_is_supported, const struct doca_devinfo)
SD_PRESENT(doca_rdma_cap_task_remote_net_sync_event_notify_set_is_supported, const struct doca_devinfo)
SD_PRESENT(doca_rdma_cap_task_remote_net_sync_event_notify_add_is_supported, const struct doca_devinfo)
SD_GETTER(doca_rdma_cap_get_max_send_queue_size, const struct doca_devinfo, uint32_t, RDMA_MAX_SEND_QUEUE_SIZE)
SD_GETTER(doca_rdma_cap_get_max_recv_queue_size, const struct doca_devinfo, uint32_t, 0)
SD_GETTER(doca_rdma_cap_get_max_send_buf_list_len, const struct doca_devinfo, uint32_t, RDMA_MAX_LIST_LEN)
SD_GETTER(doca_rdma_cap_get_max_message_size, const struct doca_devinfo, uint32_t, RDMA_MAX_MESSAGE_SIZE)
SD_GETTER(doca_rdma_cap_get_gid_table_size, const struct doca_devinfo, uint32_t, RDMA_NUM_GIDS)

doca_error_t doca_rdma_cap_transport_type_is_supported(const struct doca_devinfo *devinfo,
						       enum doca_rdma_transport_type transport_type)
{
	if (devinfo == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	switch (transport_type) {
	case DOCA_RDMA_TRANSPORT_TYPE_RC:
	case DOCA_RDMA_TRANSPORT_TYPE_DC:
		return DOCA_SUCCESS;
	default:
		return DOCA_ERROR_INVALID_VALUE;
	}
}

doca_error_t doca_rdma_cap_task_receive_get_max_dst_buf_list_len(const struct doca_devinfo *devinfo,
								  enum doca_rdma_transport_type transport_type,
								  uint32_t *max_buf_list_len)
{
	if (devinfo == NULL || max_buf_list_len == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	*max_buf_list_len = RDMA_MAX_LIST_LEN;
	return doca_rdma_cap_transport_type_is_supported(devinfo, transport_type);
}

/* Makes the link-local address of a port from its MAC address (RFC 4291, modified EUI-64), as adapters do for entries 0 and 1. */
static void make_gid(struct doca_rdma_gid *gid, const uint8_t mac[MAC_LEN])
{
	const uint8_t raw[DOCA_GID_BYTE_LENGTH] = { 0xfe, 0x80, [8] = mac[0] ^ 2, mac[1], mac[2], 0xff, 0xfe, mac[3], mac[4], mac[5] };

	memcpy(gid->raw, raw, sizeof(raw));
}

doca_error_t doca_rdma_cap_get_gid(const struct doca_devinfo *devinfo, uint32_t start_index, uint32_t num_entries,
				   struct doca_rdma_gid *gid_array)
{
	uint16_t vhca_id;
	uint8_t mac[MAC_LEN];
	doca_error_t result;

	if (devinfo == NULL || gid_array == NULL || start_index > RDMA_NUM_GIDS || num_entries > RDMA_NUM_GIDS - start_index)
		return DOCA_ERROR_INVALID_VALUE;
	(void)doca_devinfo_get_vhca_id(devinfo, &vhca_id); /* fails only for NULL */
	result = doca_devinfo_get_mac_addr(devinfo, mac, sizeof(mac));
	if (result != DOCA_SUCCESS)
		return result;
	for (uint32_t i = 0; i < num_entries; i++) {
		if (sd_tunnel_is_on() || start_index + i >= RDMA_FIRST_IPV4_GID)
			sd_address_of(vhca_id, gid_array[i].raw);
		else
			make_gid(&gid_array[i], mac);
	}
	return DOCA_SUCCESS;
}
