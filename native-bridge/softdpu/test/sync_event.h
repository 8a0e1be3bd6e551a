/* A sync event as a context on a separate engine, for tests, with one task at a time. Callbacks count and record. */
#ifndef SYNC_EVENT_H
#define SYNC_EVENT_H

#include <poll.h>

#include "doca_sync_event.h"
#include "rig.h"

enum { EVENT_MAX_ENDED = 256 };

struct event_rig {
	struct doca_dev *dev;
	struct doca_pe *pe;
	struct doca_sync_event *event;
	struct doca_ctx *ctx;
	int completed, failed;
	doca_error_t last_status;
	uint64_t order[EVENT_MAX_ENDED];	/* user data of ended tasks */
	int keeps_tasks;
};

RIG void event_ended(struct event_rig *rig, struct doca_task *task)
{
	rig->last_status = doca_task_get_status(task);
	rig->order[(rig->completed + rig->failed) % EVENT_MAX_ENDED] = doca_task_get_user_data(task).u64;
	if (!rig->keeps_tasks)
		doca_task_free(task);
}

RIG void event_completed(struct doca_task *task, union doca_data task_data, union doca_data ctx_data)
{
	struct event_rig *rig = ctx_data.ptr;

	CHECK(doca_task_get_user_data(task).u64 == task_data.u64);
	CHECK_OK(doca_task_get_status(task));
	event_ended(rig, task);
	rig->completed++;
}

RIG void event_failed(struct doca_task *task, union doca_data task_data, union doca_data ctx_data)
{
	struct event_rig *rig = ctx_data.ptr;

	CHECK(doca_task_get_user_data(task).u64 == task_data.u64);
	CHECK(doca_task_get_status(task) != DOCA_SUCCESS);
	event_ended(rig, task);
	rig->failed++;
}

#define EVENT_CALLBACK(kind, name) ((doca_sync_event_task_##kind##_completion_cb_t)(void (*)(void))(name))
#define EVENT_CONFIGURE(event, kind, num_tasks) \
	doca_sync_event_task_##kind##_set_conf(event, EVENT_CALLBACK(kind, event_completed), EVENT_CALLBACK(kind, event_failed), num_tasks)

RIG struct doca_sync_event *event_new(struct doca_dev *dev)
{
	struct doca_sync_event *event;

	CHECK_OK(doca_sync_event_create(&event));
	CHECK_OK(doca_sync_event_add_publisher_location_cpu(event, dev));
	CHECK_OK(doca_sync_event_add_subscriber_location_cpu(event, dev));
	return event;
}

/* Connects an event that is not started to an engine and starts it, with num_tasks of every type. */
RIG void event_open_as(struct event_rig *rig, struct doca_dev *dev, struct doca_sync_event *event, uint32_t num_tasks)
{
	union doca_data data = { .ptr = rig };

	memset(rig, 0, sizeof(*rig));
	rig->dev = dev;
	rig->event = event;
	rig->ctx = doca_sync_event_as_ctx(event);
	CHECK_OK(doca_pe_create(&rig->pe));
	CHECK_OK(EVENT_CONFIGURE(event, get, num_tasks));
	CHECK_OK(EVENT_CONFIGURE(event, notify_set, num_tasks));
	CHECK_OK(EVENT_CONFIGURE(event, notify_add, num_tasks));
	CHECK_OK(EVENT_CONFIGURE(event, wait_eq, num_tasks));
	CHECK_OK(EVENT_CONFIGURE(event, wait_neq, num_tasks));
	CHECK_OK(doca_pe_connect_ctx(rig->pe, rig->ctx));
	CHECK_OK(doca_ctx_set_user_data(rig->ctx, data));
	CHECK_OK(doca_ctx_start(rig->ctx));
}

RIG void event_open(struct event_rig *rig, struct doca_dev *dev, uint32_t num_tasks)
{
	event_open_as(rig, dev, event_new(dev), num_tasks);
}

RIG enum doca_ctx_states event_state(const struct event_rig *rig)
{
	enum doca_ctx_states state;

	CHECK_OK(doca_ctx_get_state(rig->ctx, &state));
	return state;
}

