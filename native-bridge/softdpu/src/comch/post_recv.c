/* Receive tasks. The buffers of these tasks wait in the consumer's ring; see posted.c. */
#include <string.h>

#include "sd_comch_data.h"
#include "sd_shape.h"

static doca_error_t latch(struct doca_task *base)
{
	struct doca_comch_consumer_task_post_recv *task = (struct doca_comch_consumer_task_post_recv *)base;
	const struct doca_comch_consumer *consumer = (const struct doca_comch_consumer *)base->ctx;
	doca_error_t result;

	task->data_len = 0;
	task->imm_len = 0;
	task->producer_id = 0;
	result = sd_latch_destination(&task->latch, task->buf, base->ctx->dev);
	if (result == DOCA_SUCCESS && (task->latch.count != 1 || task->latch.maps[0] != consumer->map)) {
		sd_latch_release(&task->latch);
		result = DOCA_ERROR_INVALID_VALUE;
	}
	return result == DOCA_SUCCESS || result == DOCA_ERROR_NO_MEMORY ? result : DOCA_ERROR_IO_FAILED;
}

static doca_error_t validate(struct doca_task *base)
{
	struct doca_comch_consumer_task_post_recv *task = (struct doca_comch_consumer_task_post_recv *)base;
	doca_error_t result = latch(base);

	if (result == DOCA_SUCCESS)
		sd_latch_release(&task->latch);
	return result == DOCA_SUCCESS ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;
}

static void begin(struct doca_task *base)
{
	struct doca_comch_consumer_task_post_recv *task = (struct doca_comch_consumer_task_post_recv *)base;
	struct doca_comch_consumer *consumer = (struct doca_comch_consumer *)base->ctx;

	pthread_mutex_lock(&consumer->lock);
	if (consumer->is_reset)
		comch_post_recv_ended(task, DOCA_ERROR_CONNECTION_RESET);
	else if (consumer->is_closed)
		comch_post_recv_ended(task, DOCA_ERROR_IO_FAILED);
	else
		comch_consumer_post(consumer, task);
	pthread_mutex_unlock(&consumer->lock);
	consumer->num_vain = 0;
	sd_context_visit(base->ctx);
}

static void complete(struct doca_task *base)
{
	struct doca_comch_consumer_task_post_recv *task = (struct doca_comch_consumer_task_post_recv *)base;

	if (base->status == DOCA_SUCCESS)
		sd_latch_commit(&task->latch, task->data_len);
	sd_latch_release(&task->latch);
}

const struct sd_task_operation comch_post_recv = {
	.name = "comch-post-recv",
	.task_size = sizeof(struct doca_comch_consumer_task_post_recv),
	.validate = validate,
	.latch = latch,
	.begin = begin,
	.complete = complete,
};

SD_TASK_SET_CONF(doca_comch_consumer_task_post_recv, struct doca_comch_consumer, &comch_post_recv,
	object->connection->control->limits->max_data_tasks)

doca_error_t doca_comch_consumer_task_post_recv_alloc_init(struct doca_comch_consumer *consumer, struct doca_buf *buf,
							   struct doca_comch_consumer_task_post_recv **task)
{
	union doca_data none = { 0 };
	doca_error_t result;

	if (consumer == NULL || buf == NULL || task == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	result = sd_task_alloc(&consumer->ctx, &comch_post_recv, none, (struct doca_task **)task);
	if (result == DOCA_SUCCESS)
		(*task)->buf = buf;
	return result;
}

SD_PART(doca_comch_consumer_task_post_recv_as_task, struct doca_comch_consumer_task_post_recv, struct doca_task, base)
SD_SETTER(doca_comch_consumer_task_post_recv_set_buf, struct doca_comch_consumer_task_post_recv, struct doca_buf *, buf)
SD_PROPERTY(doca_comch_consumer_task_post_recv_get_buf, const struct doca_comch_consumer_task_post_recv, struct doca_buf *,
	NULL, object->buf)
SD_PROPERTY(doca_comch_consumer_task_post_recv_get_producer_id, const struct doca_comch_consumer_task_post_recv, uint32_t, 0,
	object->producer_id)

const uint8_t *doca_comch_consumer_task_post_recv_get_imm_data(const struct doca_comch_consumer_task_post_recv *task)
{
	return task == NULL ? NULL : task->imm_len == 0 ? NULL : task->imm;
}

SD_PROPERTY(doca_comch_consumer_task_post_recv_get_imm_data_len, const struct doca_comch_consumer_task_post_recv, uint32_t,
	0, object->imm_len)
