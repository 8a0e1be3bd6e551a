/* Public functions: arrays of buffers. The software DPU has no processor that could use them. */
#include "doca_buf_array.h"

#include <stdlib.h>

#include "mmap.h"
#include "sd_log.h"
#include "sd_shape.h"

struct doca_buf_arr {
	size_t num_elem;
	struct doca_mmap *mmap;			/**< NULL: no settings */
	size_t elem_size;
	uint64_t start_offset;
};

static doca_error_t refuse(const char *what)
{
	SD_LOG_INFO("an array of buffers is for a GPU or the DPA, of which the software DPU has none: no %s", what);
	return DOCA_ERROR_NOT_SUPPORTED;
}

doca_error_t doca_buf_arr_create(size_t num_elem, struct doca_buf_arr **buf_arr)
{
	struct doca_buf_arr *created;

	if (num_elem == 0 || buf_arr == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	created = calloc(1, sizeof(*created));
	if (created == NULL)
		return DOCA_ERROR_NO_MEMORY;
	created->num_elem = num_elem;
	*buf_arr = created;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_arr_destroy(struct doca_buf_arr *buf_arr)
{
	if (buf_arr == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	free(buf_arr);
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_arr_set_params(struct doca_buf_arr *buf_arr, struct doca_mmap *mmap, size_t elem_size,
				     uint64_t start_offset)
{
	if (buf_arr == NULL || mmap == NULL || elem_size == 0)
		return DOCA_ERROR_INVALID_VALUE;
	buf_arr->mmap = mmap;
	buf_arr->elem_size = elem_size;
	buf_arr->start_offset = start_offset;
	return DOCA_SUCCESS;
}

doca_error_t doca_buf_arr_set_target_dpa(struct doca_buf_arr *buf_arr, struct doca_dpa *dpa_handler)
{
	return buf_arr == NULL || dpa_handler == NULL ? DOCA_ERROR_INVALID_VALUE : refuse("target");
}

doca_error_t doca_buf_arr_set_target_gpu(struct doca_buf_arr *buf_arr, struct doca_gpu *gpu_handler)
{
	return buf_arr == NULL || gpu_handler == NULL ? DOCA_ERROR_INVALID_VALUE : refuse("target");
}

static uint8_t fits(const struct doca_buf_arr *arr)
{
	uint64_t len, end;

	return !__builtin_mul_overflow(arr->num_elem, arr->elem_size, &len) &&
	       !__builtin_add_overflow(arr->start_offset, len, &end) && end <= arr->mmap->len;
}

doca_error_t doca_buf_arr_start(struct doca_buf_arr *buf_arr)
{
	if (buf_arr == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (buf_arr->mmap == NULL || !buf_arr->mmap->started)
		return DOCA_ERROR_BAD_STATE;
	if (!fits(buf_arr))
		return DOCA_ERROR_NO_MEMORY;
	SD_LOG_INFO("an array of buffers cannot be started: it has no target");
	return DOCA_ERROR_BAD_STATE;
}

SD_PRESENT(doca_buf_arr_stop, struct doca_buf_arr)

doca_error_t doca_buf_arr_get_dpa_handle(const struct doca_buf_arr *buf_arr, doca_dpa_dev_buf_arr_t *dpa_buf_arr)
{
	return buf_arr == NULL || dpa_buf_arr == NULL ? DOCA_ERROR_INVALID_VALUE : refuse("handle");
}

doca_error_t doca_buf_arr_get_gpu_handle(const struct doca_buf_arr *buf_arr, struct doca_gpu_buf_arr **gpu_buf_arr)
{
	return buf_arr == NULL || gpu_buf_arr == NULL ? DOCA_ERROR_INVALID_VALUE : refuse("handle");
}
