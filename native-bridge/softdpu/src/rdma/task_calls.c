/* Public functions of read and write tasks. */
#include "sd_rdma.h"
#include "sd_shape.h"

static doca_error_t set_conf(struct doca_rdma *rdma, const struct rdma_kind *kind, doca_task_completion_cb_t completed,
			     doca_task_completion_cb_t failed, uint32_t num_tasks)
{
	if (rdma == NULL || completed == NULL || failed == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (sd_context_require_idle(&rdma->ctx) != DOCA_SUCCESS)
		return DOCA_ERROR_BAD_STATE;
	if (num_tasks > RDMA_MAX_SEND_QUEUE_SIZE)
		return DOCA_ERROR_INVALID_VALUE;
	return sd_task_pool_configure(&rdma->ctx, &kind->operation, completed, failed, num_tasks);
}

static doca_error_t allocate(struct doca_rdma *rdma, const struct rdma_kind *kind, struct doca_rdma_connection *connection,
			     const struct doca_buf *src, struct doca_buf *dst, union doca_data user_data, struct rdma_task **task)
{
	struct doca_task *allocated;
	doca_error_t result;

	if (rdma == NULL || connection == NULL || task == NULL || connection->rdma != rdma)
		return DOCA_ERROR_INVALID_VALUE;
	result = sd_task_alloc(&rdma->ctx, &kind->operation, user_data, &allocated);
	if (result != DOCA_SUCCESS)
		return result;
	*task = (struct rdma_task *)allocated;
	(*task)->connection = connection;
	(*task)->src = src;
	(*task)->dst = dst;
	(*task)->executed_len = 0;
	return DOCA_SUCCESS;
}

/* Defines the public functions of a kind. */
#define RDMA_TASK(name)                                                                                                        \
	doca_error_t doca_rdma_task_##name##_set_conf(struct doca_rdma *rdma,                                                  \
						      doca_rdma_task_##name##_completion_cb_t successful_task_completion_cb,   \
						      doca_rdma_task_##name##_completion_cb_t error_task_completion_cb,        \
						      uint32_t num_tasks)                                                      \
	{                                                                                                                      \
		return set_conf(rdma, &rdma_##name, (doca_task_completion_cb_t)successful_task_completion_cb,                  \
				(doca_task_completion_cb_t)error_task_completion_cb, num_tasks);                               \
	}                                                                                                                      \
	doca_error_t doca_rdma_task_##name##_allocate_init(struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection, \
							   const struct doca_buf *src_buf, struct doca_buf *dst_buf,           \
							   union doca_data user_data, struct doca_rdma_task_##name **task)     \
	{                                                                                                                      \
		return allocate(rdma, &rdma_##name, rdma_connection, src_buf, dst_buf, user_data, (struct rdma_task **)task);  \
	}                                                                                                                      \
	struct doca_task *doca_rdma_task_##name##_as_task(struct doca_rdma_task_##name *task)                                  \
	{                                                                                                                      \
		return (struct doca_task *)task;                                                                               \
	}                                                                                                                      \
	SD_SETTER(doca_rdma_task_##name##_set_rdma_connection, struct doca_rdma_task_##name, struct doca_rdma_connection *,    \
		task.connection)                                                                                               \
	SD_PROPERTY(doca_rdma_task_##name##_get_rdma_connection, const struct doca_rdma_task_##name,                           \
		const struct doca_rdma_connection *, NULL, object->task.connection)                                            \
	SD_SETTER(doca_rdma_task_##name##_set_src_buf, struct doca_rdma_task_##name, const struct doca_buf *, task.src)        \
	SD_PROPERTY(doca_rdma_task_##name##_get_src_buf, const struct doca_rdma_task_##name, const struct doca_buf *, NULL,    \
		object->task.src)                                                                                              \
	SD_SETTER(doca_rdma_task_##name##_set_dst_buf, struct doca_rdma_task_##name, struct doca_buf *, task.dst)              \
	SD_PROPERTY(doca_rdma_task_##name##_get_dst_buf, const struct doca_rdma_task_##name, struct doca_buf *, NULL,          \
		object->task.dst)

RDMA_TASK(read)
RDMA_TASK(write)

SD_PROPERTY(doca_rdma_task_read_get_result_len, const struct doca_rdma_task_read, uint32_t, 0,
	(uint32_t)object->task.executed_len)
