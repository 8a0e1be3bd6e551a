/* Public functions of erasure coding, except matrices. */
#include "sd_ec.h"

static const struct sd_context_ops ec_ops = {
	.name = "ec",
};

doca_error_t doca_ec_create(struct doca_dev *dev, struct doca_ec **ec)
{
	return sd_transform_create(&ec_ops, sizeof(struct doca_ec), dev, (struct sd_transform **)ec);
}

doca_error_t doca_ec_destroy(struct doca_ec *ec)
{
	if (sd_calls_refuse(__func__, ec))
		return DOCA_ERROR_BAD_STATE;
	if (ec == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (sd_context_require_idle(&ec->base.ctx) != DOCA_SUCCESS)
		return DOCA_ERROR_BAD_STATE;
	return sd_transform_destroy(&ec->base);
}

SD_PART(doca_ec_as_ctx, struct doca_ec, struct doca_ctx, base.ctx)

doca_error_t doca_ec_cap_get_max_block_size(const struct doca_devinfo *devinfo, uint64_t *max_block_size)
{
	return sd_transform_max_buf_size(devinfo, &sd_ec_create, max_block_size);
}

doca_error_t doca_ec_cap_get_max_buf_list_len(const struct doca_devinfo *devinfo, uint32_t *max_buf_list_len)
{
	return sd_transform_max_list_len(devinfo, &sd_ec_create, max_buf_list_len);
}

static doca_error_t alloc(struct doca_ec *ec, const struct sd_transform_kind *kind, const struct doca_ec_matrix *matrix,
			  const struct doca_buf *src, struct doca_buf *dst, union doca_data user_data, struct sd_ec_task **task)
{
	doca_error_t result = DOCA_ERROR_INVALID_VALUE;

	if (matrix != NULL)
		result = sd_transform_alloc((struct sd_transform *)ec, kind, src, dst, user_data, (struct doca_task **)task);
	if (result == DOCA_SUCCESS)
		(*task)->matrix = matrix;
	return result;
}

/* Defines setter and getter of a property of a kind; the getter may have another name. */
#define EC_PROPERTY(name, type, set_name, get_name, member)                                                                 \
	SD_SETTER(doca_ec_task_##name##_set_##set_name, struct doca_ec_task_##name, type, task.member)                      \
	SD_PROPERTY(doca_ec_task_##name##_get_##get_name, const struct doca_ec_task_##name, type, NULL, object->task.member)

/* Defines the public functions of a kind, which has separate names for its matrix, source and destination. */
#define EC_KIND(name, kind, matrix_name, src_name, dst_name, get_dst_name)                                                \
	doca_error_t doca_ec_cap_task_##name##_is_supported(const struct doca_devinfo *devinfo)                           \
	{                                                                                                                 \
		return sd_transform_is_supported(devinfo, kind);                                                          \
	}                                                                                                                 \
	SD_TRANSFORM_SET_CONF(doca_ec_task_##name, doca_ec, kind)                                                         \
	SD_TRANSFORM_AS_TASK(doca_ec_task_##name)                                                                         \
	EC_PROPERTY(name, const struct doca_ec_matrix *, matrix_name, matrix_name, matrix)                                \
	EC_PROPERTY(name, const struct doca_buf *, src_name, src_name, base.src)                                          \
	EC_PROPERTY(name, struct doca_buf *, dst_name, get_dst_name, base.dst)                                            \
	doca_error_t doca_ec_task_##name##_allocate_init(struct doca_ec *ec, const struct doca_ec_matrix *matrix,         \
							 const struct doca_buf *src, struct doca_buf *dst,                \
							 union doca_data user_data, struct doca_ec_task_##name **task)    \
	{                                                                                                                 \
		return alloc(ec, kind, matrix, src, dst, user_data, (struct sd_ec_task **)task);                          \
	}

EC_KIND(galois_mul, &sd_ec_galois_mul, coding_matrix, src_buf, dst_buf, dst_buf)
EC_KIND(create, &sd_ec_create, coding_matrix, original_data_blocks, rdnc_blocks, rdnc_blocks)
EC_KIND(update, &sd_ec_update, update_matrix, original_updated_and_rdnc_blocks, updated_rdnc_blocks, updated_rdnc_blocks)
EC_KIND(recover, &sd_ec_recover, recover_matrix, available_blocks, recovered_data_blocks, recovered_data)
