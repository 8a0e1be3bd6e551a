/* Lifetime of a task: owned by the program -> submit -> (held) -> device -> event -> callback -> owned by the program. */
#include "sd_task.h"

#include <stdatomic.h>

#include "sd_calls.h"
#include "sd_engine.h"
#include "sd_list.h"
#include "sd_log.h"
#include "sd_shape.h"
#include "sd_states.h"

enum { KNOWN_FLAGS = DOCA_TASK_SUBMIT_FLAG_FLUSH | DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS };

static void release(struct doca_task *task)
{
	if (task->pool->operation->discard != NULL)
		task->pool->operation->discard(task);
	sd_task_pool_put(task);
	sd_calls_destroyed(task);
	sd_task_count_allocated(task->ctx, -1);
	sd_context_check_idle(task->ctx);
}

uint8_t sd_task_is_in_flight(const struct doca_task *task)
{
	return task->state != SD_TASK_OWNED;
}

/* Reports an ended task. In some libraries a failed task stops its context, in the next progress call. */
static uint8_t report(struct doca_task *task, uint8_t is_dropped)
{
	struct doca_ctx *ctx = task->ctx;

	if (sd_task_breaks_context(task) && ctx->state == DOCA_CTX_STATE_RUNNING)
		sd_context_fail_next(ctx);
	if (is_dropped) {
		release(task);
		return 1;
	}
	if (task->fault.twice)
		sd_task_report_again(task);
	sd_task_call_back(task);
	return 1;
}

/* Returns whether all older tasks of its order were reported. If so, the next task may be reported; else this one waits. */
static uint8_t is_in_turn(struct doca_task *task)
{
	struct sd_task_order *order = task->order;

	if (task != order->head) {
		task->is_early = 1;
		return 0;
	}
	order->head = task->order_next;
	if (order->head != NULL && order->head->is_early)
		sd_engine_queue(&order->head->event);
	return 1;
}

static uint8_t run_task_event(struct sd_event *event)
{
	struct doca_task *task = (struct doca_task *)event;
	uint8_t is_dropped;

	if (task->order != NULL && !is_in_turn(task))
		return 0;
	if (task->pool->operation->complete != NULL)
		task->pool->operation->complete(task);
	sd_task_count_inflight(task, -1);
	is_dropped = task->state == SD_TASK_DROPPED;
	task->state = SD_TASK_OWNED;
	return report(task, is_dropped);
}

void sd_task_executed(struct doca_task *task)
{
	sd_engine_post(task->ctx->pe, &task->event);
}

void sd_task_ended(struct doca_task *task)
{
	sd_engine_queue(&task->event);
}

doca_error_t sd_task_draw_fault(struct doca_task *task)
{
	if (task->is_fault_drawn)
		return DOCA_SUCCESS;
	sd_fault_draw(task->pool->operation->name, &task->fault);
	if (task->fault.again)
		return DOCA_ERROR_AGAIN;
	task->is_fault_drawn = 1;
	return DOCA_SUCCESS;
}

static void join_order(struct doca_task *task)
{
	const struct sd_task_operation *operation = task->pool->operation;

	task->order = NULL;
	if (task->ctx->is_ordered)
		task->order = &task->ctx->order;
	else if (operation->order != NULL)
		task->order = operation->order(task);
	if (task->order == NULL)
		return;
	task->is_early = 0;
	SD_APPEND(task->order->head, task->order->tail, task, order_next);
}

static void hold(struct doca_task *task)
{
	struct doca_ctx *ctx = task->ctx;

	SD_APPEND(ctx->held_head, ctx->held_tail, task, next);
}

void sd_task_queue(struct doca_task *task)
{
	task->is_executed = 0;
	sd_device_queue(task);
}

uint8_t sd_task_delays_others(const struct doca_task *task)
{
	return sd_device_has_others(task);
}

void sd_task_delay(struct doca_task *task)
{
	task->is_executed = 1;
	sd_device_delay(task);
}

static void begin(struct doca_task *task)
{
	const struct sd_task_operation *operation = task->pool->operation;

	task->ctx->is_losing |= task->fault.lost;
	if (operation->begin != NULL && task->fault.error == DOCA_SUCCESS && !task->fault.lost)
		operation->begin(task);
	else
		sd_device_queue(task);
}

/* The tasks behind one that loses the device stay, until the context stops and flushes them. */
void sd_tasks_release_held(struct doca_ctx *ctx)
{
	while (ctx->held_head != NULL && !ctx->is_losing) {
		struct doca_task *task = ctx->held_head;

		ctx->held_head = task->next;
		begin(task);
	}
}

doca_error_t sd_task_latch(struct doca_task *task)
{
	const struct sd_task_operation *operation = task->pool->operation;

	return operation->latch == NULL ? DOCA_SUCCESS : operation->latch(task);
}

