/* Public functions of tasks of connections. */
#include "sd_rdma.h"
#include "sd_shape.h"

/* inputs: the members that the program sets. */
static doca_error_t allocate(struct doca_rdma *rdma, const struct rdma_kind *kind, const struct rdma_task *inputs,
			     union doca_data user_data, struct rdma_task **task)
{
	struct doca_task *allocated;
	doca_error_t result;

	if (rdma == NULL || inputs->connection == NULL || task == NULL || inputs->connection->rdma != rdma)
		return DOCA_ERROR_INVALID_VALUE;
	result = sd_task_alloc(&rdma->ctx, &kind->operation, user_data, &allocated);
	if (result != DOCA_SUCCESS)
		return result;
	*task = (struct rdma_task *)allocated;
	(*task)->connection = inputs->connection;
	(*task)->src = inputs->src;
	(*task)->dst = inputs->dst;
	(*task)->event = inputs->event;
	(*task)->operand = inputs->operand;
	(*task)->compared = inputs->compared;
	(*task)->immediate = inputs->immediate;
	(*task)->done = 0;
	(*task)->step.ctx = &rdma->ctx;
	return DOCA_SUCCESS;
}

/* Defines a member's setter and getter. value_type: in both. */
#define MEMBER(kind, name, value_type, none, member)                                                                  \
	SD_SETTER(doca_rdma_task_##kind##_set_##name, struct doca_rdma_task_##kind, value_type, task.member)           \
	SD_PROPERTY(doca_rdma_task_##kind##_get_##name, const struct doca_rdma_task_##kind, value_type, none, object->task.member)

/* Defines what all kinds have. */
#define TASK(kind)                                                                                                     \
	struct doca_rdma_task_##kind {                                                                                 \
		struct rdma_task task;                                                                                 \
	};                                                                                                             \
	SD_TASK_SET_CONF(doca_rdma_task_##kind, struct doca_rdma, &rdma_##kind.operation, RDMA_MAX_SEND_QUEUE_SIZE)    \
	SD_PART(doca_rdma_task_##kind##_as_task, struct doca_rdma_task_##kind, struct doca_task, task.base)            \
	SD_SETTER(doca_rdma_task_##kind##_set_rdma_connection, struct doca_rdma_task_##kind, struct doca_rdma_connection *, \
		task.connection)                                                                                       \
	SD_PROPERTY(doca_rdma_task_##kind##_get_rdma_connection, const struct doca_rdma_task_##kind,                   \
		const struct doca_rdma_connection *, NULL, object->task.connection)

/* Defines allocate_init. parameters: of its arguments between the connection and the user data. */
#define ALLOCATE(kind, parameters, are_valid, ...)                                                                     \
	doca_error_t doca_rdma_task_##kind##_allocate_init(struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection, \
							   parameters, union doca_data user_data,                      \
							   struct doca_rdma_task_##kind **task)                        \
	{                                                                                                              \
		const struct rdma_task inputs = { .connection = rdma_connection, __VA_ARGS__ };                        \
                                                                                                                       \
		return (are_valid) ? allocate(rdma, &rdma_##kind, &inputs, user_data, (struct rdma_task **)task) :     \
				     DOCA_ERROR_INVALID_VALUE;                                                         \
	}

#define PARAMETERS(...) __VA_ARGS__
#define SOURCE(kind) MEMBER(kind, src_buf, const struct doca_buf *, NULL, src)
#define DESTINATION(kind) MEMBER(kind, dst_buf, struct doca_buf *, NULL, dst)
#define IMMEDIATE(kind) MEMBER(kind, immediate_data, doca_be32_t, 0, immediate)
#define RESULT(kind) MEMBER(kind, result_buf, struct doca_buf *, NULL, dst)
#define RESULT_LEN(kind) \
	SD_PROPERTY(doca_rdma_task_##kind##_get_result_len, const struct doca_rdma_task_##kind, uint32_t, 0, (uint32_t)object->task.done)

TASK(read)
ALLOCATE(read, PARAMETERS(const struct doca_buf *src_buf, struct doca_buf *dst_buf), 1, .src = src_buf, .dst = dst_buf)
SOURCE(read)
DESTINATION(read)
RESULT_LEN(read)

TASK(write)
ALLOCATE(write, PARAMETERS(const struct doca_buf *src_buf, struct doca_buf *dst_buf), 1, .src = src_buf, .dst = dst_buf)
SOURCE(write)
DESTINATION(write)

TASK(write_imm)
ALLOCATE(write_imm, PARAMETERS(const struct doca_buf *src_buf, struct doca_buf *dst_buf, doca_be32_t immediate_data), 1,
	.src = src_buf, .dst = dst_buf, .immediate = immediate_data)
SOURCE(write_imm)
DESTINATION(write_imm)
IMMEDIATE(write_imm)

TASK(send)
ALLOCATE(send, PARAMETERS(const struct doca_buf *src_buf), 1, .src = src_buf)
SOURCE(send)

TASK(send_imm)
ALLOCATE(send_imm, PARAMETERS(const struct doca_buf *src_buf, doca_be32_t immediate_data), 1, .src = src_buf,
	.immediate = immediate_data)
SOURCE(send_imm)
IMMEDIATE(send_imm)

/* Atomic tasks: src is the program's remote "dst", dst its result buffer. */
#define REMOTE_NUMBER(kind)                                                                                            \
	void doca_rdma_task_##kind##_set_dst_buf(struct doca_rdma_task_##kind *task, struct doca_buf *dst_buf)         \
	{                                                                                                              \
		if (task != NULL)                                                                                      \
			task->task.src = dst_buf;                                                                      \
	}                                                                                                              \
	SD_PROPERTY(doca_rdma_task_##kind##_get_dst_buf, const struct doca_rdma_task_##kind, struct doca_buf *, NULL,  \
		(struct doca_buf *)(uintptr_t)object->task.src)

TASK(atomic_cmp_swp)
ALLOCATE(atomic_cmp_swp,
	PARAMETERS(struct doca_buf *dst_buf, struct doca_buf *result_buf, uint64_t cmp_data, uint64_t swap_data),
	dst_buf != NULL && result_buf != NULL, .src = dst_buf, .dst = result_buf, .compared = cmp_data, .operand = swap_data)
REMOTE_NUMBER(atomic_cmp_swp)
RESULT(atomic_cmp_swp)
MEMBER(atomic_cmp_swp, cmp_data, uint64_t, 0, compared)
MEMBER(atomic_cmp_swp, swap_data, uint64_t, 0, operand)

TASK(atomic_fetch_add)
ALLOCATE(atomic_fetch_add, PARAMETERS(struct doca_buf *dst_buf, struct doca_buf *result_buf, uint64_t add_data),
	dst_buf != NULL && result_buf != NULL, .src = dst_buf, .dst = result_buf, .operand = add_data)
REMOTE_NUMBER(atomic_fetch_add)
RESULT(atomic_fetch_add)
MEMBER(atomic_fetch_add, add_data, uint64_t, 0, operand)

TASK(remote_net_sync_event_get)
ALLOCATE(remote_net_sync_event_get, PARAMETERS(const struct doca_sync_event_remote_net *event, struct doca_buf *dst_buf),
	event != NULL && dst_buf != NULL, .event = (struct doca_sync_event_remote_net *)(uintptr_t)event, .dst = dst_buf)
DESTINATION(remote_net_sync_event_get)
RESULT_LEN(remote_net_sync_event_get)

void doca_rdma_task_remote_net_sync_event_get_set_sync_event(struct doca_rdma_task_remote_net_sync_event_get *task,
							     const struct doca_sync_event_remote_net *event)
{
	if (task != NULL)
		task->task.event = (struct doca_sync_event_remote_net *)(uintptr_t)event;
}

SD_PROPERTY(doca_rdma_task_remote_net_sync_event_get_get_sync_event, const struct doca_rdma_task_remote_net_sync_event_get,
	const struct doca_sync_event_remote_net *, NULL, object->task.event)

TASK(remote_net_sync_event_notify_set)
ALLOCATE(remote_net_sync_event_notify_set,
	PARAMETERS(struct doca_sync_event_remote_net *event, const struct doca_buf *src_buf), event != NULL && src_buf != NULL,
	.event = event, .src = src_buf)
SOURCE(remote_net_sync_event_notify_set)
MEMBER(remote_net_sync_event_notify_set, sync_event, struct doca_sync_event_remote_net *, NULL, event)

TASK(remote_net_sync_event_notify_add)
ALLOCATE(remote_net_sync_event_notify_add,
	PARAMETERS(struct doca_sync_event_remote_net *event, struct doca_buf *result_buf, uint64_t add_data),
	event != NULL && result_buf != NULL, .event = event, .dst = result_buf, .operand = add_data)
RESULT(remote_net_sync_event_notify_add)
MEMBER(remote_net_sync_event_notify_add, add_data, uint64_t, 0, operand)
MEMBER(remote_net_sync_event_notify_add, sync_event, struct doca_sync_event_remote_net *, NULL, event)
