/*
 * Tasks of RDMA contexts. A task on a connection is allocated for each entry: allocate_init takes all that setters would.
 *
 *   argument   bits 0 to 31 connection handle, 32 to 63 immediate data
 *   src_len    of an atomic task: address of a struct dpubridge_atomic
 *
 * A task on a sync event of the peer has one buffer, for the value. The other address is that of the event.
 */
#include <string.h>

#include "base/rdma.h"
#include "base/symbols.h"
#include "connection/rdma.h"
#include "kind/shapes.h"
#include "task/task.h"

typedef int (*alloc_receive_task)(void *object, struct doca_buf *dst, union doca_data user_data, void **task);

static struct doca_rdma_connection *peer_of(const struct bridge_pool *pool, const struct dpubridge_entry *entry)
{
	return bridge_rdma_peer(pool, (uint32_t)entry->argument);
}

static uint32_t immediate_of(const struct dpubridge_entry *entry)
{
	return htobe32((uint32_t)(entry->argument >> 32));
}

/* Sets the contents of the buffers that the entry has. */
static int32_t set_contents(const struct bridge_pool *pool, const struct dpubridge_entry *entry, uint64_t src_len)
{
	struct doca_buf *src = bridge_buf(entry->src_buf), *dst = bridge_buf(entry->dst_buf);
	int status = peer_of(pool, entry) != NULL ? DOCA_SUCCESS : DOCA_ERROR_NOT_CONNECTED;

	if (status == DOCA_SUCCESS && src != NULL)
		status = bridge_doca.buf_set_data(src, (void *)(uintptr_t)entry->src_addr, src_len);
	if (status == DOCA_SUCCESS && dst != NULL)
		status = bridge_doca.buf_set_data(dst, (void *)(uintptr_t)entry->dst_addr, 0);
	return status;
}

static int32_t prepare(const struct bridge_pool *pool, const struct dpubridge_entry *entry)
{
	return set_contents(pool, entry, entry->src_len);
}

/* Defines alloc of a shape. types: of the arguments between the connection and the user data; the arguments follow. */
#define ALLOC(name, types, ...)                                                                                             \
	static int32_t name(const struct bridge_pool *pool, const struct dpubridge_entry *entry, union doca_data user_data, \
			    void **task)                                                                                    \
	{                                                                                                                   \
		typedef int (*function)(void *object, struct doca_rdma_connection *connection, types, union doca_data user_data, \
					void **task);                                                                       \
                                                                                                                            \
		return ((function)pool->kind->call.alloc_init)(pool->object, peer_of(pool, entry), __VA_ARGS__, user_data, task); \
	}

#define TYPES(...) __VA_ARGS__

static struct doca_buf *src_of(const struct dpubridge_entry *entry)
{
	return bridge_buf(entry->src_buf);
}

static struct doca_buf *dst_of(const struct dpubridge_entry *entry)
{
	return bridge_buf(entry->dst_buf);
}

ALLOC(alloc_send, const struct doca_buf *, src_of(entry))
ALLOC(alloc_send_imm, TYPES(const struct doca_buf *, uint32_t), src_of(entry), immediate_of(entry))
ALLOC(alloc_copy, TYPES(const struct doca_buf *, struct doca_buf *), src_of(entry), dst_of(entry))
ALLOC(alloc_write_imm, TYPES(const struct doca_buf *, struct doca_buf *, uint32_t), src_of(entry), dst_of(entry), immediate_of(entry))

/* Tasks of one connection keep their order, also of different kinds: the key is the handle. */
#define OF_CONNECTION .key_mask = UINT32_MAX, .shares_queue = true, .may_last = true

const struct bridge_shape bridge_shape_rdma_send = { .prepare = prepare, .alloc = alloc_send, .takes_batches = true, OF_CONNECTION };
const struct bridge_shape bridge_shape_rdma_send_imm = { .prepare = prepare, .alloc = alloc_send_imm, OF_CONNECTION };
const struct bridge_shape bridge_shape_rdma_read = { .prepare = prepare, .alloc = alloc_copy, .has_destination = true,
						     .takes_batches = true, OF_CONNECTION };
const struct bridge_shape bridge_shape_rdma_write = { .prepare = prepare, .alloc = alloc_copy, .takes_batches = true,
						      OF_CONNECTION };
const struct bridge_shape bridge_shape_rdma_write_imm = { .prepare = prepare, .alloc = alloc_write_imm, OF_CONNECTION };

static const struct dpubridge_atomic *atomic_of(const struct dpubridge_entry *entry)
{
	return (const struct dpubridge_atomic *)(uintptr_t)entry->src_len;
}

static int32_t prepare_atomic(const struct bridge_pool *pool, const struct dpubridge_entry *entry)
{
	if (atomic_of(entry) == NULL || entry->src_buf == 0 || entry->dst_buf == 0)
		return DOCA_ERROR_INVALID_VALUE;
	return set_contents(pool, entry, sizeof(uint64_t));
}

ALLOC(alloc_compare, TYPES(struct doca_buf *, struct doca_buf *, uint64_t, uint64_t), src_of(entry), dst_of(entry),
      atomic_of(entry)->compared, atomic_of(entry)->operand)
