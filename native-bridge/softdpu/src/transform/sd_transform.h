/*
 * Transforms: tasks that read a source list and write a destination list. DMA, compress, SHA and AES-GCM share this life cycle:
 *
 *   submit: latch source and destination -> execute: code of the kind -> complete: add the produced bytes to the destination
 *
 * A library defines a context whose first member is a struct sd_transform, and tasks whose first member is a struct
 * sd_transform_task. The library has one static struct sd_transform_kind per kind of task. The macros at the end define public
 * functions of a kind.
 */
#ifndef SD_TRANSFORM_H
#define SD_TRANSFORM_H

#include <stddef.h>
#include <stdint.h>

#include "sd_calls.h"
#include "sd_context.h"
#include "sd_memory.h"
#include "sd_profile.h"
#include "sd_shape.h"

/** Largest sum of tasks over all kinds of a context. */
enum { SD_TRANSFORM_MAX_TASKS = 8192 };

/** Context of a library. */
struct sd_transform {
	struct doca_ctx ctx;			/**< first member */
	const struct sd_profile *profile;
};

struct sd_transform_task {
	struct doca_task base;			/**< first member */
	const struct doca_buf *src;
	struct doca_buf *dst;
	struct sd_latch in, out;		/**< held from submit to completion */
	size_t produced;			/**< result: bytes written to the destination */
};

/** One kind of task: a static record. */
struct sd_transform_kind {
	struct sd_task_operation operation;	/**< first member; SD_TRANSFORM_OPERATION fills it */
	size_t capability;			/**< offset of the kind's limits in struct sd_profile */
	uint8_t reaches_imports;		/**< the lists may contain imported maps */
	uint8_t limits_blocks;			/**< max_buf_size limits a block of the source; can_succeed checks it */
	/** Returns whether what the kind needs is installed. NULL: always. Thread: any. */
	uint8_t (*is_available)(void);
	/**
	 * Resets the task's results before its lists are latched. Another result than SUCCESS becomes the task's result. NULL:
	 * nothing to do. Thread: program's.
	 */
	doca_error_t (*prepare)(struct sd_transform_task *task);
	/** Holds what execution needs beside the lists. Called when both lists are latched. May be NULL. Thread: program's. */
	void (*hold)(struct sd_transform_task *task);
	/**
	 * Ends a submission: its status is set, its lists are released. Called also if hold was not. May be NULL. Thread:
	 * program's.
	 */
	void (*end)(struct sd_transform_task *task);
	/**
	 * Returns whether the latched task can succeed, beyond the limits of its kind. NULL: always. Thread: program's or
	 * hardware thread.
	 */
	uint8_t (*can_succeed)(const struct sd_transform_task *task);
	/** Executes a task within its limits and sets produced. Thread: hardware thread. */
	doca_error_t (*code)(struct sd_transform_task *task, void *unit);
};

/** Returns the limits of the task's kind on its card. Thread: any. */
const struct sd_task_capability *sd_transform_limits(const struct sd_transform_task *task);

/** Functions of the operation of a kind. */
#define SD_TRANSFORM_OPERATION(kind_name, task_type, unit)   \
	.name = kind_name,                                   \
	.task_size = sizeof(task_type),                      \
	.unit_type = unit,                                   \
	.validate = sd_transform_validate,                   \
	.latch = sd_transform_latch,                         \
	.execute = sd_transform_execute,                     \
	.complete = sd_transform_complete,                   \
	.corrupt = sd_transform_corrupt

/** @name Functions of the operation */
/** @{ */
/** Returns INVALID_VALUE if the task cannot succeed. */
doca_error_t sd_transform_validate(struct doca_task *task);
/** Latches both lists, then calls hold. IO_FAILED: a buffer is invalid; the task fails, because a device finds that out at the access. */
doca_error_t sd_transform_latch(struct doca_task *task);
/** Calls the kind's code. IO_FAILED: the task is not within the limits, or cannot succeed. */
doca_error_t sd_transform_execute(struct doca_task *task, void *unit);
/** Adds the produced bytes to the destination after success, and releases both lists, then calls end. */
void sd_transform_complete(struct doca_task *task);
/** Flips one bit in the middle of the output. */
void sd_transform_corrupt(struct doca_task *task);
/** @} */

/** @name Functions of the context */
/** @{ */
/** Creates a context of size bytes, zeroed after its first member. INVALID_VALUE: dev or transform is NULL; NO_MEMORY. */
doca_error_t sd_transform_create(const struct sd_context_ops *ops, size_t size, struct doca_dev *dev,
				 struct sd_transform **transform);
/** Destroys the context and frees its memory. INVALID_VALUE: NULL; IN_USE: not IDLE. */
doca_error_t sd_transform_destroy(struct sd_transform *transform);
/**
 * Configures the task pool of a kind. The callbacks have the type of the kind; their task has the address of the struct
 * doca_task. INVALID_VALUE: a NULL argument, no task, or too many; BAD_STATE: not IDLE; NOT_SUPPORTED: by the device.
 */
