/*
 * Partial hashes: the DOCA task of a session keeps its state over several submissions.
 *
 *   argument   bits 0 to 15 number of the task, 16 to 23 algorithm, 24 last part, 32 to 63 number of the session
 */
#include "kind/shapes.h"
#include "task/task.h"

typedef int (*alloc_partial)(void *object, int algorithm, const struct doca_buf *src, struct doca_buf *dst,
			     union doca_data user_data, void **task);
typedef int (*change)(void *task);

typedef const struct doca_buf *(*buf_getter)(const void *task);

enum { RESET, SET_IS_FINAL_BUF, GET_DST };

static int algorithm_of(const struct dpubridge_entry *entry)
{
	return (int)(entry->argument >> 16 & 0xff);
}

static bool is_last(const struct dpubridge_entry *entry)
{
	return (entry->argument >> 24 & 1) != 0;
}

/* DOCA accepts no session whose first part is its last. */
static int32_t alloc_session(const struct bridge_pool *pool, const struct dpubridge_entry *entry, union doca_data user_data,
			     void **task)
{
	if (is_last(entry))
		return DOCA_ERROR_BAD_STATE;
	return ((alloc_partial)pool->kind->call.alloc_init)(pool->object, algorithm_of(entry), bridge_buf(entry->src_buf),
							    bridge_buf(entry->dst_buf), user_data, task);
}

static int32_t begin_session(const struct bridge_kind *kind, void *task, const struct dpubridge_entry *entry)
{
	int status = is_last(entry) ? DOCA_ERROR_BAD_STATE : ((change)kind->call.extra[RESET])(task);

	if (status == DOCA_SUCCESS)
		status = kind->call.set_algorithm(task, algorithm_of(entry));
	if (status == DOCA_SUCCESS)
		status = kind->call.try_set_dst(task, bridge_buf(entry->dst_buf));
	if (status == DOCA_SUCCESS)
		status = kind->call.try_set_src(task, bridge_buf(entry->src_buf));
	return status;
}

/* The destination of a session cannot change: a digest in another buffer would reach a buffer that has another holder. */
static int32_t continue_session(const struct bridge_kind *kind, void *task, const struct dpubridge_entry *entry)
{
	int status;

	if (((buf_getter)kind->call.extra[GET_DST])(task) != bridge_buf(entry->dst_buf))
		return DOCA_ERROR_INVALID_VALUE;
	status = kind->call.try_set_src(task, bridge_buf(entry->src_buf));
	if (status == DOCA_SUCCESS && is_last(entry))
		status = ((change)kind->call.extra[SET_IS_FINAL_BUF])(task);
	return status;
}

const struct bridge_shape bridge_shape_session = {
	.extra = { [RESET] = "reset", [SET_IS_FINAL_BUF] = "set_is_final_buf", [GET_DST] = "get_dst" },
	.prepare = bridge_transform_prepare,
	.alloc = alloc_session,
	.begin = begin_session,
	.refill = continue_session,
	.has_destination = true,
	.counts_in_powers = true,
};
