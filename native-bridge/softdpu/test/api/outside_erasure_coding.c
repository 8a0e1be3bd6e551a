/*
 * A typical program for an installed SDK: encodes four blocks with two redundancy blocks, loses two blocks, recovers them. Status 77:
 * no device supports erasure coding, because ISA-L is not installed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_ctx.h>
#include <doca_dev.h>
#include <doca_erasure_coding.h>
#include <doca_error.h>
#include <doca_log.h>
#include <doca_mmap.h>
#include <doca_pe.h>

DOCA_LOG_REGISTER(OUTSIDE_ERASURE_CODING);

enum { BLOCK = 256, DATA = 4, RDNC = 2, AVAILABLE = 2048, RECOVERED = 4096, AREA_LEN = 8192, NO_DEVICE = 77 };

#define MUST(call)                                                                                \
	do {                                                                                      \
		doca_error_t must = (call);                                                       \
		if (must != DOCA_SUCCESS) {                                                       \
			DOCA_LOG_ERR("%s: %s", #call, doca_error_get_descr(must));                \
			exit(EXIT_FAILURE);                                                       \
		}                                                                                 \
	} while (0)

static int num_done;

static void created(struct doca_ec_task_create *task, union doca_data task_user_data, union doca_data ctx_user_data)
{
	(void)task_user_data;
	(void)ctx_user_data;
	MUST(doca_task_get_status(doca_ec_task_create_as_task(task)));
	doca_task_free(doca_ec_task_create_as_task(task));
	num_done++;
}

static void recovered(struct doca_ec_task_recover *task, union doca_data task_user_data, union doca_data ctx_user_data)
{
	(void)task_user_data;
	(void)ctx_user_data;
	MUST(doca_task_get_status(doca_ec_task_recover_as_task(task)));
	doca_task_free(doca_ec_task_recover_as_task(task));
	num_done++;
}

/* Opens the first device that supports both tasks. */
static struct doca_dev *open_device(void)
{
	struct doca_devinfo **list;
	struct doca_dev *dev = NULL;
	uint32_t count, i;

	MUST(doca_devinfo_create_list(&list, &count));
	for (i = 0; i < count && dev == NULL; i++)
		if (doca_ec_cap_task_create_is_supported(list[i]) == DOCA_SUCCESS &&
		    doca_ec_cap_task_recover_is_supported(list[i]) == DOCA_SUCCESS)
			MUST(doca_dev_open(list[i], &dev));
	MUST(doca_devinfo_destroy_list(list));
	if (dev == NULL)
		exit(NO_DEVICE);
	return dev;
}

static void wait_for(struct doca_pe *pe, int num)
{
	long turns;

	for (turns = 0; num_done < num && turns < 2000000000L; turns++)
		(void)doca_pe_progress(pe);
	if (num_done != num)
		exit(EXIT_FAILURE);
}

int main(void)
{
	static char area[AREA_LEN];
	uint32_t missing[RDNC] = { 0, 2 };
	struct doca_ec_matrix *coding, *recovery;
	struct doca_buf *data, *rdnc, *available, *back;
	struct doca_ec_task_recover *recover_task;
	struct doca_ec_task_create *create_task;
	struct doca_buf_inventory *inventory;
	union doca_data none = { 0 };
	struct doca_mmap *mmap;
	struct doca_dev *dev;
	struct doca_ec *ec;
	struct doca_pe *pe;
	size_t i;

	MUST(doca_log_backend_create_standard());
	for (i = 0; i < DATA * BLOCK; i++)
		area[i] = (char)('a' + i % 23);

	dev = open_device();
	MUST(doca_mmap_create(&mmap));
	MUST(doca_mmap_set_memrange(mmap, area, sizeof(area)));
	MUST(doca_mmap_add_dev(mmap, dev));
	MUST(doca_mmap_set_permissions(mmap, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE));
	MUST(doca_mmap_start(mmap));
	MUST(doca_buf_inventory_create(4, &inventory));
	MUST(doca_buf_inventory_start(inventory));
	MUST(doca_buf_inventory_buf_get_by_data(inventory, mmap, area, DATA * BLOCK, &data));
	MUST(doca_buf_inventory_buf_get_by_addr(inventory, mmap, area + DATA * BLOCK, RDNC * BLOCK, &rdnc));
	MUST(doca_buf_inventory_buf_get_by_data(inventory, mmap, area + AVAILABLE, DATA * BLOCK, &available));
	MUST(doca_buf_inventory_buf_get_by_addr(inventory, mmap, area + RECOVERED, RDNC * BLOCK, &back));

	MUST(doca_pe_create(&pe));
	MUST(doca_ec_create(dev, &ec));
	MUST(doca_ec_task_create_set_conf(ec, created, created, 1));
	MUST(doca_ec_task_recover_set_conf(ec, recovered, recovered, 1));
	MUST(doca_pe_connect_ctx(pe, doca_ec_as_ctx(ec)));
	MUST(doca_ctx_start(doca_ec_as_ctx(ec)));
	MUST(doca_ec_matrix_create(ec, DOCA_EC_MATRIX_TYPE_CAUCHY, DATA, RDNC, &coding));
	MUST(doca_ec_matrix_create_recover(ec, coding, missing, RDNC, &recovery));

	MUST(doca_ec_task_create_allocate_init(ec, coding, data, rdnc, none, &create_task));
	MUST(doca_task_submit(doca_ec_task_create_as_task(create_task)));
	wait_for(pe, 1);
	memcpy(area + AVAILABLE, area + BLOCK, BLOCK);
	memcpy(area + AVAILABLE + BLOCK, area + 3 * BLOCK, 3 * BLOCK); /* the last data block and both redundancy blocks */
	MUST(doca_ec_task_recover_allocate_init(ec, recovery, available, back, none, &recover_task));
	MUST(doca_task_submit(doca_ec_task_recover_as_task(recover_task)));
	wait_for(pe, 2);
	if (memcmp(area + RECOVERED, area, BLOCK) != 0 || memcmp(area + RECOVERED + BLOCK, area + 2 * BLOCK, BLOCK) != 0)
		return EXIT_FAILURE;

	MUST(doca_ec_matrix_destroy(recovery));
	MUST(doca_ec_matrix_destroy(coding));
	MUST(doca_ctx_stop(doca_ec_as_ctx(ec)));
	MUST(doca_ec_destroy(ec));
	MUST(doca_pe_destroy(pe));
	MUST(doca_buf_dec_refcount(data, NULL));
	MUST(doca_buf_dec_refcount(rdnc, NULL));
	MUST(doca_buf_dec_refcount(available, NULL));
	MUST(doca_buf_dec_refcount(back, NULL));
	MUST(doca_buf_inventory_destroy(inventory));
	MUST(doca_mmap_destroy(mmap));
	MUST(doca_dev_close(dev));
	return EXIT_SUCCESS;
}
