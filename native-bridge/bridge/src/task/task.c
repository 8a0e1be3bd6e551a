#include "task/task.h"

#include <stdlib.h>
#include <string.h>

void bridge_task_describe(const struct bridge_task *task, bool has_failed, struct dpubridge_record *record)
{
	const struct bridge_kind *kind = task->pool->kind;
	size_t produced = 0;

	record->user_data = task->user_data;
	record->context = task->pool->context;
	record->type = has_failed ? DPUBRIDGE_RECORD_TASK_FAILED : DPUBRIDGE_RECORD_TASK_DONE;
	record->immediate_length = 0;
	record->kind = task->pool->kind_number;
	record->status = has_failed ? bridge_doca.task_get_status(task->base) : DOCA_SUCCESS;
	record->states = 0;
	if (!has_failed && task->dst != NULL)
		bridge_doca.buf_get_data_len(task->dst, &produced);
	record->produced = produced;
	memset(record->immediate, 0, sizeof(record->immediate));
	if (!has_failed && kind->shape->describe != NULL)
		kind->shape->describe(kind, task->object, record);
}

static struct bridge_task *pop(struct bridge_task **list)
{
	struct bridge_task *task = *list;

	if (task != NULL)
		*list = task->next;
	return task;
}

static void free_task(struct bridge_pool *pool, struct bridge_task *task)
{
	struct doca_task *base = task->base;

	task->object = NULL;
	task->base = NULL;
	if (pool->kind->shape->begin == NULL)
		bridge_task_push(&pool->bare, task);
	pool->num_allocated--;
	/* Last: this call may take the context to IDLE. */
	bridge_doca.task_free(base);
}

void bridge_task_retire(struct bridge_task *task)
{
	struct bridge_pool *pool = task->pool;

	task->next = NULL;
	if (pool->is_draining || pool->kind->shape->refill == NULL)
		free_task(pool, task);
	else if (pool->kind->shape->begin == NULL)
		bridge_pool_keep(pool, task);
}

static int32_t refill_kept(struct bridge_pool *pool, const struct dpubridge_entry *entry, struct bridge_task **out)
{
	struct bridge_task *task = pool->kept;
	int32_t status;

	bridge_pool_take_kept(pool);
	status = pool->kind->shape->refill(pool->kind, task->object, entry);
	if (status != DOCA_SUCCESS)
		free_task(pool, task);
	else
		*out = task;
	return status;
}

static int32_t alloc_task(struct bridge_pool *pool, const struct dpubridge_entry *entry, struct bridge_task *task)
{
	const struct bridge_kind *kind = pool->kind;
	int32_t status = kind->shape->alloc(pool, entry, (union doca_data){ .ptr = task }, &task->object);

	if (status != DOCA_SUCCESS) {
		task->object = NULL;
		return status;
	}
	task->base = kind->call.as_task(task->object);
	pool->num_allocated++;
	return DOCA_SUCCESS;
}

/* Sets the task of the entry's session. An error at a later part leaves the state of the session. */
static int32_t take_of_session(struct bridge_pool *pool, const struct dpubridge_entry *entry, struct bridge_task **out)
{
	const struct bridge_shape *shape = pool->kind->shape;
	uint32_t number = entry->argument & UINT16_MAX, session = (uint32_t)(entry->argument >> 32);
	struct bridge_task *task;
	int32_t status;

	if (number >= pool->num_cells || session == 0)
		return DOCA_ERROR_INVALID_VALUE;
	task = &pool->cells[number];
	if (bridge_task_is_in_flight(task))
		return DOCA_ERROR_IN_USE;
	if (task->object == NULL)
		status = alloc_task(pool, entry, task);
	else
		status = (task->session == session ? shape->refill : shape->begin)(pool->kind, task->object, entry);
	if (status != DOCA_SUCCESS)
		return status;
	task->session = session;
	*out = task;
	return DOCA_SUCCESS;
}

