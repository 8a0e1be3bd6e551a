/* Limits of a device. */
#include "sd_comch_data.h"

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

doca_error_t doca_comch_consumer_cap_is_supported(const struct doca_devinfo *devinfo)
{
	return devinfo == NULL ? DOCA_ERROR_INVALID_VALUE : DOCA_SUCCESS;
}

doca_error_t doca_comch_producer_cap_is_supported(const struct doca_devinfo *devinfo)
{
	return devinfo == NULL ? DOCA_ERROR_INVALID_VALUE : DOCA_SUCCESS;
}

doca_error_t doca_comch_cap_get_max_name_len(const struct doca_devinfo *devinfo, uint32_t *max_name_len)
{
	if (devinfo == NULL || max_name_len == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	*max_name_len = limits_of(devinfo)->max_name_len;
	return DOCA_SUCCESS;
}

doca_error_t doca_comch_cap_get_max_msg_size(const struct doca_devinfo *devinfo, uint32_t *size)
{
	if (devinfo == NULL || size == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	*size = limits_of(devinfo)->max_msg_size;
	return DOCA_SUCCESS;
}

doca_error_t doca_comch_cap_get_max_recv_queue_size(const struct doca_devinfo *devinfo, uint32_t *size)
{
	if (devinfo == NULL || size == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	*size = limits_of(devinfo)->max_recv_queue_size;
	return DOCA_SUCCESS;
}

doca_error_t doca_comch_cap_get_max_send_tasks(const struct doca_devinfo *devinfo, uint32_t *max_send_tasks)
{
	if (devinfo == NULL || max_send_tasks == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	*max_send_tasks = limits_of(devinfo)->max_send_tasks;
	return DOCA_SUCCESS;
}

doca_error_t doca_comch_cap_get_max_clients(const struct doca_devinfo *devinfo, uint32_t *num_clients)
{
	if (devinfo == NULL || num_clients == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	*num_clients = sd_config_max_clients(limits_of(devinfo));
	return DOCA_SUCCESS;
}

doca_error_t doca_comch_consumer_cap_get_max_consumers(const struct doca_devinfo *devinfo, uint32_t *max_consumers)
{
	if (devinfo == NULL || max_consumers == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	*max_consumers = limits_of(devinfo)->max_consumers;
	return DOCA_SUCCESS;
}

doca_error_t doca_comch_consumer_cap_get_max_num_tasks(const struct doca_devinfo *devinfo, uint32_t *max_num_tasks)
{
	if (devinfo == NULL || max_num_tasks == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	*max_num_tasks = limits_of(devinfo)->max_data_tasks;
	return DOCA_SUCCESS;
}

doca_error_t doca_comch_consumer_cap_get_max_buf_size(const struct doca_devinfo *devinfo, uint32_t *max_buf_size)
{
	if (devinfo == NULL || max_buf_size == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	*max_buf_size = limits_of(devinfo)->max_buf_size;
	return DOCA_SUCCESS;
}

doca_error_t doca_comch_consumer_cap_get_max_buf_list_len(const struct doca_devinfo *devinfo, uint32_t *max_buf_list_len)
{
	if (devinfo == NULL || max_buf_list_len == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	*max_buf_list_len = 1;
	return DOCA_SUCCESS;
}

doca_error_t doca_comch_consumer_cap_get_max_imm_data_len(const struct doca_devinfo *devinfo, uint32_t *max_imm_data_len)
{
	if (devinfo == NULL || max_imm_data_len == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	*max_imm_data_len = limits_of(devinfo)->max_imm_len;
	return DOCA_SUCCESS;
}

doca_error_t doca_comch_producer_cap_get_max_producers(const struct doca_devinfo *devinfo, uint32_t *max_producers)
{
	if (devinfo == NULL || max_producers == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	*max_producers = limits_of(devinfo)->max_producers;
	return DOCA_SUCCESS;
}

doca_error_t doca_comch_producer_cap_get_max_num_tasks(const struct doca_devinfo *devinfo, uint32_t *max_num_tasks)
{
	if (devinfo == NULL || max_num_tasks == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	*max_num_tasks = limits_of(devinfo)->max_data_tasks;
	return DOCA_SUCCESS;
}

doca_error_t doca_comch_producer_cap_get_max_buf_size(const struct doca_devinfo *devinfo, uint32_t *max_buf_size)
{
	if (devinfo == NULL || max_buf_size == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	*max_buf_size = limits_of(devinfo)->max_buf_size;
	return DOCA_SUCCESS;
}

doca_error_t doca_comch_producer_cap_get_max_buf_list_len(const struct doca_devinfo *devinfo, uint32_t *max_buf_list_len)
{
	if (devinfo == NULL || max_buf_list_len == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	*max_buf_list_len = limits_of(devinfo)->max_buf_list_len;
	return DOCA_SUCCESS;
}
