/*
 * Consumers and producers for tests, each with separate memory: slot n has DATA_SLOT bytes. data_close() destroys an IDLE one.
 */
#ifndef COMCH_DATA_H
#define COMCH_DATA_H

#include "comch_rig.h"

enum { DATA_SLOT = 96 << 10 /* more than the capacity of a stage */, DATA_SLOTS = 16, DATA_TASKS = 16, DATA_MAX_ENDED = 4096 };

struct data {
	struct doca_pe *pe;
	struct doca_comch_consumer *consumer;	/* either a consumer or a producer */
	struct doca_comch_producer *producer;
	struct doca_ctx *ctx;
	uint32_t id;
	uint8_t *memory;
	struct doca_mmap *map;
	struct doca_buf_inventory *inventory;
	int completed, failed;
	doca_error_t last_status, last_error;
	uint64_t order[DATA_MAX_ENDED];		/* user data of ended tasks */
	size_t last_data_len;
	uint32_t last_producer, last_imm_len;
	uint8_t last_imm[32];
	enum doca_ctx_states states[RIG_MAX_STATES];
	int num_states;
	void (*on_ended)(struct data *data, struct doca_task *task);
};

RIG void data_ended(struct data *data, struct doca_task *task)
{
	data->last_status = doca_task_get_status(task);
	data->order[(data->completed + data->failed) % DATA_MAX_ENDED] = doca_task_get_user_data(task).u64;
	if (data->last_status == DOCA_SUCCESS) {
		data->completed++;
	} else {
		data->failed++;
		data->last_error = data->last_status;
	}
	if (data->on_ended != NULL)
		data->on_ended(data, task);
	else
		doca_task_free(task);
}

RIG void data_received(struct doca_comch_consumer_task_post_recv *task, union doca_data task_data, union doca_data ctx_data)
{
	struct data *data = ctx_data.ptr;

	(void)task_data;
	data->last_data_len = rig_data_len(doca_comch_consumer_task_post_recv_get_buf(task));
	data->last_producer = doca_comch_consumer_task_post_recv_get_producer_id(task);
	data->last_imm_len = doca_comch_consumer_task_post_recv_get_imm_data_len(task);
	if (data->last_imm_len > 0)
		memcpy(data->last_imm, doca_comch_consumer_task_post_recv_get_imm_data(task), data->last_imm_len);
	rig_drop(doca_comch_consumer_task_post_recv_get_buf(task));
	data_ended(data, doca_comch_consumer_task_post_recv_as_task(task));
}

RIG void data_sent(struct doca_comch_producer_task_send *task, union doca_data task_data, union doca_data ctx_data)
{
	(void)task_data;
	data_ended(ctx_data.ptr, doca_comch_producer_task_send_as_task(task));
}

RIG void data_state_changed(const union doca_data user_data, struct doca_ctx *ctx, enum doca_ctx_states previous,
			    enum doca_ctx_states next)
{
	struct data *data = user_data.ptr;

	(void)ctx;
	(void)previous;
	data->states[data->num_states++ % RIG_MAX_STATES] = next;
}

RIG void data_open_memory(struct data *data, struct side *side, struct doca_pe *pe, uint32_t permissions)
{
	memset(data, 0, sizeof(*data));
	data->pe = pe;
	data->memory = calloc(DATA_SLOTS, DATA_SLOT);
	CHECK(data->memory != NULL);
	CHECK_OK(doca_mmap_create(&data->map));
	CHECK_OK(doca_mmap_set_memrange(data->map, data->memory, (size_t)DATA_SLOTS * DATA_SLOT));
	CHECK_OK(doca_mmap_set_permissions(data->map, permissions));
	CHECK_OK(doca_mmap_add_dev(data->map, side->dev));
	CHECK_OK(doca_mmap_start(data->map));
	CHECK_OK(doca_buf_inventory_create(256, &data->inventory));
	CHECK_OK(doca_buf_inventory_start(data->inventory));
}

RIG void data_configure(struct data *data)
{
	union doca_data user_data = { .ptr = data };

	CHECK_OK(doca_pe_connect_ctx(data->pe, data->ctx));
	CHECK_OK(doca_ctx_set_user_data(data->ctx, user_data));
	CHECK_OK(doca_ctx_set_state_changed_cb(data->ctx, data_state_changed));
}

/* Creates a consumer on the side's connection; not started. */
RIG void data_create_consumer(struct data *data, struct side *side, struct doca_pe *pe)
{
	data_open_memory(data, side, pe, DOCA_ACCESS_FLAG_PCI_READ_WRITE);
	CHECK_OK(doca_comch_consumer_create(side->connection, data->map, &data->consumer));
	data->ctx = doca_comch_consumer_as_ctx(data->consumer);
	CHECK_OK(doca_comch_consumer_get_id(data->consumer, &data->id));
	CHECK(data->id != 0);
	CHECK_OK(doca_comch_consumer_task_post_recv_set_conf(data->consumer, data_received, data_received, DATA_TASKS));
	data_configure(data);
}

