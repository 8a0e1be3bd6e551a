/*
 * Advice about memory: a task invalidates the cached data of a buffer, before the processor reads data that a device wrote
 * there. The memory of the software DPU is coherent and needs no invalidation: the task validates its buffer and succeeds.
 *
 * Thread: the thread of the context's progress engine. Capability calls: any. For a NULL argument, a function returns
 * INVALID_VALUE if it returns an error; otherwise the behavior is undefined.
 */
#ifndef DOCA_MMAP_ADVISE_H_
#define DOCA_MMAP_ADVISE_H_

#include <stddef.h>
#include <stdint.h>

#include "doca_compat.h"
#include "doca_error.h"
#include "doca_types.h"

#ifdef __cplusplus
extern "C" {
#endif

struct doca_buf;
struct doca_ctx;
struct doca_dev;
struct doca_devinfo;
struct doca_mmap_advise;
struct doca_mmap_advise_task_invalidate_cache;
struct doca_task;

/** @name The context */
/** @{ */
/** Creates a context on an opened device. The device stays in use until the context is destroyed. NO_MEMORY. */
DOCA_EXPERIMENTAL
doca_error_t doca_mmap_advise_create(struct doca_dev *dev, struct doca_mmap_advise **mmap_advise);
/** Destroys the context. IN_USE: not IDLE, or tasks exist. */
DOCA_EXPERIMENTAL
doca_error_t doca_mmap_advise_destroy(struct doca_mmap_advise *mmap_advise);
/** Returns the generic context, which has the lifetime of mmap_advise. */
DOCA_EXPERIMENTAL
struct doca_ctx *doca_mmap_advise_as_ctx(struct doca_mmap_advise *mmap_advise);
/** @} */

/** @name Invalidation of the cached data of a buffer */
/** @{ */
/** Called from progress when an invalidation task ended. */
typedef void (*doca_mmap_advise_task_invalidate_cache_completion_cb_t)(struct doca_mmap_advise_task_invalidate_cache *task,
									union doca_data task_user_data,
									union doca_data ctx_user_data);
/** Returns SUCCESS if the device supports this task type; NOT_SUPPORTED if not. */
DOCA_EXPERIMENTAL
doca_error_t doca_mmap_advise_cap_task_cache_invalidate_is_supported(const struct doca_devinfo *devinfo);
/** Returns the largest content of a buffer in bytes. */
DOCA_EXPERIMENTAL
doca_error_t doca_mmap_advise_task_cache_invalidate_get_max_buf_size(const struct doca_devinfo *devinfo, uint64_t *buf_size);
/** Configures num_tasks tasks and their callbacks for success and failure. NOT_PERMITTED: not IDLE. */
DOCA_EXPERIMENTAL
doca_error_t doca_mmap_advise_task_invalidate_cache_set_conf(
	struct doca_mmap_advise *mmap_advise, doca_mmap_advise_task_invalidate_cache_completion_cb_t completion_cb,
	doca_mmap_advise_task_invalidate_cache_completion_cb_t error_cb, uint32_t num_tasks);
/**
 * Allocates a task. BAD_STATE: not RUNNING; NO_MEMORY: all num_tasks tasks are allocated. The task fails with IO_FAILED if the
 * buffer's map is not started, or does not belong to the device.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_mmap_advise_task_invalidate_cache_alloc_init(struct doca_mmap_advise *mmap_advise, struct doca_buf *buf,
							       union doca_data user_data,
							       struct doca_mmap_advise_task_invalidate_cache **task);
DOCA_EXPERIMENTAL
struct doca_task *
doca_mmap_advise_task_invalidate_cache_as_doca_task(struct doca_mmap_advise_task_invalidate_cache *task);
DOCA_EXPERIMENTAL
void doca_mmap_advise_task_invalidate_cache_set_buf(struct doca_mmap_advise_task_invalidate_cache *task, struct doca_buf *buf);
DOCA_EXPERIMENTAL
struct doca_buf *doca_mmap_advise_task_invalidate_cache_get_buf(const struct doca_mmap_advise_task_invalidate_cache *task);
/** @} */

#ifdef __cplusplus
}
#endif

#endif
