/* Functions of doca_common that the bridge resolves. */
#include <stdlib.h>
#include <sys/eventfd.h>

#include "fake_inside.h"

enum { AGAIN = 5 };

const char *doca_error_get_name(int error);
uint8_t doca_pe_progress(struct doca_pe *pe);
int doca_pe_request_notification(struct doca_pe *pe);
int doca_pe_clear_notification(struct doca_pe *pe, int handle);
int doca_pe_get_notification_handle(const struct doca_pe *pe, int *handle);
int doca_ctx_set_user_data(struct doca_ctx *ctx, union doca_data user_data);
int doca_ctx_set_state_changed_cb(struct doca_ctx *ctx, fake_state_cb cb);
int doca_ctx_get_state(const struct doca_ctx *ctx, int *state);
int doca_task_submit(struct doca_task *task);
void doca_task_free(struct doca_task *task);
int doca_task_get_status(const struct doca_task *task);
void doca_task_set_user_data(struct doca_task *task, union doca_data user_data);
int doca_ctx_get_user_data(const struct doca_ctx *ctx, union doca_data *user_data);
int doca_buf_set_data(struct doca_buf *buf, void *data, size_t data_len);
int doca_buf_reset_data_len(struct doca_buf *buf);
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

static void finish_when_idle(struct doca_pe *pe)
{
	struct doca_ctx *ctx;

	for (ctx = pe->contexts; ctx != NULL; ctx = ctx->next)
		if (ctx->finishes_when_idle && ctx->num_submitted != 0)
			fake_make_ready(fake_take_submitted(ctx, 0), 0, 1);
}

uint8_t doca_pe_progress(struct doca_pe *pe)
{
	void (*turn)(void *argument) = pe->turn;
	struct doca_task *task;
	struct doca_ctx *ctx = NULL;

	if (turn != NULL) {
		pe->turn = NULL;
		turn(pe->turn_argument);
		return 1;
	}
	pthread_mutex_lock(&fake_lock);
	task = pe->ready_head;
	if (task != NULL) {
		pe->ready_head = task->next;
		if (pe->ready_head == NULL)
			pe->ready_tail = NULL;
	} else {
		ctx = take_idle_due(pe);
		finish_when_idle(pe);
	}
	pthread_mutex_unlock(&fake_lock);
	if (task != NULL)
		fake_call_back(task);
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
	fake_notify(pe);
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

int doca_ctx_get_state(const struct doca_ctx *ctx, int *state)
{
	pthread_mutex_lock(&fake_lock);
	*state = ctx->state;
	pthread_mutex_unlock(&fake_lock);
	return 0;
}

static int answer_of(struct doca_ctx *ctx, const struct doca_task *task)
{
	if (task->consumer != 0 && task->consumer == ctx->refused_consumer)
		return AGAIN;
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
	status = answer_of(ctx, task);
	if (status == 0 && ctx->finishes_at_once) {
		fake_make_ready(task, 0, task->src != NULL ? task->src->data_len : 0);
	} else if (status == 0) {
		fake_append(&ctx->submitted_head, &ctx->submitted_tail, task);
		ctx->num_submitted++;
	}
	fake_lz4_flags = task->lz4_flags;
	pthread_mutex_unlock(&fake_lock);
	return status;
}

void doca_task_free(struct doca_task *task)
{
	struct doca_ctx *ctx = task->ctx;
	bool is_idle;

	pthread_mutex_lock(&fake_lock);
	ctx->num_allocated--;
	ctx->kinds[task->kind].num_allocated--;
	fake_check_idle(ctx);
	is_idle = ctx->is_idle_at_once && ctx->is_idle_due;
	if (is_idle)
		ctx->is_idle_due = false;
	pthread_mutex_unlock(&fake_lock);
	free(task);
	if (is_idle)
		fake_ctx_change(ctx, 0);
}

int doca_task_get_status(const struct doca_task *task)
{
	return task->status;
}

void doca_task_set_user_data(struct doca_task *task, union doca_data user_data)
{
	task->user_data = user_data;
}

int doca_ctx_get_user_data(const struct doca_ctx *ctx, union doca_data *user_data)
{
	*user_data = ctx->user_data;
	return 0;
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

int doca_buf_reset_data_len(struct doca_buf *buf)
{
	return doca_buf_set_data(buf, buf->data, 0);
}
