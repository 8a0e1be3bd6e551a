#include <errno.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "fake_inside.h"

struct doca_pe {
	int fd;
	bool is_armed;
	struct doca_task *ready_head, *ready_tail;
	struct doca_ctx *contexts;
	uint32_t num_requests, num_clears;
	void (*before_arming)(void *argument);
	void *argument;
};

pthread_mutex_t fake_lock = PTHREAD_MUTEX_INITIALIZER;
uint32_t fake_lz4_flags;

static void append(struct doca_task **head, struct doca_task **tail, struct doca_task *task)
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

static void notify(struct doca_pe *pe)
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

void fake_ctx_change(struct doca_ctx *ctx, int next)
{
	int previous;

	pthread_mutex_lock(&fake_lock);
	previous = ctx->state;
	ctx->state = next;
	pthread_mutex_unlock(&fake_lock);
	ctx->state_changed(ctx->user_data, ctx, previous, next);
}

static void check_idle(struct doca_ctx *ctx)
{
	ctx->is_idle_due = ctx->state == 3 && ctx->num_allocated == 0;
	notify(ctx->pe);
}

void fake_ctx_stop(struct doca_ctx *ctx)
{
	fake_ctx_change(ctx, 3);
	pthread_mutex_lock(&fake_lock);
	check_idle(ctx);
	pthread_mutex_unlock(&fake_lock);
}

void fake_submit_answers(struct doca_ctx *ctx, uint32_t skip, uint32_t count, int status)
{
	pthread_mutex_lock(&fake_lock);
	ctx->skip = skip;
	ctx->count = count;
	ctx->answer = status;
	pthread_mutex_unlock(&fake_lock);
}

void fake_ctx_finish_at_once(struct doca_ctx *ctx, bool at_once)
{
	ctx->finishes_at_once = at_once;
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

static struct doca_task *take_submitted(struct doca_ctx *ctx, uint32_t index)
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
	if (status == 0)
		task->dst->data_len += produced;
}

static void call_back(struct doca_task *task)
{
	struct doca_ctx *ctx = task->ctx;
	fake_completion_cb cb = task->status == 0 ? ctx->kinds[task->kind].done : ctx->kinds[task->kind].failed;

	cb(task, task->user_data, ctx->user_data);
}

static void make_ready(struct doca_task *task, int status, size_t produced)
{
	struct doca_pe *pe = task->ctx->pe;

	set_result(task, status, produced);
	append(&pe->ready_head, &pe->ready_tail, task);
	notify(pe);
}

void fake_finish(struct doca_ctx *ctx, uint32_t index, int status, size_t produced)
{
	struct doca_task *task;

	pthread_mutex_lock(&fake_lock);
	task = take_submitted(ctx, index);
	if (task == NULL)
		abort();
	make_ready(task, status, produced);
	pthread_mutex_unlock(&fake_lock);
}

bool fake_finish_here(struct doca_ctx *ctx, uint32_t index, int status, size_t produced)
{
	struct doca_task *task;

	pthread_mutex_lock(&fake_lock);
	task = take_submitted(ctx, index);
	if (task != NULL)
		set_result(task, status, produced);
	pthread_mutex_unlock(&fake_lock);
	if (task != NULL)
		call_back(task);
	return task != NULL;
}

/* ---- what the bridge resolves ------------------------------------------------------------------------------------ */

const char *doca_error_get_name(int error);
uint8_t doca_pe_progress(struct doca_pe *pe);
int doca_pe_request_notification(struct doca_pe *pe);
int doca_pe_clear_notification(struct doca_pe *pe, int handle);
int doca_pe_get_notification_handle(const struct doca_pe *pe, int *handle);
int doca_ctx_set_user_data(struct doca_ctx *ctx, union doca_data user_data);
int doca_ctx_set_state_changed_cb(struct doca_ctx *ctx, fake_state_cb cb);
int doca_task_submit(struct doca_task *task);
void doca_task_free(struct doca_task *task);
int doca_task_get_status(const struct doca_task *task);
int doca_buf_set_data(struct doca_buf *buf, void *data, size_t data_len);
int doca_buf_get_data_len(const struct doca_buf *buf, size_t *data_len);

