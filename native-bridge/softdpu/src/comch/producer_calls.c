/* Getters and setters of the task that sends to a consumer. */
#include <string.h>

#include "sd_comch_data.h"
#include "sd_shape.h"

SD_PART(doca_comch_producer_task_send_as_task, struct doca_comch_producer_task_send, struct doca_task, base)
SD_SETTER(doca_comch_producer_task_send_set_buf, struct doca_comch_producer_task_send, const struct doca_buf *, buf)
SD_PROPERTY(doca_comch_producer_task_send_get_buf, const struct doca_comch_producer_task_send, const struct doca_buf *, NULL,
	object->buf)
SD_SETTER(doca_comch_producer_task_send_set_consumer_id, struct doca_comch_producer_task_send, const uint32_t, consumer_id)
SD_PROPERTY(doca_comch_producer_task_send_get_consumer_id, const struct doca_comch_producer_task_send, uint32_t, 0,
	object->consumer_id)

void doca_comch_producer_task_send_set_imm_data(struct doca_comch_producer_task_send *task, uint8_t *imm_data,
						uint32_t imm_data_len)
{
	if (task == NULL)
		return;
	task->is_imm_too_long = imm_data_len > sizeof(task->imm);
	task->imm_len = imm_data == NULL || task->is_imm_too_long ? 0 : imm_data_len;
	if (task->imm_len > 0)
		memcpy(task->imm, imm_data, task->imm_len);
}

uint8_t *doca_comch_producer_task_send_get_imm_data(const struct doca_comch_producer_task_send *task)
{
	return task == NULL ? NULL : task->imm_len == 0 ? NULL : (uint8_t *)(uintptr_t)task->imm;
}

SD_PROPERTY(doca_comch_producer_task_send_get_imm_data_len, const struct doca_comch_producer_task_send, uint32_t, 0,
	object->imm_len)