ALLOC(alloc_fetch, TYPES(struct doca_buf *, struct doca_buf *, uint64_t), src_of(entry), dst_of(entry), atomic_of(entry)->operand)

const struct bridge_shape bridge_shape_rdma_cmp_swp = {
	.prepare = prepare_atomic,
	.alloc = alloc_compare,
	.has_destination = true,
	OF_CONNECTION,
};
const struct bridge_shape bridge_shape_rdma_fetch_add = {
	.prepare = prepare_atomic,
	.alloc = alloc_fetch,
	.has_destination = true,
	OF_CONNECTION,
};

enum { EVENT_RESULT, EVENT_DATA };

typedef struct doca_buf *(*result_getter)(const void *task);
typedef int (*data_getter)(const struct doca_buf *buf, void **data);

static void *address(uint64_t value)
{
	return (void *)(uintptr_t)value;
}

static int32_t prepare_event_result(const struct bridge_pool *pool, const struct dpubridge_entry *entry)
{
	if (entry->src_buf != 0 || entry->dst_buf == 0 || entry->src_addr == 0)
		return DOCA_ERROR_INVALID_VALUE;
	return set_contents(pool, entry, 0);
}

static int32_t prepare_event_value(const struct bridge_pool *pool, const struct dpubridge_entry *entry)
{
	if (entry->src_buf == 0 || entry->dst_buf != 0 || entry->dst_addr == 0)
		return DOCA_ERROR_INVALID_VALUE;
	return set_contents(pool, entry, sizeof(uint64_t));
}

ALLOC(alloc_event_get, TYPES(void *, struct doca_buf *), address(entry->src_addr), dst_of(entry))
ALLOC(alloc_event_set, TYPES(void *, struct doca_buf *), address(entry->dst_addr), src_of(entry))
ALLOC(alloc_event_summand, TYPES(void *, struct doca_buf *, uint64_t), address(entry->src_addr), dst_of(entry), entry->src_len)

/* The device has written the value to the beginning of the buffer's content. */
static void describe_event(const struct bridge_kind *kind, const void *task, struct dpubridge_record *record)
{
	const struct doca_buf *buf = ((result_getter)kind->call.extra[EVENT_RESULT])(task);
	void *data = NULL;

	if (((data_getter)kind->call.extra[EVENT_DATA])(buf, &data) == DOCA_SUCCESS)
		memcpy(&record->produced, data, sizeof(record->produced));
}

#define EVENT_WITH_RESULT                                                                \
	.extra = { [EVENT_RESULT] = "get_result", [EVENT_DATA] = "doca_buf_get_data" }, \
	.prepare = prepare_event_result, .describe = describe_event

const struct bridge_shape bridge_shape_rdma_event_get = { EVENT_WITH_RESULT, .alloc = alloc_event_get, OF_CONNECTION };
const struct bridge_shape bridge_shape_rdma_event_set = { .prepare = prepare_event_value, .alloc = alloc_event_set,
							  OF_CONNECTION };
const struct bridge_shape bridge_shape_rdma_event_add = { EVENT_WITH_RESULT, .alloc = alloc_event_summand, OF_CONNECTION };

enum { OPCODE, IMMEDIATE, LENGTH, CONNECTION };

typedef int (*opcode_getter)(const void *task);
typedef uint32_t (*number_getter)(const void *task);
typedef const struct doca_rdma_connection *(*connection_getter)(const void *task);

static int32_t alloc_receive(const struct bridge_pool *pool, const struct dpubridge_entry *entry, union doca_data user_data,
			     void **task)
{
	return ((alloc_receive_task)pool->kind->call.alloc_init)(pool->object, bridge_buf(entry->dst_buf), user_data, task);
}

static int32_t refill_receive(const struct bridge_kind *kind, void *task, const struct dpubridge_entry *entry)
{
	kind->call.set_dst(task, bridge_buf(entry->dst_buf));
	return DOCA_SUCCESS;
}

/* The user data of a connection is its handle. */
static void describe_receive(const struct bridge_kind *kind, const void *task, struct dpubridge_record *record)
{
	const struct doca_rdma_connection *connection = ((connection_getter)kind->call.extra[CONNECTION])(task);
	union doca_data data = { .u64 = 0 };

	if (connection != NULL && bridge_rdma.connection_get_user_data(connection, &data) == DOCA_SUCCESS)
		record->states = (uint32_t)data.u64;
	record->produced = ((number_getter)kind->call.extra[LENGTH])(task);
	record->checksum0 = be32toh(((number_getter)kind->call.extra[IMMEDIATE])(task));
	record->checksum1 = (uint32_t)((opcode_getter)kind->call.extra[OPCODE])(task);
}

const struct bridge_shape bridge_shape_rdma_receive = {
	.extra = { [OPCODE] = "get_result_opcode", [IMMEDIATE] = "get_result_immediate_data", [LENGTH] = "get_result_len",
		   [CONNECTION] = "get_result_rdma_connection" },
	.prepare = bridge_receive_prepare,
	.alloc = alloc_receive,
	.refill = refill_receive,
	.describe = describe_receive,
	.may_last = true,
};
