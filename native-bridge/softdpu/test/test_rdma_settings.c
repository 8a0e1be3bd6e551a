/* Capabilities, and properties with their ranges, defaults and states. Missing functions return NOT_SUPPORTED. */
#include "rdma.h"

static struct rdma_side side;

static void capabilities(const struct doca_devinfo *devinfo)
{
	struct doca_rdma_gid gids[5] = { { { 0 } } };
	uint32_t value;
	uint8_t mac[6], ipv4[4];

	CHECK_OK(doca_rdma_cap_task_read_is_supported(devinfo));
	CHECK_OK(doca_rdma_cap_task_write_is_supported(devinfo));
	CHECK_OK(doca_rdma_cap_task_send_is_supported(devinfo));
	CHECK_OK(doca_rdma_cap_task_send_imm_is_supported(devinfo));
	CHECK_OK(doca_rdma_cap_task_receive_is_supported(devinfo));
	CHECK_OK(doca_rdma_cap_task_write_imm_is_supported(devinfo));
	CHECK_OK(doca_rdma_cap_task_atomic_cmp_swp_is_supported(devinfo));
	CHECK_OK(doca_rdma_cap_task_atomic_fetch_add_is_supported(devinfo));
	CHECK_OK(doca_rdma_cap_task_remote_net_sync_event_get_is_supported(devinfo));
	CHECK_OK(doca_rdma_cap_task_remote_net_sync_event_notify_set_is_supported(devinfo));
	CHECK_OK(doca_rdma_cap_task_remote_net_sync_event_notify_add_is_supported(devinfo));
	CHECK_OK(doca_rdma_cap_task_receive_get_max_dst_buf_list_len(devinfo, DOCA_RDMA_TRANSPORT_TYPE_RC, &value));
	CHECK_EQ(value, 32);
	CHECK_OK(doca_rdma_cap_transport_type_is_supported(devinfo, DOCA_RDMA_TRANSPORT_TYPE_RC));
	CHECK_OK(doca_rdma_cap_transport_type_is_supported(devinfo, DOCA_RDMA_TRANSPORT_TYPE_DC));
	CHECK_ERROR(doca_rdma_cap_transport_type_is_supported(devinfo, (enum doca_rdma_transport_type)2), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_rdma_cap_get_max_recv_queue_size(devinfo, &value));
	CHECK_EQ(value, 0);
	CHECK_OK(doca_rdma_cap_get_max_message_size(devinfo, &value));
	CHECK_EQ(value, 1 << 30);

	CHECK_OK(doca_rdma_cap_get_gid_table_size(devinfo, &value));
	CHECK_EQ(value, 4);
	CHECK_OK(doca_rdma_cap_get_gid(devinfo, 0, 4, gids));
	CHECK_OK(doca_devinfo_get_mac_addr(devinfo, mac, sizeof(mac)));
	for (int i = 0; i < 2; i++)
		CHECK(gids[i].raw[0] == 0xfe && gids[i].raw[1] == 0x80 && gids[i].raw[8] == (mac[0] ^ 2) && gids[i].raw[15] == mac[5]);
	CHECK_OK(doca_devinfo_get_ipv4_addr(devinfo, ipv4, sizeof(ipv4)));
	for (int i = 2; i < 4; i++)
		CHECK(gids[i].raw[0] == 0 && gids[i].raw[11] == 0xff && memcmp(gids[i].raw + 12, ipv4, sizeof(ipv4)) == 0);
	CHECK_OK(doca_rdma_cap_get_gid(devinfo, 3, 1, gids));
	CHECK_EQ(gids[0].raw[15], ipv4[3]);
	CHECK_OK(doca_rdma_cap_get_gid(devinfo, 4, 0, gids));
	CHECK_ERROR(doca_rdma_cap_get_gid(devinfo, 0, 5, gids), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_rdma_cap_get_gid(devinfo, 4, 1, gids), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_rdma_cap_get_gid(devinfo, 5, 0, gids), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_rdma_cap_get_gid(devinfo, UINT32_MAX, 2, gids), DOCA_ERROR_INVALID_VALUE);
}

