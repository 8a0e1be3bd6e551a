/* Batches of tasks. Only Ethernet contexts create batches, and the software DPU has none of them: a program has no batch. */
#include "doca_pe.h"
#include "sd_shape.h"

void doca_task_batch_free(struct doca_task_batch *task_batch)
{
	(void)task_batch;
}

void doca_task_batch_set_user_data(struct doca_task_batch *task_batch, union doca_data user_data)
{
	(void)task_batch;
	(void)user_data;
}

SD_ABSENT(doca_task_batch_submit, struct doca_task_batch)
SD_ABSENT(doca_task_batch_try_submit, struct doca_task_batch)
SD_ABSENT(doca_task_batch_get_status, const struct doca_task_batch)
SD_PROPERTY(doca_task_batch_get_tasks_num, struct doca_task_batch, uint16_t, 0, 0)
SD_PROPERTY(doca_task_batch_get_user_data, const struct doca_task_batch, union doca_data, (union doca_data){ 0 },
	(union doca_data){ 0 })
SD_PROPERTY(doca_task_batch_get_ctx, const struct doca_task_batch, struct doca_ctx *, NULL, NULL)
SD_PROPERTY(doca_task_batch_get_ctx_user_data, const struct doca_task_batch, union doca_data, (union doca_data){ 0 },
	(union doca_data){ 0 })
