#include <doca_erasure_coding.h>

#include "work_kind.h"

/* A source has DATA blocks, a destination REDUNDANCY blocks of the same size. */
enum { DATA = 4, REDUNDANCY = 2 };

static doca_error_t create_matrix(void *object, void **operand)
{
	return doca_ec_matrix_create(object, DOCA_EC_MATRIX_TYPE_CAUCHY, DATA, REDUNDANCY, (struct doca_ec_matrix **)operand);
}

static doca_error_t destroy_matrix(void *operand)
{
	return doca_ec_matrix_destroy(operand);
}

static doca_error_t alloc_task(void *object, void *operand, const struct work_buffers *buffers, union doca_data user_data,
			       struct doca_ec_task_create **task)
{
	return doca_ec_task_create_allocate_init(object, operand, buffers->src, buffers->dst, user_data, task);
}

static bool suits(const struct doca_devinfo *info)
{
	return doca_ec_cap_task_create_is_supported(info) == DOCA_SUCCESS;
}

static size_t dst_len(size_t src_len)
{
	return src_len / DATA * REDUNDANCY;
}

WORK_KIND(doca_ec, create, original_data_blocks, rdnc_blocks, WORK_SAME, WORK_NO_RESULT)

const struct work_kind work_ec = { .name = "erasure-coding", .wanted = "a device that computes redundancy blocks", .suits = suits,
				   .dst_len = dst_len, .create_operand = create_matrix, .destroy_operand = destroy_matrix, WORK_ROW };
