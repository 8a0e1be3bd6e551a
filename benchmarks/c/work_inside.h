/* Internals of work: work_kind.h has the rows of the kinds, work.c the loop, work_life.c begin and end. */
#ifndef WORK_INSIDE_H
#define WORK_INSIDE_H

#include "work.h"

struct work_slot {
	struct doca_task *task; /* NULL: not allocated, or freed */
	void *typed;		/* the task by its kind's type */
	uint32_t index;
	bool in_flight;
	bool waiting; /* has buffers, but the device refused the task */
	struct work_buffers *buffers;
	uint64_t begin_ns; /* with times in the plan */
};

struct work {
	struct engine *engine;
	const struct work_kind *kind;
	void *object;
	void *operand; /* key or matrix of all tasks; NULL: none */
	struct doca_ctx *ctx;
	struct work_plan plan;
	uint64_t next; /* number of the next task to submit */
	uint64_t done;
	uint64_t begin_ns;
	uint64_t end_ns;
	uint32_t window;
	uint32_t num_in_flight;
	uint32_t num_waiting;
	bool failed;
	bool ending;
	struct work_slot slots[];
};

/** Frees the task of a slot that is not in flight. */
void work_free_task(struct work_slot *slot);

/** Completion callbacks of all kinds; user data are the slot and the work. */
void work_on_done(union doca_data task_data, union doca_data ctx_data);
void work_on_failed(struct doca_task *task, union doca_data task_data, union doca_data ctx_data);

#endif
