/*
 * Copies by the device: DMA.
 *
 * A memcpy task reads the content of the source list and writes it into the free room of the destination list, whose content
 * grows by it. Either side may be memory of this process or of a map made from an export. An empty source, too little room,
 * memory that was taken back by its owner, or a missing permission makes the task fail with IO_FAILED; part of the
 * destination may have been written by then, its content's length is as before.
 *
 * A DMA context does not survive the failure of a task: it moves to STOPPING by itself, and its other tasks fail.
 *
 * Thread: the thread of the context's progress engine. Capability calls with a devinfo: any. A NULL argument is
 * INVALID_VALUE where an error is returned, and undefined elsewhere.
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
/** A context on an opened device, which stays in use. NO_MEMORY. */
DOCA_STABLE
doca_error_t doca_dma_create(struct doca_dev *dev, struct doca_dma **dma);
/** IN_USE: not IDLE, or tasks are left. */
DOCA_STABLE
doca_error_t doca_dma_destroy(struct doca_dma *dma);
/** The context part; lives and dies with dma. */
DOCA_STABLE
struct doca_ctx *doca_dma_as_ctx(struct doca_dma *dma);
/** Limit of num_memcpy_tasks. */
DOCA_STABLE
doca_error_t doca_dma_cap_get_max_num_tasks(struct doca_dma *dma, uint32_t *max_num_tasks);
/** 1: tasks are reported in the order of their submission; 0 (default): in any order. BAD_STATE: not IDLE. */
DOCA_EXPERIMENTAL
doca_error_t doca_dma_set_ordered_completions(struct doca_dma *dma, uint8_t flag);
/** Handle for a data path on a GPU. NOT_SUPPORTED by the software DPU. */
DOCA_EXPERIMENTAL
doca_error_t doca_dma_get_gpu_handle(struct doca_dma *dma, struct doca_gpu_dma **gpu_dma);
/** @} */

/** @name Memory to memory */
/** @{ */
/** Called by progress when such a task has ended. */
typedef void (*doca_dma_task_memcpy_completion_cb_t)(struct doca_dma_task_memcpy *task, union doca_data task_user_data,
						      union doca_data ctx_user_data);
/** SUCCESS: the device can do it; NOT_SUPPORTED: it cannot. */
DOCA_STABLE
doca_error_t doca_dma_cap_task_memcpy_is_supported(const struct doca_devinfo *devinfo);
/** Limit of what one task copies, in bytes, over all elements of the source. NOT_SUPPORTED. */
DOCA_STABLE
doca_error_t doca_dma_cap_task_memcpy_get_max_buf_size(const struct doca_devinfo *devinfo, uint64_t *buf_size);
/** Limit of a list's length in elements, on either side; 1: no lists. */
DOCA_STABLE
doca_error_t doca_dma_cap_task_memcpy_get_max_buf_list_len(const struct doca_devinfo *devinfo,
							    uint32_t *max_buf_list_len);
/** Ask for num_memcpy_tasks tasks and say who is called on success and on failure. BAD_STATE: not IDLE. */
DOCA_STABLE
doca_error_t doca_dma_task_memcpy_set_conf(struct doca_dma *dma, doca_dma_task_memcpy_completion_cb_t task_completion_cb,
					   doca_dma_task_memcpy_completion_cb_t task_error_cb,
					   uint32_t num_memcpy_tasks);
/** Take a task. BAD_STATE: not RUNNING; NO_MEMORY: all num_memcpy_tasks are out. */
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
