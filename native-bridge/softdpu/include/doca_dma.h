/*
 * Copies by the device: DMA.
 *
 * A memcpy task reads the content of the source list and writes it into the free room of the destination list, whose content
 * grows. Either side may be memory of this process or of a map that was created from an export. A task fails with IO_FAILED if
 * the source is empty, the destination is too small, a permission is missing, or the owner withdrew the memory. A failed task
 * may have written part of the destination; the length of its content does not change.
 *
 * A DMA context stops after the failure of a task: it moves to STOPPING, and its other tasks fail.
 *
 * Thread: the thread of the context's progress engine. Capability calls with a devinfo: any. For a NULL argument, a function
 * returns INVALID_VALUE if it returns an error; otherwise the behavior is undefined.
 */
#ifndef DOCA_DMA_H_
#define DOCA_DMA_H_

#include <inttypes.h>
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
struct doca_dma;
struct doca_dma_task_memcpy;
struct doca_gpu_dma;
struct doca_task;

/** @name The context */
/** @{ */
/** Creates a context on an opened device. The device stays in use until the context is destroyed. NO_MEMORY. */
DOCA_STABLE
doca_error_t doca_dma_create(struct doca_dev *dev, struct doca_dma **dma);
/** Destroys the context. IN_USE: not IDLE, or tasks exist. */
DOCA_STABLE
doca_error_t doca_dma_destroy(struct doca_dma *dma);
/** Returns the generic context, which has the lifetime of dma. */
DOCA_STABLE
struct doca_ctx *doca_dma_as_ctx(struct doca_dma *dma);
/** Returns the limit of num_memcpy_tasks. */
DOCA_STABLE
doca_error_t doca_dma_cap_get_max_num_tasks(struct doca_dma *dma, uint32_t *max_num_tasks);
/** Sets the order of completions. 1: in the order of submission; 0 (default): any order. BAD_STATE: not IDLE. */
DOCA_EXPERIMENTAL
doca_error_t doca_dma_set_ordered_completions(struct doca_dma *dma, uint8_t flag);
/** Returns the handle for a data path on a GPU. NOT_SUPPORTED by the software DPU. */
DOCA_EXPERIMENTAL
doca_error_t doca_dma_get_gpu_handle(struct doca_dma *dma, struct doca_gpu_dma **gpu_dma);
/** @} */

/** @name Memory to memory */
/** @{ */
/** Called from progress when a memcpy task ended. */
typedef void (*doca_dma_task_memcpy_completion_cb_t)(struct doca_dma_task_memcpy *task, union doca_data task_user_data,
						      union doca_data ctx_user_data);
/** Returns SUCCESS if the device supports this task type; NOT_SUPPORTED if not. */
DOCA_STABLE
doca_error_t doca_dma_cap_task_memcpy_is_supported(const struct doca_devinfo *devinfo);
/** Returns the largest size of one copy in bytes, over all elements of the source. NOT_SUPPORTED. */
DOCA_STABLE
doca_error_t doca_dma_cap_task_memcpy_get_max_buf_size(const struct doca_devinfo *devinfo, uint64_t *buf_size);
/** Returns the largest number of elements of a list, on either side; 1: no lists. */
DOCA_STABLE
doca_error_t doca_dma_cap_task_memcpy_get_max_buf_list_len(const struct doca_devinfo *devinfo,
							    uint32_t *max_buf_list_len);
/** Configures num_memcpy_tasks tasks and their callbacks for success and failure. BAD_STATE: not IDLE. */
DOCA_STABLE
doca_error_t doca_dma_task_memcpy_set_conf(struct doca_dma *dma, doca_dma_task_memcpy_completion_cb_t task_completion_cb,
					   doca_dma_task_memcpy_completion_cb_t task_error_cb,
					   uint32_t num_memcpy_tasks);
/** Allocates a task. BAD_STATE: not RUNNING; NO_MEMORY: all num_memcpy_tasks tasks are allocated. */
DOCA_STABLE
doca_error_t doca_dma_task_memcpy_alloc_init(struct doca_dma *dma, const struct doca_buf *src, struct doca_buf *dst,
					     union doca_data user_data, struct doca_dma_task_memcpy **task);
DOCA_STABLE
struct doca_task *doca_dma_task_memcpy_as_task(struct doca_dma_task_memcpy *task);
DOCA_STABLE
void doca_dma_task_memcpy_set_src(struct doca_dma_task_memcpy *task, const struct doca_buf *src);
DOCA_STABLE
const struct doca_buf *doca_dma_task_memcpy_get_src(const struct doca_dma_task_memcpy *task);
DOCA_STABLE
void doca_dma_task_memcpy_set_dst(struct doca_dma_task_memcpy *task, struct doca_buf *dst);
DOCA_STABLE
struct doca_buf *doca_dma_task_memcpy_get_dst(const struct doca_dma_task_memcpy *task);
/** @} */

#ifdef __cplusplus
}
#endif

#endif
