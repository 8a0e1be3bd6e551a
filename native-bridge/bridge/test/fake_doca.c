#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "fake_inside.h"

pthread_mutex_t fake_lock = PTHREAD_MUTEX_INITIALIZER;
uint32_t fake_lz4_flags;

void fake_append(struct doca_task **head, struct doca_task **tail, struct doca_task *task)
{
	task->next = NULL;
	if (*tail != NULL)
		(*tail)->next = task;
	else
		*head = task;
	*tail = task;
}

static bool has_work(const struct doca_pe *pe)
{
	const struct doca_ctx *ctx;

	for (ctx = pe->contexts; ctx != NULL; ctx = ctx->next)
		if (ctx->is_idle_due)
			return true;
	return pe->ready_head != NULL;
}

void fake_notify(struct doca_pe *pe)
{
	if (pe->is_armed && has_work(pe)) {
		pe->is_armed = false;
		eventfd_write(pe->fd, 1);
	}
}

struct doca_pe *fake_pe_create(void)
{
	struct doca_pe *pe = calloc(1, sizeof(*pe));

	pe->fd = eventfd(0, EFD_NONBLOCK);
	return pe;
}

void fake_pe_destroy(struct doca_pe *pe)
{
	close(pe->fd);
	free(pe);
}

struct doca_ctx *fake_ctx_create(struct doca_pe *pe)
{
	struct doca_ctx *ctx = calloc(1, sizeof(*ctx));

	ctx->pe = pe;
	ctx->max_msg_size = 64;
	pthread_mutex_lock(&fake_lock);
	ctx->next = pe->contexts;
	pe->contexts = ctx;
	pthread_mutex_unlock(&fake_lock);
	return ctx;
}

void fake_ctx_destroy(struct doca_ctx *ctx)
{
	struct doca_ctx **link;

	pthread_mutex_lock(&fake_lock);
	for (link = &ctx->pe->contexts; *link != ctx; link = &(*link)->next)
		;
	*link = ctx->next;
	pthread_mutex_unlock(&fake_lock);
	free(ctx);
}

int fake_ctx_enter(struct doca_ctx *ctx, int next)
{
	int previous;

	pthread_mutex_lock(&fake_lock);
	previous = ctx->state;
	ctx->state = next;
	pthread_mutex_unlock(&fake_lock);
	return previous;
}

void fake_ctx_report(struct doca_ctx *ctx, int previous, int next)
{
	ctx->state_changed(ctx->user_data, ctx, previous, next);
}

void fake_ctx_change(struct doca_ctx *ctx, int next)
{
	int previous = fake_ctx_enter(ctx, next);

	fake_ctx_report(ctx, previous, next);
}

void fake_check_idle(struct doca_ctx *ctx)
{
	ctx->is_idle_due = ctx->state == 3 && ctx->num_allocated == 0;
	fake_notify(ctx->pe);
}

void fake_ctx_stop(struct doca_ctx *ctx)
{
	fake_ctx_change(ctx, 3);
	pthread_mutex_lock(&fake_lock);
	fake_check_idle(ctx);
	pthread_mutex_unlock(&fake_lock);
}

void fake_ctx_idle_at_once(struct doca_ctx *ctx, bool at_once)
{
	ctx->is_idle_at_once = at_once;
}

void fake_submit_answers(struct doca_ctx *ctx, uint32_t skip, uint32_t count, int status)
{
	pthread_mutex_lock(&fake_lock);
	ctx->skip = skip;
	ctx->count = count;
	ctx->answer = status;
	pthread_mutex_unlock(&fake_lock);
}

void fake_refuse_consumer(struct doca_ctx *ctx, uint32_t consumer)
{
	ctx->refused_consumer = consumer;
}

void fake_receive_immediate(struct doca_ctx *ctx, const uint8_t *bytes, uint32_t len)
{
	ctx->immediate = bytes;
	ctx->immediate_len = len;
}

void fake_ctx_finish_at_once(struct doca_ctx *ctx, bool at_once)
{
	ctx->finishes_at_once = at_once;
}

