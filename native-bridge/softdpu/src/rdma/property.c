/* Properties of RDMA contexts. */
#include "sd_rdma.h"
#include "sd_shape.h"

enum { MAX_SL = 15, MAX_RNR_RETRY_COUNT = 7 };

static const uint32_t rdma_permissions =
	DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE | DOCA_ACCESS_FLAG_RDMA_ATOMIC;
static const uint32_t known_permissions = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_READ |
					  DOCA_ACCESS_FLAG_RDMA_WRITE | DOCA_ACCESS_FLAG_RDMA_ATOMIC;

static uint32_t round_up(uint32_t size)
{
	uint32_t rounded = 1;

	while (rounded < size)
		rounded *= 2;
	return rounded;
}

/* Defines the setter and the getter of a property. is_valid and stored are expressions of value. */
#define PROPERTY(name, type, getter_object, is_valid, stored)                                        \
	doca_error_t doca_rdma_set_##name(struct doca_rdma *rdma, type value)                        \
	{                                                                                            \
		if (rdma == NULL || !(is_valid))                                                     \
			return DOCA_ERROR_INVALID_VALUE;                                             \
		if (sd_context_require_idle(&rdma->ctx) != DOCA_SUCCESS)                             \
			return DOCA_ERROR_BAD_STATE;                                                 \
		rdma->name = (stored);                                                               \
		return DOCA_SUCCESS;                                                                 \
	}                                                                                            \
	SD_GETTER(doca_rdma_get_##name, getter_object, type, object->name)

PROPERTY(send_queue_size, uint32_t, const struct doca_rdma, value > 0 && value <= RDMA_MAX_SEND_QUEUE_SIZE, round_up(value))
PROPERTY(max_send_buf_list_len, uint32_t, const struct doca_rdma, value > 0 && value <= RDMA_MAX_LIST_LEN, value)
PROPERTY(permissions, uint32_t, struct doca_rdma, (value & ~known_permissions) == 0, value & rdma_permissions)
PROPERTY(grh_enabled, uint8_t, const struct doca_rdma, value <= 1, value)
PROPERTY(gid_index, uint32_t, const struct doca_rdma, value < RDMA_NUM_GIDS, value)
PROPERTY(sl, uint32_t, const struct doca_rdma, value <= MAX_SL, value)
PROPERTY(connection_request_timeout, uint16_t, const struct doca_rdma, value > 0, value)
PROPERTY(max_num_connections, uint16_t, struct doca_rdma, value > 0, value)
PROPERTY(rnr_retry_count, uint8_t, const struct doca_rdma, value <= MAX_RNR_RETRY_COUNT, value)

doca_error_t doca_rdma_set_transport_type(struct doca_rdma *rdma, enum doca_rdma_transport_type transport_type)
{
	doca_error_t result;

	if (rdma == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (sd_context_require_idle(&rdma->ctx) != DOCA_SUCCESS)
		return DOCA_ERROR_BAD_STATE;
	result = doca_rdma_cap_transport_type_is_supported(doca_dev_as_devinfo(rdma->ctx.dev), transport_type);
	if (result == DOCA_SUCCESS)
		rdma->transport_type = transport_type;
	return result;
}

SD_GETTER(doca_rdma_get_transport_type, const struct doca_rdma, enum doca_rdma_transport_type, object->transport_type)

doca_error_t doca_rdma_set_mtu(struct doca_rdma *rdma, enum doca_mtu_size mtu)
{
	if (rdma == NULL || (uint32_t)mtu > DOCA_MTU_SIZE_RAW_ETHERNET)
		return DOCA_ERROR_INVALID_VALUE;
	if (sd_context_require_idle(&rdma->ctx) != DOCA_SUCCESS)
		return DOCA_ERROR_BAD_STATE;
	if (mtu == DOCA_MTU_SIZE_RAW_ETHERNET)
		return DOCA_ERROR_NOT_SUPPORTED;
	rdma->mtu = mtu;
	return DOCA_SUCCESS;
}

SD_GETTER(doca_rdma_get_mtu, const struct doca_rdma, enum doca_mtu_size, object->mtu)
SD_ABSENT_NUMBER(doca_rdma_set_recv_queue_size, struct doca_rdma)
SD_ABSENT_POINTER(doca_rdma_get_recv_queue_size, const struct doca_rdma, uint32_t *)