int32_t bridge_task_take(struct bridge_pool *pool, const struct dpubridge_entry *entry, struct bridge_task **out)
{
	struct bridge_task *task;
	int32_t status;

	if (pool->kind->shape->begin != NULL)
		return take_of_session(pool, entry, out);
	if (pool->kept != NULL)
		return refill_kept(pool, entry, out);
	task = pop(&pool->bare);
	if (task == NULL)
		return DOCA_ERROR_NO_MEMORY;
	status = alloc_task(pool, entry, task);
	if (status != DOCA_SUCCESS)
		bridge_task_push(&pool->bare, task);
	else
		*out = task;
	return status;
}

int32_t bridge_task_submit(struct bridge_pool *pool, const struct dpubridge_entry *entry)
{
	struct bridge_task *task;
	int32_t status = pool->kind->shape->prepare(pool, entry);

	if (status == DOCA_SUCCESS)
		status = bridge_task_take(pool, entry, &task);
	if (status != DOCA_SUCCESS)
		return status;
	task->user_data = entry->user_data;
	task->batch = NULL;
	task->tag = 0;
	task->dst = pool->kind->shape->has_destination ? bridge_buf(entry->dst_buf) : NULL;
	status = bridge_task_launch(pool, task);
	if (status == DOCA_SUCCESS)
		bridge_count(pool->bridge, DPUBRIDGE_COUNTER_SUBMITTED);
	else
		task->user_data = DPUBRIDGE_NO_TASK; /* for a second report of the previous entry */
	return status;
}

static void fill_cells(struct bridge_pool *pool, uint32_t num_tasks)
{
	uint32_t i;

	/* Downwards, so that the list is in memory order. */
	for (i = num_tasks; i-- > 0;) {
		struct bridge_task *task = &pool->cells[i];

		task->pool = pool;
		task->overflow.is_task = true;
		bridge_task_push(&pool->bare, task);
	}
}

static struct bridge_task *alloc_cells(uint32_t num_tasks)
{
	size_t bytes = num_tasks * sizeof(struct bridge_task);
	struct bridge_task *cells = aligned_alloc(alignof(struct bridge_task), bytes);

	if (cells != NULL)
		memset(cells, 0, bytes);
	return cells;
}

/* Rounds the number of tasks up to a power of two where set_conf counts in powers. */
static int32_t set_conf(const struct bridge_pool *pool, doca_completion_cb done, doca_completion_cb failed, uint32_t num_tasks)
{
	const struct bridge_kind *kind = pool->kind;
	uint8_t log_num_tasks = num_tasks == 1 ? 0 : (uint8_t)(32 - __builtin_clz(num_tasks - 1));

	return kind->shape->counts_in_powers ? kind->call.set_conf_power(pool->object, done, failed, log_num_tasks)
					     : kind->call.set_conf(pool->object, done, failed, num_tasks);
}

int32_t bridge_pool_configure(struct bridge_pool *pool, const struct bridge_pool *wanted, doca_completion_cb done,
			      doca_completion_cb failed, uint32_t num_tasks)
{
	struct bridge_task *cells = alloc_cells(num_tasks);
	int32_t status;

	if (cells == NULL)
		return DOCA_ERROR_NO_MEMORY;
	status = set_conf(wanted, done, failed, num_tasks);
	if (status != DOCA_SUCCESS) {
		free(cells);
		return status;
	}
	free(pool->cells);
	*pool = *wanted;
	pool->cells = cells;
	pool->num_cells = num_tasks;
	fill_cells(pool, num_tasks);
	return DOCA_SUCCESS;
}

static void free_sessions(struct bridge_pool *pool)
{
	uint32_t i;

	for (i = 0; i < pool->num_cells; i++)
		if (pool->cells[i].object != NULL && !bridge_task_is_in_flight(&pool->cells[i]))
			free_task(pool, &pool->cells[i]);
}

void bridge_pool_free_kept(struct bridge_pool *pool)
{
	if (pool->kind != NULL && pool->kind->shape->begin != NULL)
		free_sessions(pool);
	while (pool->kept != NULL) {
		struct bridge_task *task = pool->kept;

		bridge_pool_take_kept(pool);
		free_task(pool, task);
	}
}

void bridge_pool_fini(struct bridge_pool *pool)
{
	free(pool->cells);
	*pool = (struct bridge_pool){ .kind = NULL };
}
