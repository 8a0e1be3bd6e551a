/*
 * A device with one engine, one compression context and memory, for tests of contexts and tasks. The context's callbacks count,
 * record and call the test's hooks. rig_close() checks that the process has no object left.
 */
#ifndef RIG_H
#define RIG_H

#include <sched.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "check.h"
#include "doca_buf.h"
#include "doca_buf_inventory.h"
#include "doca_compress.h"
#include "doca_ctx.h"
#include "doca_dev.h"
#include "doca_mmap.h"
#include "doca_pe.h"
#include "softdpu.h"

/*
 * Time limit of a wait in seconds. Waits of 20 s failed on a loaded machine under ThreadSanitizer. LONG_MS of rdma_manager_peer.h must
 * be longer, and is at most UINT16_MAX.
 */
#ifndef RIG_LIMIT_S
#define RIG_LIMIT_S 60
#endif

enum { RIG_MEMORY = 4 << 20, RIG_BUFFERS = 16384, RIG_MAX_STATES = 64, RIG_SLOT = 1024 };

struct rig {
	struct doca_dev *dev;
	struct doca_pe *pe;
	struct doca_mmap *map;
	struct doca_buf_inventory *inventory;
	struct doca_compress *compress;
	struct doca_ctx *ctx;
	uint8_t *memory;			/* RIG_MEMORY bytes, all in map */

	int completed, failed;			/* number of callbacks */
	doca_error_t last_status;
	struct doca_task *last_task;
	uint64_t order[RIG_BUFFERS];		/* user data of ended tasks, in order */
	int keep_tasks;				/* the callbacks do not free the tasks */
	enum doca_ctx_states states[RIG_MAX_STATES];	/* all reported states, in order */
	int num_states;
	void (*on_task)(struct rig *rig, struct doca_task *task);
	void (*on_state)(struct rig *rig, enum doca_ctx_states previous, enum doca_ctx_states next);
	void *test;				/* data of the test */
};

#define RIG __attribute__((unused)) static

RIG uint64_t rig_now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* Progresses the engine until the condition holds; fails the test after a time limit. */
#define RIG_PROGRESS_UNTIL(engine, condition)                                        \
	do {                                                                         \
		uint64_t rig_deadline = rig_now_ms() + RIG_LIMIT_S * 1000;           \
		while (!(condition)) {                                               \
			if (!doca_pe_progress(engine))                               \
				sched_yield();                                       \
			CHECK(rig_now_ms() < rig_deadline);                          \
		}                                                                    \
	} while (0)

RIG struct doca_dev *rig_open_device(const char *pci_addr)
{
	struct doca_devinfo **list;
	struct doca_dev *dev = NULL;
	uint32_t count;

	CHECK_OK(doca_devinfo_create_list(&list, &count));
	for (uint32_t i = 0; i < count && dev == NULL; i++) {
		uint8_t is_equal;

		CHECK_OK(doca_devinfo_is_equal_pci_addr(list[i], pci_addr, &is_equal));
		if (is_equal)
			CHECK_OK(doca_dev_open(list[i], &dev));
	}
	CHECK_OK(doca_devinfo_destroy_list(list));
	CHECK(dev != NULL);
	return dev;
}

RIG void rig_record_task(struct rig *rig, struct doca_task *task)
{
	rig->last_status = doca_task_get_status(task);
	rig->last_task = task;
	rig->order[rig->completed + rig->failed] = doca_task_get_user_data(task).u64;
}

RIG void rig_finish_task(struct rig *rig, struct doca_task *task)
{
	if (rig->on_task != NULL)
		rig->on_task(rig, task);
	else if (!rig->keep_tasks)
		doca_task_free(task);
}

RIG void rig_completed(struct doca_task *task, union doca_data task_data, union doca_data ctx_data)
{
	struct rig *rig = ctx_data.ptr;

	CHECK(doca_task_get_user_data(task).u64 == task_data.u64);
	CHECK_OK(doca_task_get_status(task));
	rig_record_task(rig, task);
	rig->completed++;
	rig_finish_task(rig, task);
}

RIG void rig_failed(struct doca_task *task, union doca_data task_data, union doca_data ctx_data)
{
	struct rig *rig = ctx_data.ptr;

	CHECK(doca_task_get_user_data(task).u64 == task_data.u64);
	CHECK(doca_task_get_status(task) != DOCA_SUCCESS);
	rig_record_task(rig, task);
	rig->failed++;
	rig_finish_task(rig, task);
}

RIG void rig_state_changed(const union doca_data user_data, struct doca_ctx *ctx, enum doca_ctx_states previous,
			   enum doca_ctx_states next)
{
	struct rig *rig = user_data.ptr;
	enum doca_ctx_states now;

	CHECK(ctx == rig->ctx);
	CHECK_OK(doca_ctx_get_state(ctx, &now));
	CHECK_EQ(now, next);
	CHECK(rig->num_states < RIG_MAX_STATES);
	rig->states[rig->num_states++] = next;
	if (rig->on_state != NULL)
		rig->on_state(rig, previous, next);
}

#define RIG_CALLBACK(kind, name) ((doca_compress_task_##kind##_completion_cb_t)(void (*)(void))(name))

