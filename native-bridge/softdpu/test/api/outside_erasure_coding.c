/*
 * A typical program for an installed SDK: encodes four blocks with two redundancy blocks, loses two blocks, recovers them. Status 77:
 * no device supports erasure coding, because ISA-L is not installed.
 */
#include <doca_erasure_coding.h>

#define NO_DEVICE 77
#include "outside.h"

enum { BLOCK = 256, DATA = 4, RDNC = 2, AVAILABLE = 2048, RECOVERED = 4096, AREA_LEN = 8192 };

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

static int supports(const struct doca_devinfo *devinfo)
{
	return doca_ec_cap_task_create_is_supported(devinfo) == DOCA_SUCCESS &&
	       doca_ec_cap_task_recover_is_supported(devinfo) == DOCA_SUCCESS;
}

int main(void)
{
	static char area[AREA_LEN];
	uint32_t missing[RDNC] = { 0, 2 };
	struct doca_ec_matrix *coding, *recovery;
	struct doca_buf *data, *rdnc, *available, *back;
	struct doca_ec_task_recover *recover_task;
	struct doca_ec_task_create *create_task;
	struct outside out;
	union doca_data none = { 0 };
	struct doca_ec *ec;
	size_t i;

	for (i = 0; i < DATA * BLOCK; i++)
		area[i] = (char)('a' + i % 23);

	open_outside(&out, supports, area, sizeof(area), 4);
	MUST(doca_buf_inventory_buf_get_by_data(out.inventory, out.mmap, area, DATA * BLOCK, &data));
	MUST(doca_buf_inventory_buf_get_by_addr(out.inventory, out.mmap, area + DATA * BLOCK, RDNC * BLOCK, &rdnc));
	MUST(doca_buf_inventory_buf_get_by_data(out.inventory, out.mmap, area + AVAILABLE, DATA * BLOCK, &available));
	MUST(doca_buf_inventory_buf_get_by_addr(out.inventory, out.mmap, area + RECOVERED, RDNC * BLOCK, &back));

	MUST(doca_ec_create(out.dev, &ec));
	MUST(doca_ec_task_create_set_conf(ec, created, created, 1));
	MUST(doca_ec_task_recover_set_conf(ec, recovered, recovered, 1));
	MUST(doca_pe_connect_ctx(out.pe, doca_ec_as_ctx(ec)));
	MUST(doca_ctx_start(doca_ec_as_ctx(ec)));
	MUST(doca_ec_matrix_create(ec, DOCA_EC_MATRIX_TYPE_CAUCHY, DATA, RDNC, &coding));
	MUST(doca_ec_matrix_create_recover(ec, coding, missing, RDNC, &recovery));

	MUST(doca_ec_task_create_allocate_init(ec, coding, data, rdnc, none, &create_task));
	MUST(doca_task_submit(doca_ec_task_create_as_task(create_task)));
	wait_for(out.pe, 1);
	memcpy(area + AVAILABLE, area + BLOCK, BLOCK);
	memcpy(area + AVAILABLE + BLOCK, area + 3 * BLOCK, 3 * BLOCK); /* the last data block and both redundancy blocks */
	MUST(doca_ec_task_recover_allocate_init(ec, recovery, available, back, none, &recover_task));
	MUST(doca_task_submit(doca_ec_task_recover_as_task(recover_task)));
	wait_for(out.pe, 2);
	if (memcmp(area + RECOVERED, area, BLOCK) != 0 || memcmp(area + RECOVERED + BLOCK, area + 2 * BLOCK, BLOCK) != 0)
		return EXIT_FAILURE;

	MUST(doca_ec_matrix_destroy(recovery));
	MUST(doca_ec_matrix_destroy(coding));
	MUST(doca_ctx_stop(doca_ec_as_ctx(ec)));
	MUST(doca_ec_destroy(ec));
	MUST(doca_buf_dec_refcount(data, NULL));
	MUST(doca_buf_dec_refcount(rdnc, NULL));
	MUST(doca_buf_dec_refcount(available, NULL));
	MUST(doca_buf_dec_refcount(back, NULL));
	close_outside(&out);
	return EXIT_SUCCESS;
}
