/* Producer sends of the fake, in a separate library: without it the fake is an older DOCA. Any context is a producer. */
#include "fake_inside.h"

enum { PRODUCER_SEND = 2 };

int doca_comch_producer_task_send_set_conf(struct doca_ctx *ctx, fake_completion_cb done, fake_completion_cb failed,
					   uint32_t num_tasks);
int doca_comch_producer_task_send_alloc_init(struct doca_ctx *ctx, const struct doca_buf *buf, uint8_t *imm_data,
					     uint32_t imm_data_len, uint32_t consumer_id, struct doca_task **task);
struct doca_task *doca_comch_producer_task_send_as_task(struct doca_task *task);
void doca_comch_producer_task_send_set_buf(struct doca_task *task, const struct doca_buf *buf);
int doca_comch_producer_task_send_set_imm_data(struct doca_task *task, uint8_t *imm_data, uint32_t imm_data_len);
void doca_comch_producer_task_send_set_consumer_id(struct doca_task *task, uint32_t consumer_id);

int doca_comch_producer_task_send_set_conf(struct doca_ctx *ctx, fake_completion_cb done, fake_completion_cb failed,
					   uint32_t num_tasks)
{
	return fake_set_conf(ctx, PRODUCER_SEND, done, failed, num_tasks);
}

int doca_comch_producer_task_send_alloc_init(struct doca_ctx *ctx, const struct doca_buf *buf, uint8_t *imm_data,
					     uint32_t imm_data_len, uint32_t consumer_id, struct doca_task **task)
{
	union doca_data none = { .ptr = NULL };
	int status = fake_alloc_init(ctx, PRODUCER_SEND, buf, NULL, none, task);

	(void)imm_data;
	(void)imm_data_len;
	if (status == 0)
		(*task)->consumer = consumer_id;
	return status;
}

struct doca_task *doca_comch_producer_task_send_as_task(struct doca_task *task)
{
	return task;
}

void doca_comch_producer_task_send_set_buf(struct doca_task *task, const struct doca_buf *buf)
{
	task->src = buf;
}

int doca_comch_producer_task_send_set_imm_data(struct doca_task *task, uint8_t *imm_data, uint32_t imm_data_len)
{
	(void)task;
	(void)imm_data;
	(void)imm_data_len;
	return 0;
}

void doca_comch_producer_task_send_set_consumer_id(struct doca_task *task, uint32_t consumer_id)
{
	task->consumer = consumer_id;
}
