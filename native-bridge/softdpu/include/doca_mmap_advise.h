/*
 * Advice about memory: a processor's caches may be told to forget what they have of a buffer, before the processor reads what a device
 * has put there. Where memory is coherent, as it is here, there is nothing to forget: the task looks at its buffer and succeeds.
 *
 * Thread: the thread of the context's progress engine. Capability calls: any. A NULL argument is INVALID_VALUE where an error is
 * returned, and undefined elsewhere.
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
/** A context on an opened device, which stays in use. NO_MEMORY. */
DOCA_EXPERIMENTAL
doca_error_t doca_mmap_advise_create(struct doca_dev *dev, struct doca_mmap_advise **mmap_advise);
/** IN_USE: not IDLE, or tasks are left. */
DOCA_EXPERIMENTAL
doca_error_t doca_mmap_advise_destroy(struct doca_mmap_advise *mmap_advise);
/** The context part; lives and dies with mmap_advise. */
DOCA_EXPERIMENTAL
struct doca_ctx *doca_mmap_advise_as_ctx(struct doca_mmap_advise *mmap_advise);
/** @} */

/** @name Forgetting what caches have of a buffer */
/** @{ */
/** Called by progress when such a task has ended. */
typedef void (*doca_mmap_advise_task_invalidate_cache_completion_cb_t)(struct doca_mmap_advise_task_invalidate_cache *task,
									union doca_data task_user_data,
									union doca_data ctx_user_data);
/** SUCCESS: the device has such tasks; NOT_SUPPORTED: it has not. */
DOCA_EXPERIMENTAL
doca_error_t doca_mmap_advise_cap_task_cache_invalidate_is_supported(const struct doca_devinfo *devinfo);
/** Limit of a buffer's content in bytes. */
DOCA_EXPERIMENTAL
doca_error_t doca_mmap_advise_task_cache_invalidate_get_max_buf_size(const struct doca_devinfo *devinfo, uint64_t *buf_size);
/** Ask for num_tasks tasks and say who is called on success and on failure. NOT_PERMITTED: not IDLE. */
DOCA_EXPERIMENTAL
doca_error_t doca_mmap_advise_task_invalidate_cache_set_conf(
	struct doca_mmap_advise *mmap_advise, doca_mmap_advise_task_invalidate_cache_completion_cb_t completion_cb,
	doca_mmap_advise_task_invalidate_cache_completion_cb_t error_cb, uint32_t num_tasks);
/** Take a task. BAD_STATE: not RUNNING; NO_MEMORY: all num_tasks are out. The task fails with IO_FAILED when the buffer's map is not
 *  started, or not the device's. */
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