/* Configures one of the four task types. */
#define RIG_CONFIGURE(rig, kind, num_tasks)                                                                      \
	doca_compress_task_##kind##_set_conf((rig)->compress, RIG_CALLBACK(kind, rig_completed),                \
					     RIG_CALLBACK(kind, rig_failed), num_tasks)

/* Creates a context without tasks on an engine. */
RIG void rig_create_context(struct rig *rig)
{
	union doca_data data = { .ptr = rig };

	CHECK_OK(doca_compress_create(rig->dev, &rig->compress));
	rig->ctx = doca_compress_as_ctx(rig->compress);
	CHECK_OK(doca_pe_connect_ctx(rig->pe, rig->ctx));
	CHECK_OK(doca_ctx_set_user_data(rig->ctx, data));
	CHECK_OK(doca_ctx_set_state_changed_cb(rig->ctx, rig_state_changed));
}

/* Makes another context the context of the rig, instead of its compression context. */
RIG void rig_replace_context(struct rig *rig, struct doca_ctx *ctx)
{
	union doca_data data = { .ptr = rig };

	CHECK_OK(doca_compress_destroy(rig->compress));
	rig->compress = NULL;
	rig->ctx = ctx;
	CHECK_OK(doca_pe_connect_ctx(rig->pe, ctx));
	CHECK_OK(doca_ctx_set_user_data(ctx, data));
	CHECK_OK(doca_ctx_set_state_changed_cb(ctx, rig_state_changed));
}

/* Opens everything except the start; configures num_tasks deflate tasks unless it is 0. */
RIG void rig_open(struct rig *rig, uint32_t num_tasks)
{
	memset(rig, 0, sizeof(*rig));
	rig->memory = malloc(RIG_MEMORY);
	CHECK(rig->memory != NULL);
	for (size_t i = 0; i < RIG_MEMORY; i++)
		rig->memory[i] = (uint8_t)("software DPU "[i % 13] + (i >> 12) % 3);
	rig->dev = rig_open_device("0000:03:00.0");
	CHECK_OK(doca_pe_create(&rig->pe));
	CHECK_OK(doca_mmap_create(&rig->map));
	CHECK_OK(doca_mmap_set_memrange(rig->map, rig->memory, RIG_MEMORY));
	CHECK_OK(doca_mmap_set_permissions(rig->map, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE));
	CHECK_OK(doca_mmap_add_dev(rig->map, rig->dev));
	CHECK_OK(doca_mmap_start(rig->map));
	CHECK_OK(doca_buf_inventory_create(RIG_BUFFERS, &rig->inventory));
	CHECK_OK(doca_buf_inventory_start(rig->inventory));
	rig_create_context(rig);
	if (num_tasks > 0)
		CHECK_OK(RIG_CONFIGURE(rig, compress_deflate, num_tasks));
}

RIG void rig_check_nothing_is_left(void)
{
	struct softdpu_census census;

	softdpu_census(&census);
	CHECK_EQ(census.devices, 0);
	CHECK_EQ(census.engines, 0);
	CHECK_EQ(census.contexts, 0);
	CHECK_EQ(census.tasks, 0);
	CHECK_EQ(census.tasks_in_flight, 0);
	CHECK_EQ(census.maps, 0);
	CHECK_EQ(census.inventories, 0);
	CHECK_EQ(census.pools, 0);
	CHECK_EQ(census.buffers, 0);
	CHECK_EQ(census.hardware_threads, 0);
}

RIG enum doca_ctx_states rig_state(const struct rig *rig)
{
	enum doca_ctx_states state;

	CHECK_OK(doca_ctx_get_state(rig->ctx, &state));
	return state;
}

RIG size_t rig_in_flight(const struct rig *rig)
{
	size_t num_inflight;

	CHECK_OK(doca_ctx_get_num_inflight_tasks(rig->ctx, &num_inflight));
	return num_inflight;
}

/* Stops from any state, and progresses to IDLE. */
RIG void rig_stop(struct rig *rig)
{
	doca_error_t result = doca_ctx_stop(rig->ctx);

	CHECK(result == DOCA_SUCCESS || result == DOCA_ERROR_IN_PROGRESS);
	RIG_PROGRESS_UNTIL(rig->pe, rig_state(rig) == DOCA_CTX_STATE_IDLE);
}

/* Closes everything except the context, which the test has destroyed. */
RIG void rig_close_rest(struct rig *rig)
{
	CHECK_OK(doca_buf_inventory_destroy(rig->inventory));
	CHECK_OK(doca_mmap_destroy(rig->map));
	CHECK_OK(doca_pe_destroy(rig->pe));
	CHECK_OK(doca_dev_close(rig->dev));
	free(rig->memory);
	rig_check_nothing_is_left();
}

RIG void rig_close(struct rig *rig)
{
	rig_stop(rig);
	CHECK_OK(doca_compress_destroy(rig->compress));
	rig_close_rest(rig);
}

RIG void rig_check_states(const struct rig *rig, int count, ...)
{
	va_list expected;

	va_start(expected, count);
	for (int i = 0; i < count; i++) {
		CHECK(i < rig->num_states);
		CHECK_EQ(rig->states[i], va_arg(expected, int));
	}
	va_end(expected);
	CHECK_EQ(rig->num_states, count);
}

#include "rig_task.h"

#endif