void fake_ctx_finish_when_idle(struct doca_ctx *ctx, bool when_idle)
{
	ctx->finishes_when_idle = when_idle;
}

void fake_ctx_report_twice(struct doca_ctx *ctx, bool twice)
{
	ctx->reports_twice = twice;
}

static uint32_t read_locked(const uint32_t *value)
{
	uint32_t copy;

	pthread_mutex_lock(&fake_lock);
	copy = *value;
	pthread_mutex_unlock(&fake_lock);
	return copy;
}

uint32_t fake_ctx_num_submitted(struct doca_ctx *ctx)
{
	return read_locked(&ctx->num_submitted);
}

uint32_t fake_ctx_num_allocated(struct doca_ctx *ctx)
{
	return read_locked(&ctx->num_allocated);
}

uint32_t fake_ctx_num_allocations(struct doca_ctx *ctx)
{
	return read_locked(&ctx->num_allocations);
}

uint32_t fake_last_lz4_flags(void)
{
	return read_locked(&fake_lz4_flags);
}

uint32_t fake_pe_num_requests(struct doca_pe *pe)
{
	return read_locked(&pe->num_requests);
}

uint32_t fake_pe_num_clears(struct doca_pe *pe)
{
	return read_locked(&pe->num_clears);
}

void fake_pe_before_arming(struct doca_pe *pe, void (*hook)(void *argument), void *argument)
{
	pe->before_arming = hook;
	pe->argument = argument;
}

void fake_pe_next_turn(struct doca_pe *pe, void (*turn)(void *argument), void *argument)
{
	pe->turn = turn;
	pe->turn_argument = argument;
}

struct doca_task *fake_take_submitted(struct doca_ctx *ctx, uint32_t index)
{
	struct doca_task *previous = NULL, *task = ctx->submitted_head;

	for (; task != NULL && index > 0; index--) {
		previous = task;
		task = task->next;
	}
	if (task == NULL)
		return NULL;
	if (previous != NULL)
		previous->next = task->next;
	else
		ctx->submitted_head = task->next;
	if (ctx->submitted_tail == task)
		ctx->submitted_tail = previous;
	ctx->num_submitted--;
	return task;
}

static void set_result(struct doca_task *task, int status, size_t produced)
{
	task->status = status;
	task->produced = produced;
	if (status == 0 && task->dst != NULL)
		task->dst->data_len += produced;
}

void fake_call_back(struct doca_task *task)
{
	struct doca_ctx *ctx = task->ctx;
	fake_completion_cb cb = task->status == 0 ? ctx->kinds[task->kind].done : ctx->kinds[task->kind].failed;

	union doca_data user_data = task->user_data;
	bool is_twice = ctx->reports_twice;
	uint32_t before = fake_ctx_num_submitted(ctx);

	cb(task, user_data, ctx->user_data);
	if (is_twice && fake_ctx_num_submitted(ctx) == before)
		cb(task, user_data, ctx->user_data);
}

void fake_make_ready(struct doca_task *task, int status, size_t produced)
{
	struct doca_pe *pe = task->ctx->pe;

	set_result(task, status, produced);
	fake_append(&pe->ready_head, &pe->ready_tail, task);
	fake_notify(pe);
}

void fake_finish(struct doca_ctx *ctx, uint32_t index, int status, size_t produced)
{
	struct doca_task *task;

	pthread_mutex_lock(&fake_lock);
	task = fake_take_submitted(ctx, index);
	if (task == NULL)
		abort();
	fake_make_ready(task, status, produced);
	pthread_mutex_unlock(&fake_lock);
}

bool fake_finish_here(struct doca_ctx *ctx, uint32_t index, int status, size_t produced)
{
	struct doca_task *task;

	pthread_mutex_lock(&fake_lock);
	task = fake_take_submitted(ctx, index);
	if (task != NULL)
		set_result(task, status, produced);
	pthread_mutex_unlock(&fake_lock);
	if (task != NULL)
		fake_call_back(task);
	return task != NULL;
}
