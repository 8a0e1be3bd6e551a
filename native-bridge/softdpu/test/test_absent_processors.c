/*
 * Functions for processors and devices that the card does not have: settings are accepted, all other calls fail.
 */
#include "doca_buf_array.h"
#include "doca_rdma_bridge.h"
#include "objects.h"

static uint8_t nowhere;

static void arrays(struct doca_dev *dev)
{
	static uint8_t memory[1024];
	struct doca_mmap *map = make_map(dev, memory, sizeof(memory), DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	struct doca_gpu_buf_arr *gpu_handle;
	doca_dpa_dev_buf_arr_t dpa_handle;
	struct doca_buf_arr *array;

	CHECK_ERROR(doca_buf_arr_create(0, &array), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_buf_arr_create(16, NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_buf_arr_create(16, &array));
	CHECK_ERROR(doca_buf_arr_start(array), DOCA_ERROR_BAD_STATE); /* no settings */
	CHECK_ERROR(doca_buf_arr_set_params(array, NULL, 64, 0), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_buf_arr_set_params(array, map, 0, 0), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_buf_arr_set_params(array, map, 64, 8));
	CHECK_ERROR(doca_buf_arr_start(array), DOCA_ERROR_BAD_STATE); /* the map is not started */
	CHECK_OK(doca_mmap_start(map));
	CHECK_ERROR(doca_buf_arr_start(array), DOCA_ERROR_NO_MEMORY); /* 8 bytes too much */
	CHECK_OK(doca_buf_arr_set_params(array, map, SIZE_MAX / 8, 0));
	CHECK_ERROR(doca_buf_arr_start(array), DOCA_ERROR_NO_MEMORY);
	CHECK_OK(doca_buf_arr_set_params(array, map, 64, 0));
	CHECK_ERROR(doca_buf_arr_start(array), DOCA_ERROR_BAD_STATE); /* no target */
	CHECK_ERROR(doca_buf_arr_set_target_gpu(array, NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_buf_arr_set_target_gpu(array, (void *)&nowhere), DOCA_ERROR_NOT_SUPPORTED);
	CHECK_ERROR(doca_buf_arr_set_target_dpa(array, (void *)&nowhere), DOCA_ERROR_NOT_SUPPORTED);
	CHECK_ERROR(doca_buf_arr_get_gpu_handle(array, &gpu_handle), DOCA_ERROR_NOT_SUPPORTED);
	CHECK_ERROR(doca_buf_arr_get_dpa_handle(array, &dpa_handle), DOCA_ERROR_NOT_SUPPORTED);
	CHECK_ERROR(doca_buf_arr_get_dpa_handle(array, NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_buf_arr_stop(NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_buf_arr_stop(array));
	CHECK_ERROR(doca_buf_arr_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_buf_arr_destroy(array));
	CHECK_OK(doca_mmap_destroy(map));
}

static void verbs(struct doca_dev *dev)
{
	static uint8_t memory[64];
	struct doca_mmap *map = start_map(dev, memory, sizeof(memory));
	struct doca_buf_inventory *inventory = start_inventory(1);
	struct doca_dev *found;
	struct doca_buf *buf;
	struct ibv_pd *pd;
	uint32_t key;

	CHECK_OK(doca_buf_inventory_buf_get_by_addr(inventory, map, memory, sizeof(memory), &buf));
	CHECK_ERROR(doca_rdma_bridge_open_dev_from_pd(NULL, &found), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_rdma_bridge_open_dev_from_pd((void *)&nowhere, &found), DOCA_ERROR_NOT_SUPPORTED);
	CHECK_ERROR(doca_rdma_bridge_get_dev_pd(dev, NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_rdma_bridge_get_dev_pd(dev, &pd), DOCA_ERROR_NOT_SUPPORTED);
	CHECK_ERROR(doca_rdma_bridge_get_buf_mkey(buf, NULL, &key), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_rdma_bridge_get_buf_mkey(buf, dev, &key), DOCA_ERROR_NOT_SUPPORTED);
	CHECK_ERROR(doca_rdma_bridge_get_mmap_mkey_from_pd(map, NULL, &key), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_rdma_bridge_get_mmap_mkey_from_pd(map, (void *)&nowhere, &key), DOCA_ERROR_NOT_SUPPORTED);
	CHECK_OK(doca_buf_dec_refcount(buf, NULL));
	CHECK_OK(doca_buf_inventory_destroy(inventory));
	CHECK_OK(doca_mmap_destroy(map));
}

int main(void)
{
	struct doca_dev *dev = open_device("03:00.0");

	arrays(dev);
	verbs(dev);
	CHECK_ERROR(doca_devinfo_get_is_pcc_supported(NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_devinfo_get_is_pcc_supported(doca_dev_as_devinfo(dev)), DOCA_ERROR_NOT_SUPPORTED);
	CHECK_OK(doca_dev_close(dev));
	check_census_empty();
	return 0;
}
