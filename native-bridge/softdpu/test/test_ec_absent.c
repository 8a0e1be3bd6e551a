/* Without ISA-L the capabilities of erasure coding answer no, and nothing is created or configured. */
#include <dlfcn.h>

#include "doca_erasure_coding.h"
#include "rig.h"

/* Takes the place of the C library's function: no library can be loaded. */
void *dlopen(const char *name, int flags)
{
	(void)name;
	(void)flags;
	return NULL;
}

static void ended(struct doca_ec_task_create *task, union doca_data task_data, union doca_data ctx_data)
{
	(void)task;
	(void)task_data;
	(void)ctx_data;
}

int main(void)
{
	struct doca_dev *dev = rig_open_device("0000:03:00.0");
	const struct doca_devinfo *devinfo = doca_dev_as_devinfo(dev);
	uint8_t bytes[] = { 1, 2 };
	struct doca_ec_matrix *matrix;
	struct doca_ec *ec;
	uint64_t size;
	uint32_t len;

	CHECK_ERROR(doca_ec_cap_task_create_is_supported(devinfo), DOCA_ERROR_NOT_SUPPORTED);
	CHECK_ERROR(doca_ec_cap_task_recover_is_supported(devinfo), DOCA_ERROR_NOT_SUPPORTED);
	CHECK_ERROR(doca_ec_cap_task_update_is_supported(devinfo), DOCA_ERROR_NOT_SUPPORTED);
	CHECK_ERROR(doca_ec_cap_task_galois_mul_is_supported(devinfo), DOCA_ERROR_NOT_SUPPORTED);
	CHECK_ERROR(doca_ec_cap_get_max_block_size(devinfo, &size), DOCA_ERROR_NOT_SUPPORTED);
	CHECK_ERROR(doca_ec_cap_get_max_buf_list_len(devinfo, &len), DOCA_ERROR_NOT_SUPPORTED);
	CHECK_OK(doca_ec_create(dev, &ec));
	CHECK_ERROR(doca_ec_task_create_set_conf(ec, ended, ended, 1), DOCA_ERROR_NOT_SUPPORTED);
	CHECK_ERROR(doca_ec_matrix_create(ec, DOCA_EC_MATRIX_TYPE_CAUCHY, 2, 1, &matrix), DOCA_ERROR_NOT_SUPPORTED);
	CHECK_ERROR(doca_ec_matrix_create_from_raw(ec, bytes, 2, 1, &matrix), DOCA_ERROR_NOT_SUPPORTED);
	CHECK_OK(doca_ec_destroy(ec));
	CHECK_OK(doca_dev_close(dev));
	return 0;
}
