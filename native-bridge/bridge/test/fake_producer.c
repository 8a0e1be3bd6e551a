/*
 * Producer sends and consumer receives of the fake, in a separate library: without it the fake is an older DOCA. Any context is
 * a producer and a consumer.
 */
#include "fake_inside.h"

enum { PRODUCER_SEND = 2, CONSUMER_RECV = 7, PRODUCER_ID = 9 };

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

int doca_comch_consumer_task_post_recv_set_conf(struct doca_ctx *ctx, fake_completion_cb done, fake_completion_cb failed,
						uint32_t num_tasks);
int doca_comch_consumer_task_post_recv_alloc_init(struct doca_ctx *ctx, struct doca_buf *buf, struct doca_task **task);
struct doca_task *doca_comch_consumer_task_post_recv_as_task(struct doca_task *task);
void doca_comch_consumer_task_post_recv_set_buf(struct doca_task *task, struct doca_buf *buf);
uint32_t doca_comch_consumer_task_post_recv_get_producer_id(const struct doca_task *task);
const uint8_t *doca_comch_consumer_task_post_recv_get_imm_data(const struct doca_task *task);
uint32_t doca_comch_consumer_task_post_recv_get_imm_data_len(const struct doca_task *task);

int doca_comch_consumer_task_post_recv_set_conf(struct doca_ctx *ctx, fake_completion_cb done, fake_completion_cb failed,
						uint32_t num_tasks)
{
	return fake_set_conf(ctx, CONSUMER_RECV, done, failed, num_tasks);
}

int doca_comch_consumer_task_post_recv_alloc_init(struct doca_ctx *ctx, struct doca_buf *buf, struct doca_task **task)
{
	union doca_data none = { .ptr = NULL };

	return fake_alloc_init(ctx, CONSUMER_RECV, NULL, buf, none, task);
}

struct doca_task *doca_comch_consumer_task_post_recv_as_task(struct doca_task *task)
{
	return task;
}

void doca_comch_consumer_task_post_recv_set_buf(struct doca_task *task, struct doca_buf *buf)
{
	task->dst = buf;
}

uint32_t doca_comch_consumer_task_post_recv_get_producer_id(const struct doca_task *task)
{
	(void)task;
	return PRODUCER_ID;
}

const uint8_t *doca_comch_consumer_task_post_recv_get_imm_data(const struct doca_task *task)
{
	return task->ctx->immediate;
}

uint32_t doca_comch_consumer_task_post_recv_get_imm_data_len(const struct doca_task *task)
{
	return task->ctx->immediate_len;
}
