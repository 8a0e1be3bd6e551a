/* Tasks of the comch fast path: buffers that consumers post and producers fill, with immediate data. */
#include <string.h>

#include "base/comch.h"
#include "base/symbols.h"
#include "kind/shapes.h"
#include "task/task.h"

typedef int (*alloc_post_recv)(void *object, struct doca_buf *buf, void **task);
typedef int (*alloc_produce)(void *object, const struct doca_buf *buf, uint8_t *imm_data, uint32_t imm_data_len,
			     uint32_t consumer_id, void **task);

int32_t bridge_receive_prepare(const struct bridge_pool *pool, const struct dpubridge_entry *entry)
{
	struct doca_buf *dst = bridge_buf(entry->dst_buf);

	(void)pool;
	return dst != NULL ? bridge_doca.buf_set_data(dst, (void *)(uintptr_t)entry->dst_addr, 0) : DOCA_ERROR_INVALID_VALUE;
}

static int32_t alloc_receive(const struct bridge_pool *pool, const struct dpubridge_entry *entry, union doca_data user_data,
			     void **task)
{
	int status = ((alloc_post_recv)pool->kind->call.alloc_init)(pool->object, bridge_buf(entry->dst_buf), task);

	if (status == DOCA_SUCCESS)
		bridge_comch.task_set_user_data(pool->kind->call.as_task(*task), user_data);
	return status;
}

static int32_t refill_receive(const struct bridge_kind *kind, void *task, const struct dpubridge_entry *entry)
{
	kind->call.set_buf(task, bridge_buf(entry->dst_buf));
	return DOCA_SUCCESS;
}

/* A consumer receives no more immediate data than it was configured for. If the consumer does, the status is TOO_BIG. */
static void describe_receive(const struct bridge_kind *kind, const void *task, struct dpubridge_record *record)
{
	const uint8_t *bytes = kind->call.get_imm_data(task);
	uint32_t len = bytes != NULL ? kind->call.get_imm_data_len(task) : 0;

	record->states = kind->call.get_producer_id(task);
	if (len > DPUBRIDGE_IMMEDIATE_BYTES) {
		record->status = DOCA_ERROR_TOO_BIG;
		len = DPUBRIDGE_IMMEDIATE_BYTES;
	}
	record->immediate_length = (uint8_t)len;
	if (len > 0)
		memcpy(record->immediate, bytes, len);
}

/* The immediate data goes into the first bytes of the entry, which the bridge ignores: a receive has no source. */
static int32_t deliver_receive(const struct bridge_kind *kind, const void *task, struct dpubridge_entry *entry,
			       struct dpubridge_result *result)
{
	const uint8_t *bytes = kind->call.get_imm_data(task);
	uint32_t len = bytes != NULL ? kind->call.get_imm_data_len(task) : 0;

	if (len > DPUBRIDGE_IMMEDIATE_BYTES)
		return DOCA_ERROR_TOO_BIG;
	result->checksum0 = kind->call.get_producer_id(task);
	result->checksum1 = len;
	if (len > 0)
		memcpy(entry, bytes, len);
	return DOCA_SUCCESS;
}
static_assert(offsetof(struct dpubridge_entry, dst_buf) >= DPUBRIDGE_IMMEDIATE_BYTES, "immediate data ends before dst_buf");

const struct bridge_shape bridge_shape_receive = {
	.prepare = bridge_receive_prepare,
	.alloc = alloc_receive,
	.refill = refill_receive,
	.describe = describe_receive,
	.takes_batches = true,
	.deliver = deliver_receive,
	.has_destination = true,
	.is_comch = true,
	.may_last = true,
};

static int32_t prepare_produce(const struct bridge_pool *pool, const struct dpubridge_entry *entry)
{
	struct doca_buf *src = bridge_buf(entry->src_buf);

	(void)pool;
	if (entry->flags > DPUBRIDGE_IMMEDIATE_BYTES || (entry->flags > 0 && entry->dst_addr == 0) ||
	    (entry->flags == 0 && src == NULL) || entry->argument > UINT32_MAX)
		return DOCA_ERROR_INVALID_VALUE;
	return src != NULL ? bridge_doca.buf_set_data(src, (void *)(uintptr_t)entry->src_addr, entry->src_len) : DOCA_SUCCESS;
}

static uint8_t *immediate_of(const struct dpubridge_entry *entry)
{
	return entry->flags > 0 ? (uint8_t *)(uintptr_t)entry->dst_addr : NULL;
}

static int32_t alloc_send(const struct bridge_pool *pool, const struct dpubridge_entry *entry, union doca_data user_data,
			  void **task)
{
	int status = ((alloc_produce)pool->kind->call.alloc_init)(pool->object, bridge_buf(entry->src_buf), immediate_of(entry),
								  entry->flags, (uint32_t)entry->argument, task);

	if (status == DOCA_SUCCESS)
		bridge_comch.task_set_user_data(pool->kind->call.as_task(*task), user_data);
	return status;
}

static int32_t refill_send(const struct bridge_kind *kind, void *task, const struct dpubridge_entry *entry)
{
	kind->call.set_buf(task, bridge_buf(entry->src_buf));
	kind->call.set_imm_data(task, immediate_of(entry), entry->flags);
	kind->call.set_consumer_id(task, (uint32_t)entry->argument);
	return DOCA_SUCCESS;
}

/* A send has no results. */
static int32_t deliver_nothing(const struct bridge_kind *kind, const void *task, struct dpubridge_entry *entry,
			       struct dpubridge_result *result)
{
	(void)kind;
	(void)task;
	(void)entry;
	result->checksum0 = 0;
	result->checksum1 = 0;
	return DOCA_SUCCESS;
}

const struct bridge_shape bridge_shape_produce = {
	.prepare = prepare_produce,
	.alloc = alloc_send,
	.refill = refill_send,
	.takes_batches = true,
	.deliver = deliver_nothing,
	.is_comch = true,
	.may_last = true,
	.key_mask = UINT64_MAX, /* argument: consumer id */
};
