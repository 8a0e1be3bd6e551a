/* Rows of the tasks on an RDMA connection. The operand of all tasks is the connection; rdma_client.c sets it. */
#include "rdma.h"
#include "work_inside.h"

static doca_error_t create(struct doca_dev *dev, void **object, struct doca_ctx **ctx)
{
	struct doca_rdma *rdma;
	doca_error_t result = doca_rdma_create(dev, &rdma);

	if (result != DOCA_SUCCESS)
		return result;
	*object = rdma;
	*ctx = doca_rdma_as_ctx(rdma);
	return DOCA_SUCCESS;
}

static doca_error_t destroy(void *object)
{
	return doca_rdma_destroy(object);
}

static size_t dst_len(size_t src_len)
{
	return src_len;
}

/* Defines the functions of one row. buffers: arguments of allocate_init; setters: statements for a task that is used again */
#define RDMA_KIND(verb, arguments, setters)											\
	static void done_##verb(struct doca_rdma_task_##verb *typed, union doca_data task_data, union doca_data ctx_data)	\
	{															\
		(void)typed;													\
		work_on_done(task_data, ctx_data);										\
	}															\
	static void failed_##verb(struct doca_rdma_task_##verb *typed, union doca_data task_data, union doca_data ctx_data)	\
	{															\
		work_on_failed(doca_rdma_task_##verb##_as_task(typed), task_data, ctx_data);					\
	}															\
	static doca_error_t alloc_##verb(void *object, void *operand, const struct work_buffers *buffers,			\
					 union doca_data user_data, struct work_slot *slot)					\
	{															\
		struct doca_rdma_task_##verb *typed;										\
		doca_error_t result = doca_rdma_task_##verb##_allocate_init(object, operand, arguments, user_data, &typed);	\
																\
		if (result != DOCA_SUCCESS)											\
			return result;												\
		slot->typed = typed;												\
		slot->task = doca_rdma_task_##verb##_as_task(typed);								\
		return DOCA_SUCCESS;												\
	}															\
	static void set_##verb(void *typed, const struct work_buffers *buffers)							\
	{															\
		setters													\
	}

#define RDMA_BOTH buffers->src, buffers->dst
#define RDMA_SET_BOTH(verb)									\
	doca_rdma_task_##verb##_set_src_buf(typed, buffers->src);				\
	doca_rdma_task_##verb##_set_dst_buf(typed, buffers->dst);

RDMA_KIND(write, RDMA_BOTH, RDMA_SET_BOTH(write))
RDMA_KIND(read, RDMA_BOTH, RDMA_SET_BOTH(read))
RDMA_KIND(send, buffers->src, doca_rdma_task_send_set_src_buf(typed, buffers->src);)

/* One context executes the tasks of all rows, one row at a time. */
static doca_error_t configure(void *object, uint32_t num_tasks)
{
	doca_error_t result = doca_rdma_task_write_set_conf(object, done_write, failed_write, num_tasks);

	if (result == DOCA_SUCCESS)
		result = doca_rdma_task_read_set_conf(object, done_read, failed_read, num_tasks);
	if (result == DOCA_SUCCESS)
		result = doca_rdma_task_send_set_conf(object, done_send, failed_send, num_tasks);
	if (result == DOCA_SUCCESS)
		result = rdma_inbox_configure(object, RDMA_CLIENT_RECEIVES);
	return result == DOCA_SUCCESS ? rdma_client_configure(object) : result;
}

#define RDMA_ROW(verb) {								\
	.name = #verb,									\
	.wanted = "a device with RDMA",							\
	.suits = rdma_suits,								\
	.dst_len = dst_len,								\
	.create = create,								\
	.destroy = destroy,								\
	.configure = configure,								\
	.alloc = alloc_##verb,								\
	.set = set_##verb,								\
}

const struct work_kind work_rdma_write = RDMA_ROW(write);
const struct work_kind work_rdma_read = RDMA_ROW(read);
const struct work_kind work_rdma_send = RDMA_ROW(send);