void sd_task_enter(struct doca_task *task, doca_error_t latched)
{
	task->status = latched;
	task->state = SD_TASK_SUBMITTED;
	task->is_fault_drawn = 0;
	task->is_executed = 0;
	task->event.run = run_task_event;
	sd_task_count_inflight(task, 1);
	join_order(task);
	if (latched == DOCA_SUCCESS) {
		hold(task);
		return;
	}
	if (sd_task_breaks_context(task))
		atomic_store(&task->ctx->is_broken, 1);
	sd_task_ended(task); /* the device has nothing to execute */
}

/* Fails the tasks of a stopping context that the device has not started. */
static void fail_all(struct doca_task *task)
{
	while (task != NULL) {
		struct doca_task *next = task->next;

		task->status = DOCA_ERROR_IO_FAILED;
		sd_task_ended(task);
		task = next;
	}
}

void sd_tasks_flush(struct doca_ctx *ctx)
{
	struct doca_task *held = ctx->held_head;

	ctx->held_head = NULL;
	fail_all(sd_device_cancel(ctx));
	fail_all(held);
}

static doca_error_t submit(struct doca_task *task, uint32_t flags)
{
	doca_error_t result;

	if (task->state != SD_TASK_OWNED || task->ctx->state != DOCA_CTX_STATE_RUNNING)
		return DOCA_ERROR_BAD_STATE;
	result = sd_task_draw_fault(task);
	if (result != DOCA_SUCCESS)
		return result;
	result = sd_task_latch(task);
	if (result == DOCA_ERROR_AGAIN)
		return result;
	sd_task_enter(task, result);
	if ((flags & DOCA_TASK_SUBMIT_FLAG_FLUSH) != 0)
		sd_tasks_release_held(task->ctx);
	return DOCA_SUCCESS;
}

doca_error_t doca_task_submit_ex(struct doca_task *task, uint32_t flags)
{
	if (task == NULL || (flags & ~(uint32_t)KNOWN_FLAGS) != 0)
		return DOCA_ERROR_INVALID_VALUE;
	return sd_calls_refuse(__func__, task) ? DOCA_ERROR_BAD_STATE : submit(task, flags);
}

doca_error_t doca_task_submit(struct doca_task *task)
{
	if (task == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	return sd_calls_refuse(__func__, task) ? DOCA_ERROR_BAD_STATE : submit(task, DOCA_TASK_SUBMIT_FLAG_FLUSH);
}

doca_error_t doca_task_try_submit(struct doca_task *task)
{
	if (sd_calls_refuse(__func__, task))
		return DOCA_ERROR_BAD_STATE;
	if (task == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (task->state != SD_TASK_OWNED || task->ctx->state != DOCA_CTX_STATE_RUNNING)
		return DOCA_ERROR_BAD_STATE;
	if (task->pool->operation->validate != NULL) {
		doca_error_t result = task->pool->operation->validate(task);

		if (result != DOCA_SUCCESS)
			return result;
	}
	return submit(task, DOCA_TASK_SUBMIT_FLAG_FLUSH);
}

void doca_task_free(struct doca_task *task)
{
	if (task == NULL || sd_calls_refuse(__func__, task))
		return;
	if (task->state == SD_TASK_SUBMITTED) {
		SD_LOG_DEBUG("doca_task_free() of task %p (%s) in flight: it goes when it has ended", (void *)task,
			     task->pool->operation->name);
		task->state = SD_TASK_DROPPED;
		sd_calls_destroyed(task);
		return;
	}
	if (task->state != SD_TASK_OWNED) {
		const char *whose = task->state == SD_TASK_LENT ? "graph's" : "free";

		SD_LOG_ERROR("doca_task_free() of a %s task %p (%s): refused", whose, (void *)task,
			     task->pool->operation->name);
		return;
	}
	release(task);
}

void doca_ctx_flush_tasks(struct doca_ctx *ctx)
{
	if (ctx == NULL)
		return;
	if (ctx->state == DOCA_CTX_STATE_IDLE)
		SD_LOG_ERROR("doca_ctx_flush_tasks() of an idle context: refused");
	else
		sd_tasks_release_held(ctx);
}

SD_PROPERTY(doca_task_get_status, const struct doca_task, doca_error_t, DOCA_ERROR_INVALID_VALUE, object->status)
SD_SETTER(doca_task_set_user_data, struct doca_task, union doca_data, user_data)
SD_PROPERTY(doca_task_get_user_data, const struct doca_task, union doca_data, (union doca_data){ 0 }, object->user_data)
SD_PROPERTY(doca_task_get_ctx, const struct doca_task, struct doca_ctx *, NULL, object->ctx)
