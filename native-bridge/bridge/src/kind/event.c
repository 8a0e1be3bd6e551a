/*
 * Tasks of a sync event: they read, set, add to or wait for its value, and have no buffers. The bridge allocates one per entry.
 *
 *   argument   the value to set, to add or to compare with
 *   src_len    mask of a task that waits
 */
#include "kind/shapes.h"
#include "task/task.h"

typedef int (*alloc_get)(void *event, uint64_t *value, union doca_data user_data, void **task);
typedef int (*alloc_set)(void *event, uint64_t value, union doca_data user_data, void **task);
typedef int (*alloc_add)(void *event, uint64_t summand, uint64_t *before, union doca_data user_data, void **task);
typedef int (*alloc_wait)(void *event, uint64_t value, uint64_t mask, union doca_data user_data, void **task);
typedef uint64_t *(*result_getter)(const void *task);

enum { GET_RESULT };

static int32_t prepare(const struct bridge_pool *pool, const struct dpubridge_entry *entry)
{
	(void)pool;
	(void)entry;
	return DOCA_SUCCESS;
}

/* DOCA writes the result into the task's cell. */
static uint64_t *result_of(union doca_data user_data)
{
	return &((struct bridge_task *)user_data.ptr)->number;
}

static int32_t get(const struct bridge_pool *pool, const struct dpubridge_entry *entry, union doca_data user_data, void **task)
{
	(void)entry;
	return ((alloc_get)pool->kind->call.alloc_init)(pool->object, result_of(user_data), user_data, task);
}

static int32_t set(const struct bridge_pool *pool, const struct dpubridge_entry *entry, union doca_data user_data, void **task)
{
	return ((alloc_set)pool->kind->call.alloc_init)(pool->object, entry->argument, user_data, task);
}

static int32_t add(const struct bridge_pool *pool, const struct dpubridge_entry *entry, union doca_data user_data, void **task)
{
	return ((alloc_add)pool->kind->call.alloc_init)(pool->object, entry->argument, result_of(user_data), user_data, task);
}

static int32_t wait(const struct bridge_pool *pool, const struct dpubridge_entry *entry, union doca_data user_data, void **task)
{
	return ((alloc_wait)pool->kind->call.alloc_init)(pool->object, entry->argument, entry->src_len, user_data, task);
}

static void describe(const struct bridge_kind *kind, const void *task, struct dpubridge_record *record)
{
	record->produced = *((result_getter)kind->call.extra[GET_RESULT])(task);
}

const struct bridge_shape bridge_shape_event_get = {
	.extra = { [GET_RESULT] = "get_result" },
	.prepare = prepare,
	.alloc = get,
	.describe = describe,
};

const struct bridge_shape bridge_shape_event_set = {
	.prepare = prepare,
	.alloc = set,
};

const struct bridge_shape bridge_shape_event_add = {
	.extra = { [GET_RESULT] = "get_result" },
	.prepare = prepare,
	.alloc = add,
	.describe = describe,
};

const struct bridge_shape bridge_shape_event_wait = {
	.prepare = prepare,
	.alloc = wait,
	.may_last = true,
};
