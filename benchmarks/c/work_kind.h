/*
 * One row per kind of task. WORK_KIND() defines the functions of a row whose names follow DOCA's rule:
 *
 *   library     doca_sha: doca_sha_create(), doca_sha_as_ctx(), doca_sha_destroy()
 *   verb        hash: doca_sha_task_hash_set_conf(), doca_sha_task_hash_as_task()
 *   source,     names of the setters of the buffers: doca_sha_task_hash_set_<source>()
 *   target
 *   num(n)      the argument of set_conf for n tasks
 *   on_done     function of the typed task and its buffers that reads results
 *
 * The file of the row defines alloc_task(), because its arguments differ, and the row itself, which ends with WORK_ROW.
 */
#ifndef WORK_KIND_H
#define WORK_KIND_H

#include <doca_ctx.h>

#include "work_inside.h"

#define WORK_KIND(library, verb, source, target, num, on_done)									\
	static doca_error_t create(struct doca_dev *dev, void **object, struct doca_ctx **ctx)					\
	{															\
		struct library *created;											\
		doca_error_t result = library##_create(dev, &created);								\
																\
		if (result != DOCA_SUCCESS)											\
			return result;												\
		*object = created;												\
		*ctx = library##_as_ctx(created);										\
		return DOCA_SUCCESS;												\
	}															\
	static doca_error_t destroy(void *object)										\
	{															\
		return library##_destroy(object);										\
	}															\
	static void done(struct library##_task_##verb *typed, union doca_data task_data, union doca_data ctx_data)		\
	{															\
		on_done(typed, ((struct work_slot *)task_data.ptr)->buffers);							\
		work_on_done(task_data, ctx_data);										\
	}															\
	static void failed(struct library##_task_##verb *typed, union doca_data task_data, union doca_data ctx_data)		\
	{															\
		work_on_failed(library##_task_##verb##_as_task(typed), task_data, ctx_data);					\
	}															\
	static doca_error_t configure(void *object, uint32_t num_tasks)								\
	{															\
		return library##_task_##verb##_set_conf(object, done, failed, num(num_tasks));					\
	}															\
	static doca_error_t alloc(void *object, void *operand, const struct work_buffers *buffers, union doca_data user_data, \
				  struct work_slot *slot)									\
	{															\
		struct library##_task_##verb *typed;										\
		doca_error_t result = alloc_task(object, operand, buffers, user_data, &typed);					\
																\
		if (result != DOCA_SUCCESS)											\
			return result;												\
		slot->typed = typed;												\
		slot->task = library##_task_##verb##_as_task(typed);								\
		return DOCA_SUCCESS;												\
	}															\
	static void set(void *typed, const struct work_buffers *buffers)							\
	{															\
		library##_task_##verb##_set_##source(typed, buffers->src);							\
		library##_task_##verb##_set_##target(typed, buffers->dst);							\
	}

#define WORK_ROW .create = create, .destroy = destroy, .configure = configure, .alloc = alloc, .set = set

/* num of most kinds; SHA needs a logarithm. */
#define WORK_SAME(n) (n)
/* on_done of a kind whose tasks have no results besides the destination. */
#define WORK_NO_RESULT(typed, buffers) ((void)(typed))

#endif