doca_error_t sd_transform_set_conf(struct sd_transform *transform, const struct sd_transform_kind *kind,
				   doca_task_completion_cb_t completed, doca_task_completion_cb_t failed, uint32_t num_tasks);
/** Allocates a task. INVALID_VALUE: a NULL argument; else as sd_task_alloc(). */
doca_error_t sd_transform_alloc(struct sd_transform *transform, const struct sd_transform_kind *kind,
				const struct doca_buf *src, struct doca_buf *dst, union doca_data user_data,
				struct doca_task **task);
/** @} */

/** @name Capabilities of a device for a kind; thread: any. INVALID_VALUE: a NULL argument; NOT_SUPPORTED. */
/** @{ */
doca_error_t sd_transform_is_supported(const struct doca_devinfo *devinfo, const struct sd_transform_kind *kind);
doca_error_t sd_transform_max_buf_size(const struct doca_devinfo *devinfo, const struct sd_transform_kind *kind, uint64_t *size);
doca_error_t sd_transform_max_list_len(const struct doca_devinfo *devinfo, const struct sd_transform_kind *kind, uint32_t *len);
/** @} */

/** Defines <library>_create and <library>_destroy of a library whose contexts have nothing else to set up. */
#define SD_TRANSFORM_LIFE(library, ops)                                                                         \
	doca_error_t library##_create(struct doca_dev *dev, struct library **context)                           \
	{                                                                                                       \
		return sd_transform_create(ops, sizeof(struct library), dev, (struct sd_transform **)context);  \
	}                                                                                                       \
	doca_error_t library##_destroy(struct library *context)                                                 \
	{                                                                                                       \
		if (sd_calls_refuse(__func__, context))                                                         \
			return DOCA_ERROR_BAD_STATE;                                                            \
		return sd_transform_destroy((struct sd_transform *)context);                                    \
	}

/** Defines <library>_as_ctx and <library>_cap_get_max_num_tasks. */
#define SD_TRANSFORM_CONTEXT(library)                                                                   \
	SD_PART(library##_as_ctx, struct library, struct doca_ctx, base.ctx)                            \
	SD_GETTER(library##_cap_get_max_num_tasks, struct library, uint32_t, SD_TRANSFORM_MAX_TASKS)

/** Defines the capability functions <name>_is_supported, <name>_get_max_buf_size and <name>_<list_len>. */
#define SD_TRANSFORM_CAPABILITIES(name, kind, list_len)                                                                       \
	doca_error_t name##_is_supported(const struct doca_devinfo *devinfo)                                                \
	{                                                                                                                   \
		return sd_transform_is_supported(devinfo, kind);                                                            \
	}                                                                                                                   \
	doca_error_t name##_get_max_buf_size(const struct doca_devinfo *devinfo, uint64_t *max_buf_size)                    \
	{                                                                                                                   \
		return sd_transform_max_buf_size(devinfo, kind, max_buf_size);                                              \
	}                                                                                                                   \
	doca_error_t name##_##list_len(const struct doca_devinfo *devinfo, uint32_t *max_list_len)                          \
	{                                                                                                                   \
		return sd_transform_max_list_len(devinfo, kind, max_list_len);                                              \
	}

/** Defines <name>_set_conf of the library's context. */
#define SD_TRANSFORM_SET_CONF(name, library, kind)                                                                            \
	doca_error_t name##_set_conf(struct library *context, name##_completion_cb_t completed,                             \
				     name##_completion_cb_t failed, uint32_t num_tasks)                                     \
	{                                                                                                                   \
		return sd_transform_set_conf((struct sd_transform *)context, kind, (doca_task_completion_cb_t)completed,    \
					     (doca_task_completion_cb_t)failed, num_tasks);                                 \
	}

/** Defines <name>_as_task. */
#define SD_TRANSFORM_AS_TASK(name)                                            \
	struct doca_task *name##_as_task(struct name *task)                   \
	{                                                                     \
		return (struct doca_task *)task;                              \
	}

/** Defines <name>_as_task, and setters and getters of source and destination. A setter ignores a NULL task. */
#define SD_TRANSFORM_BUFFERS(name)                                                          \
	SD_TRANSFORM_AS_TASK(name)                                                          \
	void name##_set_src(struct name *task, const struct doca_buf *src)                  \
	{                                                                                   \
		if (task != NULL)                                                           \
			((struct sd_transform_task *)task)->src = src;                      \
	}                                                                                   \
	const struct doca_buf *name##_get_src(const struct name *task)                      \
	{                                                                                   \
		return task == NULL ? NULL : ((const struct sd_transform_task *)task)->src; \
	}                                                                                   \
	void name##_set_dst(struct name *task, struct doca_buf *dst)                        \
	{                                                                                   \
		if (task != NULL)                                                           \
			((struct sd_transform_task *)task)->dst = dst;                      \
	}                                                                                   \
	struct doca_buf *name##_get_dst(const struct name *task)                            \
	{                                                                                   \
		return task == NULL ? NULL : ((const struct sd_transform_task *)task)->dst; \
	}

#endif
