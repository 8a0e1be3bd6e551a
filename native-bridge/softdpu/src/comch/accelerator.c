/* Public functions of the data path on accelerators. The software DPU has none: these functions only check their arguments. */
#include "sd_comch_data.h"
#include "sd_shape.h"

SD_ABSENT(doca_comch_consumer_completion_create, struct doca_comch_consumer_completion *)
SD_ABSENT(doca_comch_consumer_completion_destroy, struct doca_comch_consumer_completion)
SD_ABSENT_POINTER(doca_comch_consumer_completion_get_dpa_handle, struct doca_comch_consumer_completion,
	doca_dpa_dev_comch_consumer_completion_t *)
SD_ABSENT_POINTER(doca_comch_consumer_completion_get_imm_data_len, const struct doca_comch_consumer_completion, uint32_t *)
SD_ABSENT_POINTER(doca_comch_consumer_completion_get_max_num_consumers, const struct doca_comch_consumer_completion,
	uint32_t *)
SD_ABSENT_POINTER(doca_comch_consumer_completion_get_max_num_recv, const struct doca_comch_consumer_completion, uint32_t *)
SD_ABSENT_POINTER(doca_comch_consumer_completion_set_dpa_thread, struct doca_comch_consumer_completion,
	struct doca_dpa_thread *)
SD_ABSENT_NUMBER(doca_comch_consumer_completion_set_imm_data_len, struct doca_comch_consumer_completion)
SD_ABSENT_NUMBER(doca_comch_consumer_completion_set_max_num_consumers, struct doca_comch_consumer_completion)
SD_ABSENT_NUMBER(doca_comch_consumer_completion_set_max_num_recv, struct doca_comch_consumer_completion)
SD_ABSENT(doca_comch_consumer_completion_start, struct doca_comch_consumer_completion)
SD_ABSENT(doca_comch_consumer_completion_stop, struct doca_comch_consumer_completion)

doca_error_t doca_comch_consumer_set_completion(struct doca_comch_consumer *consumer, struct doca_comch_consumer_completion *consumer_comp,
	uint32_t user_data)
{
	(void)user_data;
	return consumer == NULL || consumer_comp == NULL ? DOCA_ERROR_INVALID_VALUE : DOCA_ERROR_NOT_SUPPORTED;
}

SD_ABSENT_NUMBER(doca_comch_consumer_set_dev_max_num_recv, struct doca_comch_consumer)
SD_ABSENT_POINTER(doca_comch_consumer_get_dpa_handle, struct doca_comch_consumer, doca_dpa_dev_comch_consumer_t *)
SD_ABSENT_POINTER(doca_comch_consumer_get_gpu_handle, struct doca_comch_consumer, struct doca_comch_gpu_consumer **)
SD_ABSENT_POINTER(doca_comch_producer_dpa_completion_attach, struct doca_comch_producer, struct doca_dpa_completion *)
SD_ABSENT_POINTER(doca_comch_producer_get_dpa_handle, struct doca_comch_producer, doca_dpa_dev_comch_producer_t *)
SD_ABSENT_POINTER(doca_comch_producer_get_gpu_handle, struct doca_comch_producer, struct doca_comch_gpu_producer **)
SD_ABSENT_NUMBER(doca_comch_producer_set_dev_max_num_send, struct doca_comch_producer)
