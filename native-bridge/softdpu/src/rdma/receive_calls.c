/* Public functions of receive tasks. */
#include "sd_rdma.h"
#include "sd_shape.h"

struct doca_rdma_task_receive {
	struct rdma_task task;
};

SD_TASK_SET_CONF(doca_rdma_task_receive, struct doca_rdma, &rdma_receive, RDMA_MAX_SEND_QUEUE_SIZE)

doca_error_t doca_rdma_task_receive_allocate_init(struct doca_rdma *rdma, struct doca_buf *dst_buf, union doca_data user_data,
						  struct doca_rdma_task_receive **task)
{
	struct doca_task *allocated;
	doca_error_t result;

	if (rdma == NULL || task == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	result = sd_task_alloc(&rdma->ctx, &rdma_receive, user_data, &allocated);
	if (result != DOCA_SUCCESS)
		return result;
	*task = (struct doca_rdma_task_receive *)allocated;
	(*task)->task.dst = dst_buf;
	(*task)->task.connection = NULL;
	(*task)->task.done = 0;
	(*task)->task.step.ctx = &rdma->ctx;
	return DOCA_SUCCESS;
}

SD_PART(doca_rdma_task_receive_as_task, struct doca_rdma_task_receive, struct doca_task, task.base)
SD_SETTER(doca_rdma_task_receive_set_dst_buf, struct doca_rdma_task_receive, struct doca_buf *, task.dst)
SD_PROPERTY(doca_rdma_task_receive_get_dst_buf, const struct doca_rdma_task_receive, struct doca_buf *, NULL, object->task.dst)
SD_PROPERTY(doca_rdma_task_receive_get_result_immediate_data, const struct doca_rdma_task_receive, doca_be32_t, 0,
	object->task.immediate)
SD_PROPERTY(doca_rdma_task_receive_get_result_len, const struct doca_rdma_task_receive, uint32_t, 0,
	(uint32_t)object->task.done)
SD_PROPERTY(doca_rdma_task_receive_get_result_opcode, const struct doca_rdma_task_receive, enum doca_rdma_opcode,
	DOCA_RDMA_OPCODE_RECV_SEND, object->task.opcode)
SD_PROPERTY(doca_rdma_task_receive_get_result_rdma_connection, const struct doca_rdma_task_receive,
	const struct doca_rdma_connection *, NULL, object->task.connection)
SD_GETTER(doca_rdma_task_receive_get_dst_buf_list_len, const struct doca_rdma, uint32_t, object->receive_list_len)
SD_STORE_IF(doca_rdma_task_receive_set_dst_buf_list_len, struct doca_rdma, uint32_t, value > 0 && value <= RDMA_MAX_LIST_LEN,
	object->ctx.state == DOCA_CTX_STATE_IDLE, DOCA_ERROR_BAD_STATE, receive_list_len)