const char *doca_error_get_name(int error)
{
	return error == 0 ? "DOCA_SUCCESS" : "DOCA_ERROR";
}

static struct doca_ctx *take_idle_due(struct doca_pe *pe)
{
	struct doca_ctx *ctx;

	for (ctx = pe->contexts; ctx != NULL && !ctx->is_idle_due; ctx = ctx->next)
		;
	if (ctx != NULL)
		ctx->is_idle_due = false;
	return ctx;
}

uint8_t doca_pe_progress(struct doca_pe *pe)
{
	struct doca_task *task;
	struct doca_ctx *ctx = NULL;

	pthread_mutex_lock(&fake_lock);
	task = pe->ready_head;
	if (task != NULL) {
		pe->ready_head = task->next;
		if (pe->ready_head == NULL)
			pe->ready_tail = NULL;
	} else {
		ctx = take_idle_due(pe);
	}
	pthread_mutex_unlock(&fake_lock);
	if (task != NULL)
		call_back(task);
	else if (ctx != NULL)
		fake_ctx_change(ctx, 0);
	return task != NULL || ctx != NULL;
}

int doca_pe_request_notification(struct doca_pe *pe)
{
	if (pe->before_arming != NULL)
		pe->before_arming(pe->argument);
	pthread_mutex_lock(&fake_lock);
	pe->num_requests++;
	pe->is_armed = true;
	notify(pe);
	pthread_mutex_unlock(&fake_lock);
	return 0;
}

int doca_pe_clear_notification(struct doca_pe *pe, int handle)
{
	eventfd_t ignored;

	(void)handle;
	pthread_mutex_lock(&fake_lock);
	pe->num_clears++;
	pe->is_armed = false;
	(void)eventfd_read(pe->fd, &ignored);
	pthread_mutex_unlock(&fake_lock);
	return 0;
}

int doca_pe_get_notification_handle(const struct doca_pe *pe, int *handle)
{
	*handle = pe->fd;
	return 0;
}

int doca_ctx_set_user_data(struct doca_ctx *ctx, union doca_data user_data)
{
	ctx->user_data = user_data;
	return 0;
}

int doca_ctx_set_state_changed_cb(struct doca_ctx *ctx, fake_state_cb cb)
{
	ctx->state_changed = cb;
	return 0;
}

static int answer_of(struct doca_ctx *ctx)
{
	if (ctx->skip > 0) {
		ctx->skip--;
		return 0;
	}
	if (ctx->count == 0)
		return 0;
	ctx->count--;
	return ctx->answer;
}

int doca_task_submit(struct doca_task *task)
{
	struct doca_ctx *ctx = task->ctx;
	int status;

	pthread_mutex_lock(&fake_lock);
	status = answer_of(ctx);
	if (status == 0 && ctx->finishes_at_once) {
		make_ready(task, 0, task->src->data_len);
	} else if (status == 0) {
		append(&ctx->submitted_head, &ctx->submitted_tail, task);
		ctx->num_submitted++;
	}
	fake_lz4_flags = task->lz4_flags;
	pthread_mutex_unlock(&fake_lock);
	return status;
}

void doca_task_free(struct doca_task *task)
{
	struct doca_ctx *ctx = task->ctx;

	pthread_mutex_lock(&fake_lock);
	ctx->num_allocated--;
	ctx->kinds[task->kind].num_allocated--;
	check_idle(ctx);
	pthread_mutex_unlock(&fake_lock);
	free(task);
}

int doca_task_get_status(const struct doca_task *task)
{
	return task->status;
}

int doca_buf_set_data(struct doca_buf *buf, void *data, size_t data_len)
{
	buf->data = data;
	buf->data_len = data_len;
	return 0;
}

int doca_buf_get_data_len(const struct doca_buf *buf, size_t *data_len)
{
	*data_len = buf->data_len;
	return 0;
}