/* Checks the default, both ends of the range, the values beside it, and what the largest value becomes. */
#define PROPERTY(name, type, initial, least, most, refused)                                                      \
	do {                                                                                                     \
		struct doca_rdma *rdma;                                                                          \
		type value;                                                                                      \
		CHECK_OK(doca_rdma_create(side.dev, &rdma));                                                     \
		CHECK_OK(doca_rdma_get_##name(rdma, &value));                                                    \
		CHECK_EQ(value, initial);                                                                        \
		CHECK_ERROR(doca_rdma_set_##name(rdma, (type)(refused)), DOCA_ERROR_INVALID_VALUE);              \
		CHECK_OK(doca_rdma_get_##name(rdma, &value));                                                    \
		CHECK_EQ(value, initial);                                                                        \
		CHECK_OK(doca_rdma_set_##name(rdma, (type)(least)));                                             \
		CHECK_OK(doca_rdma_get_##name(rdma, &value));                                                    \
		CHECK_EQ(value, least);                                                                          \
		CHECK_OK(doca_rdma_set_##name(rdma, (type)(most)));                                              \
		CHECK_OK(doca_rdma_get_##name(rdma, &value));                                                    \
		CHECK_EQ(value, most);                                                                           \
		CHECK_OK(doca_rdma_destroy(rdma));                                                               \
		CHECK_ERROR(doca_rdma_set_##name(side.rdma, (type)(most)), DOCA_ERROR_BAD_STATE);                \
	} while (0)

static void properties(const struct doca_devinfo *devinfo)
{
	uint32_t max_queue, max_list;

	CHECK_OK(doca_rdma_cap_get_max_send_queue_size(devinfo, &max_queue));
	CHECK_OK(doca_rdma_cap_get_max_send_buf_list_len(devinfo, &max_list));
	PROPERTY(send_queue_size, uint32_t, 1024, 1, max_queue, 0);
	PROPERTY(send_queue_size, uint32_t, 1024, 1, max_queue, max_queue + 1);
	PROPERTY(max_send_buf_list_len, uint32_t, 1, 1, max_list, 0);
	PROPERTY(max_send_buf_list_len, uint32_t, 1, 1, max_list, max_list + 1);
	PROPERTY(grh_enabled, uint8_t, 0, 0, 1, 2);
	PROPERTY(gid_index, uint32_t, 0, 0, 3, 4);
	PROPERTY(sl, uint32_t, 0, 0, 15, 16);
	PROPERTY(connection_request_timeout, uint16_t, 2000, 1, UINT16_MAX, 0);
	PROPERTY(max_num_connections, uint16_t, 1, 1, UINT16_MAX, 0);
	PROPERTY(rnr_retry_count, uint8_t, 6, 0, 7, 8);
	PROPERTY(mtu, enum doca_mtu_size, DOCA_MTU_SIZE_1K_BYTES, DOCA_MTU_SIZE_256_BYTES, DOCA_MTU_SIZE_4K_BYTES, 6);
	PROPERTY(transport_type, enum doca_rdma_transport_type, DOCA_RDMA_TRANSPORT_TYPE_RC, DOCA_RDMA_TRANSPORT_TYPE_RC,
		 DOCA_RDMA_TRANSPORT_TYPE_DC, 2);
	PROPERTY(permissions, uint32_t, 0, DOCA_ACCESS_FLAG_RDMA_ATOMIC,
		 DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE | DOCA_ACCESS_FLAG_RDMA_ATOMIC,
		 DOCA_ACCESS_FLAG_PCI_READ_WRITE);
}

static void special_values(void)
{
	struct doca_rdma *rdma;
	uint32_t value;

	CHECK_OK(doca_rdma_create(side.dev, &rdma));
	CHECK_OK(doca_rdma_set_send_queue_size(rdma, 1025));
	CHECK_OK(doca_rdma_get_send_queue_size(rdma, &value));
	CHECK_EQ(value, 2048);
	CHECK_OK(doca_rdma_set_permissions(rdma, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_READ));
	CHECK_OK(doca_rdma_get_permissions(rdma, &value));
	CHECK_EQ(value, DOCA_ACCESS_FLAG_RDMA_READ);
	CHECK_OK(doca_rdma_task_receive_get_dst_buf_list_len(rdma, &value));
	CHECK_EQ(value, 1);
	CHECK_OK(doca_rdma_task_receive_set_dst_buf_list_len(rdma, 32));
	CHECK_ERROR(doca_rdma_task_receive_set_dst_buf_list_len(rdma, 33), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_rdma_task_receive_set_dst_buf_list_len(rdma, 0), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_rdma_task_receive_set_dst_buf_list_len(side.rdma, 1), DOCA_ERROR_BAD_STATE);
	CHECK_OK(doca_rdma_task_receive_get_dst_buf_list_len(rdma, &value));
	CHECK_EQ(value, 32);
	CHECK_ERROR(doca_rdma_set_mtu(rdma, DOCA_MTU_SIZE_RAW_ETHERNET), DOCA_ERROR_NOT_SUPPORTED);
	CHECK_ERROR(doca_rdma_set_recv_queue_size(rdma, 1), DOCA_ERROR_NOT_SUPPORTED);
	CHECK_ERROR(doca_rdma_get_recv_queue_size(rdma, &value), DOCA_ERROR_NOT_SUPPORTED);
	CHECK_OK(doca_rdma_destroy(rdma));
}

static void tasks(const struct doca_devinfo *devinfo)
{
	struct doca_rdma *rdma;
	uint32_t most;

	CHECK_OK(doca_rdma_create(side.dev, &rdma));
	CHECK_OK(doca_rdma_cap_get_max_send_queue_size(devinfo, &most));
	CHECK_OK(doca_rdma_task_write_set_conf(rdma, rdma_write_ended, rdma_write_ended, most));
	CHECK_ERROR(doca_rdma_task_write_set_conf(rdma, rdma_write_ended, rdma_write_ended, most + 1), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_rdma_task_write_set_conf(rdma, rdma_write_ended, rdma_write_ended, 0), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_rdma_task_read_set_conf(side.rdma, rdma_read_ended, rdma_read_ended, 1), DOCA_ERROR_BAD_STATE);
	CHECK_OK(doca_rdma_destroy(rdma));
}

int main(void)
{
	const struct doca_devinfo *devinfo;

	rdma_side_open(&side, "03:00.0", 0);
	devinfo = doca_dev_as_devinfo(side.dev);
	CHECK_OK(doca_ctx_start(side.ctx));
	capabilities(devinfo);
	properties(devinfo);
	special_values();
	tasks(devinfo);
	rdma_side_close(&side);
	rig_check_nothing_is_left();
	return 0;
}
