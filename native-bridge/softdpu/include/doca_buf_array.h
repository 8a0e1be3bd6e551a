/*
 * Arrays of buffers for programs on other processors. A memory map is divided into elements of equal size, which a GPU or the
 * data-path accelerator (DPA) indexes. The software DPU has neither: an array accepts its settings but no target, and so never
 * starts.
 *
 * Thread: one thread at a time. A NULL argument is INVALID_VALUE.
 */
#ifndef DOCA_BUF_ARRAY_H_
#define DOCA_BUF_ARRAY_H_

#include <stddef.h>
#include <stdint.h>

#include "doca_compat.h"
#include "doca_error.h"
#include "doca_types.h"

#ifdef __cplusplus
extern "C" {
#endif

struct doca_buf_arr;
struct doca_dpa;
struct doca_gpu;
struct doca_gpu_buf_arr;
struct doca_mmap;

/** Handle of an array on the DPA. */
typedef uint64_t doca_dpa_dev_buf_arr_t;

/** Creates an array of num_elem elements. INVALID_VALUE: 0 elements; NO_MEMORY. */
DOCA_EXPERIMENTAL
doca_error_t doca_buf_arr_create(size_t num_elem, struct doca_buf_arr **buf_arr);
/** Destroys the array and releases its map. */
DOCA_EXPERIMENTAL
doca_error_t doca_buf_arr_destroy(struct doca_buf_arr *buf_arr);
/**
 * Sets the elements: elem_size bytes each, from start_offset of the map. The map must outlive the array. INVALID_VALUE: size 0.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_buf_arr_set_params(struct doca_buf_arr *buf_arr, struct doca_mmap *mmap, size_t elem_size,
				     uint64_t start_offset);
/** Sets a program on the DPA (or on a GPU) as target. NOT_SUPPORTED by the software DPU. */
DOCA_EXPERIMENTAL
doca_error_t doca_buf_arr_set_target_dpa(struct doca_buf_arr *buf_arr, struct doca_dpa *dpa_handler);
DOCA_EXPERIMENTAL
doca_error_t doca_buf_arr_set_target_gpu(struct doca_buf_arr *buf_arr, struct doca_gpu *gpu_handler);
/**
 * Starts the array. BAD_STATE: no settings, the map is not started, or no target (always on the software DPU); NO_MEMORY: the
 * map is too small.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_buf_arr_start(struct doca_buf_arr *buf_arr);
/** Stops the array; does nothing if it is not started. */
DOCA_EXPERIMENTAL
doca_error_t doca_buf_arr_stop(struct doca_buf_arr *buf_arr);
/** Returns the handle for the program on the other processor. NOT_SUPPORTED by the software DPU. */
DOCA_EXPERIMENTAL
doca_error_t doca_buf_arr_get_dpa_handle(const struct doca_buf_arr *buf_arr, doca_dpa_dev_buf_arr_t *dpa_buf_arr);
DOCA_EXPERIMENTAL
doca_error_t doca_buf_arr_get_gpu_handle(const struct doca_buf_arr *buf_arr, struct doca_gpu_buf_arr **gpu_buf_arr);

#ifdef __cplusplus
}
#endif

#endif