/* Creates and starts a producer. */
RIG void data_open_producer(struct data *data, struct side *side, struct doca_pe *pe)
{
	data_open_memory(data, side, pe, DOCA_ACCESS_FLAG_PCI_READ_ONLY);
	CHECK_OK(doca_comch_producer_create(side->connection, &data->producer));
	data->ctx = doca_comch_producer_as_ctx(data->producer);
	CHECK_OK(doca_comch_producer_get_id(data->producer, &data->id));
	CHECK(data->id != 0);
	CHECK_OK(doca_comch_producer_task_send_set_conf(data->producer, data_sent, data_sent, DATA_TASKS));
	data_configure(data);
	CHECK_OK(doca_ctx_start(data->ctx));
}

RIG enum doca_ctx_states data_state(const struct data *data)
{
	enum doca_ctx_states state;

	CHECK_OK(doca_ctx_get_state(data->ctx, &state));
	return state;
}

/* Posts slot n, or len bytes of it; the buffer is released when the task ends. */
RIG doca_error_t data_post(struct data *data, uint64_t n, size_t len)
{
	struct doca_comch_consumer_task_post_recv *task;
	union doca_data user_data = { .u64 = n };
	struct doca_buf *buf;
	doca_error_t result;

	CHECK_OK(doca_buf_inventory_buf_get_by_addr(data->inventory, data->map, data->memory + n % DATA_SLOTS * DATA_SLOT, len,
						    &buf));
	result = doca_comch_consumer_task_post_recv_alloc_init(data->consumer, buf, &task);
	if (result != DOCA_SUCCESS) {
		rig_drop(buf);
		return result;
	}
	doca_task_set_user_data(doca_comch_consumer_task_post_recv_as_task(task), user_data);
	result = doca_task_submit(doca_comch_consumer_task_post_recv_as_task(task));
	CHECK_OK(result);
	return result;
}

/* Sends len bytes of slot n to a consumer; the buffer is released while the task is in flight. */
RIG doca_error_t data_send(struct data *data, uint64_t n, size_t len, const void *imm, uint32_t imm_len, uint32_t consumer_id)
{
	struct doca_comch_producer_task_send *task;
	union doca_data user_data = { .u64 = n };
	struct doca_buf *buf = NULL;
	doca_error_t result;

	if (len > 0)
		CHECK_OK(doca_buf_inventory_buf_get_by_data(data->inventory, data->map,
							    data->memory + n % DATA_SLOTS * DATA_SLOT, len, &buf));
	result = doca_comch_producer_task_send_alloc_init(data->producer, buf, (uint8_t *)(uintptr_t)imm, imm_len, consumer_id,
							  &task);
	if (result == DOCA_SUCCESS) {
		doca_task_set_user_data(doca_comch_producer_task_send_as_task(task), user_data);
		result = doca_task_submit(doca_comch_producer_task_send_as_task(task));
		if (result != DOCA_SUCCESS)
			doca_task_free(doca_comch_producer_task_send_as_task(task));
	}
	if (buf != NULL)
		rig_drop(buf);
	return result;
}

RIG void data_stop(struct data *data, struct side *one, struct side *other)
{
	doca_error_t result = doca_ctx_stop(data->ctx);

	CHECK(result == DOCA_SUCCESS || result == DOCA_ERROR_IN_PROGRESS);
	SIDE_PROGRESS_UNTIL(one, other, (doca_pe_progress(data->pe), data_state(data) == DOCA_CTX_STATE_IDLE));
}

RIG void data_close(struct data *data)
{
	if (data->consumer != NULL)
		CHECK_OK(doca_comch_consumer_destroy(data->consumer));
	else
		CHECK_OK(doca_comch_producer_destroy(data->producer));
	CHECK_OK(doca_buf_inventory_destroy(data->inventory));
	CHECK_OK(doca_mmap_destroy(data->map));
	free(data->memory);
}

/* Starts a consumer and waits until it is RUNNING and the other side has its event. */
RIG void data_start_consumer(struct data *data, struct side *one, struct side *other)
{
	CHECK_ERROR(doca_ctx_start(data->ctx), DOCA_ERROR_IN_PROGRESS);
	SIDE_PROGRESS_UNTIL(one, other, (doca_pe_progress(data->pe), data_state(data) == DOCA_CTX_STATE_RUNNING));
}

#endif