RIG void event_stop(struct event_rig *rig)
{
	doca_error_t result = doca_ctx_stop(rig->ctx);

	CHECK(result == DOCA_SUCCESS || result == DOCA_ERROR_IN_PROGRESS);
	RIG_PROGRESS_UNTIL(rig->pe, event_state(rig) == DOCA_CTX_STATE_IDLE);
}

RIG void event_close(struct event_rig *rig)
{
	event_stop(rig);
	CHECK_OK(doca_sync_event_destroy(rig->event));
	CHECK_OK(doca_pe_destroy(rig->pe));
}

RIG struct doca_task *event_get(struct event_rig *rig, uint64_t *value, uint64_t number)
{
	struct doca_sync_event_task_get *task;
	union doca_data data = { .u64 = number };

	CHECK_OK(doca_sync_event_task_get_alloc_init(rig->event, value, data, &task));
	return doca_sync_event_task_get_as_doca_task(task);
}

RIG struct doca_task *event_set(struct event_rig *rig, uint64_t value, uint64_t number)
{
	struct doca_sync_event_task_notify_set *task;
	union doca_data data = { .u64 = number };

	CHECK_OK(doca_sync_event_task_notify_set_alloc_init(rig->event, value, data, &task));
	return doca_sync_event_task_notify_set_as_doca_task(task);
}

RIG struct doca_task *event_add(struct event_rig *rig, uint64_t value, uint64_t *before, uint64_t number)
{
	struct doca_sync_event_task_notify_add *task;
	union doca_data data = { .u64 = number };

	CHECK_OK(doca_sync_event_task_notify_add_alloc_init(rig->event, value, before, data, &task));
	return doca_sync_event_task_notify_add_as_doca_task(task);
}

RIG struct doca_task *event_wait_eq(struct event_rig *rig, uint64_t value, uint64_t mask, uint64_t number)
{
	struct doca_sync_event_task_wait_eq *task;
	union doca_data data = { .u64 = number };

	CHECK_OK(doca_sync_event_task_wait_eq_alloc_init(rig->event, value, mask, data, &task));
	return doca_sync_event_task_wait_eq_as_doca_task(task);
}

RIG struct doca_task *event_wait_neq(struct event_rig *rig, uint64_t value, uint64_t mask, uint64_t number)
{
	struct doca_sync_event_task_wait_neq *task;
	union doca_data data = { .u64 = number };

	CHECK_OK(doca_sync_event_task_wait_neq_alloc_init(rig->event, value, mask, data, &task));
	return doca_sync_event_task_wait_neq_as_doca_task(task);
}

/* Runs one task, from submission to callback; returns its status. */
RIG doca_error_t event_run(struct event_rig *rig, struct doca_task *task)
{
	int before = rig->completed + rig->failed;

	CHECK_OK(doca_task_submit(task));
	RIG_PROGRESS_UNTIL(rig->pe, rig->completed + rig->failed > before);
	return rig->last_status;
}

/* Reads the value with a task. */
RIG uint64_t event_value(struct event_rig *rig)
{
	uint64_t value = ~UINT64_C(0);

	CHECK_OK(event_run(rig, event_get(rig, &value, 0)));
	return value;
}

/* Sleeps on the engine's handle until the condition holds, like a program that does not poll. */
#define EVENT_SLEEP_UNTIL(rig, condition)                                                  \
	do {                                                                               \
		while (!(condition)) {                                                     \
			while (doca_pe_progress((rig)->pe))                                \
				;                                                          \
			if (!(condition))                                                  \
				event_sleep(rig);                                          \
		}                                                                          \
	} while (0)

RIG void event_sleep(struct event_rig *rig)
{
	struct pollfd handle = { .events = POLLIN };

	CHECK_OK(doca_pe_get_notification_handle(rig->pe, &handle.fd));
	CHECK_OK(doca_pe_request_notification(rig->pe));
	CHECK_EQ(poll(&handle, 1, RIG_LIMIT_S * 1000), 1);
	CHECK_OK(doca_pe_clear_notification(rig->pe, handle.fd));
}

#endif
