/* Limits of a device. */
#include "sd_comch_data.h"
#include "sd_shape.h"

static const struct sd_comch_limits *limits_of(const struct doca_devinfo *devinfo)
{
	return &sd_devinfo_profile(devinfo)->comch;
}

doca_error_t doca_comch_cap_server_is_supported(const struct doca_devinfo *devinfo)
{
	if (devinfo == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	return sd_devinfo_is_dpu_side(devinfo) ? DOCA_SUCCESS : DOCA_ERROR_NOT_SUPPORTED;
}

doca_error_t doca_comch_cap_client_is_supported(const struct doca_devinfo *devinfo)
{
	if (devinfo == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	return sd_devinfo_is_dpu_side(devinfo) ? DOCA_ERROR_NOT_SUPPORTED : DOCA_SUCCESS;
}

SD_PRESENT(doca_comch_consumer_cap_is_supported, const struct doca_devinfo)
SD_PRESENT(doca_comch_producer_cap_is_supported, const struct doca_devinfo)
SD_GETTER(doca_comch_cap_get_max_name_len, const struct doca_devinfo, uint32_t, limits_of(object)->max_name_len)
SD_GETTER(doca_comch_cap_get_max_msg_size, const struct doca_devinfo, uint32_t, limits_of(object)->max_msg_size)
SD_GETTER(doca_comch_cap_get_max_recv_queue_size, const struct doca_devinfo, uint32_t, limits_of(object)->max_recv_queue_size)
SD_GETTER(doca_comch_cap_get_max_send_tasks, const struct doca_devinfo, uint32_t, limits_of(object)->max_send_tasks)
SD_GETTER(doca_comch_cap_get_max_clients, const struct doca_devinfo, uint32_t, sd_config_max_clients(limits_of(object)))
SD_GETTER(doca_comch_consumer_cap_get_max_consumers, const struct doca_devinfo, uint32_t, limits_of(object)->max_consumers)
SD_GETTER(doca_comch_consumer_cap_get_max_num_tasks, const struct doca_devinfo, uint32_t, limits_of(object)->max_data_tasks)
SD_GETTER(doca_comch_consumer_cap_get_max_buf_size, const struct doca_devinfo, uint32_t, limits_of(object)->max_buf_size)
SD_GETTER(doca_comch_consumer_cap_get_max_buf_list_len, const struct doca_devinfo, uint32_t, 1)
SD_GETTER(doca_comch_consumer_cap_get_max_imm_data_len, const struct doca_devinfo, uint32_t, limits_of(object)->max_imm_len)
SD_GETTER(doca_comch_producer_cap_get_max_producers, const struct doca_devinfo, uint32_t, limits_of(object)->max_producers)
SD_GETTER(doca_comch_producer_cap_get_max_num_tasks, const struct doca_devinfo, uint32_t, limits_of(object)->max_data_tasks)
SD_GETTER(doca_comch_producer_cap_get_max_buf_size, const struct doca_devinfo, uint32_t, limits_of(object)->max_buf_size)
SD_GETTER(doca_comch_producer_cap_get_max_buf_list_len, const struct doca_devinfo, uint32_t,
	limits_of(object)->max_buf_list_len)
