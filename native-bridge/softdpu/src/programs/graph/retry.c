/*
 * Submits tasks of graphs. A task that its context refuses with AGAIN is submitted again when the program polls. For a program that
 * sleeps, the service thread posts an event one millisecond later.
 */
#include <stddef.h>

#include "sd_config.h"
#include "sd_engine.h"
#include "sd_graph.h"
#include "sd_list.h"
#include "sd_log.h"
#include "sd_task.h"

enum { PERIOD_NS = 1000000 };

/* Replaces the program's callbacks. */
static void task_ended(struct doca_task *task, union doca_data task_user_data, union doca_data ctx_user_data)
{
	struct graph_step *step = SD_OWNER(task->pool, struct graph_step, lent);

	(void)task_user_data;
	(void)ctx_user_data;
	task->pool = step->pool;
	step->ended(step, task->status);
}

/* Does the work of doca_task_submit() for a task that is lent to a graph. */
static doca_error_t submit(struct graph_step *step)
{
	struct doca_task *task = step->task;
	doca_error_t result;

	if (task->ctx->state != DOCA_CTX_STATE_RUNNING)
		return DOCA_ERROR_BAD_STATE;
	result = sd_task_draw_fault(task);
	if (result != DOCA_SUCCESS)
		return result;
	task->fault.twice = 0; /* a second report would call the program's callback */
	result = sd_task_latch(task);
	if (result == DOCA_ERROR_AGAIN)
		return result;
	step->pool = task->pool;
	step->lent = *task->pool;
	step->lent.completed = task_ended;
	step->lent.failed = task_ended;
	step->is_claimed = 0;
	task->pool = &step->lent;
	sd_task_enter(task, result);
	task->state = SD_TASK_LENT;
	sd_tasks_release_held(task->ctx);
	return DOCA_SUCCESS;
}

static void append(struct graph_step *step)
{
	struct doca_graph *graph = step->instance->graph;

	SD_APPEND(graph->refused_head, graph->refused_tail, step, refused_next);
	sd_context_visit(&graph->ctx);
}

void graph_submit_task(struct graph_step *step)
{
	struct doca_graph *graph = step->instance->graph;
	doca_error_t result = submit(step);

	if (result == DOCA_ERROR_AGAIN) {
		append(step);
		if (!sd_context_is_polled(&graph->ctx))
			graph_retry_later(graph);
	} else if (result != DOCA_SUCCESS) {
		step->ended(step, result);
	}
}

void graph_retry(struct doca_graph *graph)
{
	struct graph_step *step = graph->refused_head;

	graph->is_scheduled = 0;
	graph->refused_head = NULL;
	while (step != NULL) {
		struct graph_step *next = step->refused_next;
		/* A failed instance begins no further step. */
		doca_error_t result = step->instance->is_failed ? DOCA_ERROR_BAD_STATE : submit(step);

		if (result == DOCA_ERROR_AGAIN)
			append(step);
		else if (result != DOCA_SUCCESS)
			step->ended(step, result);
		step = next;
	}
}

static uint8_t run_retry(struct sd_event *event)
{
	struct doca_graph *graph = (struct doca_graph *)event->ctx;

	atomic_store(&graph->is_retry_posted, 0);
	graph_retry(graph);
	graph_retry_later(graph);
	return 0;
}

/* Runs on the service thread. */
static void post_retry(struct sd_job *job)
{
	struct doca_graph *graph = SD_OWNER(job, struct doca_graph, job);

	if (sd_config()->execution == SOFTDPU_EXECUTION_INLINE)
		sd_context_wake(&graph->ctx); /* its progress polls */
	else if (!atomic_exchange(&graph->is_retry_posted, 1))
		sd_context_post_event(&graph->ctx, &graph->retry_event, run_retry);
}

void graph_retry_later(struct doca_graph *graph)
{
	if (graph->refused_head == NULL || graph->is_scheduled)
		return;
	if (!graph->has_service && sd_service_acquire() != DOCA_SUCCESS) {
		SD_LOG_ERROR("graph %p: a task that was refused waits until the program polls", (void *)graph);
		return;
	}
	graph->has_service = 1;
	graph->is_scheduled = 1;
	sd_service_schedule(&graph->job, PERIOD_NS, post_retry);
}

void graph_forget_retry(struct doca_graph *graph)
{
	if (!graph->has_service)
		return;
	sd_service_cancel(&graph->job);
	if (atomic_exchange(&graph->is_retry_posted, 0))
		sd_engine_withdraw(&graph->retry_event);
	graph->is_scheduled = 0;
	graph->has_service = 0;
	sd_service_release();
}
