/*
 * Violations beside those of test_rdma_table: invalid local buffers, a missing remote one, a map of another device, and tasks that are
 * not of RDMA. The order of tasks around a violation and around a fault.
 */
#include "doca_dma.h"
#include "rdma.h"

static struct rdma_pair pair;

static uint8_t is_untouched(void)
{
	for (size_t i = 0; i < RDMA_MEMORY; i++) {
		if (pair.responder.memory[i] != 0xee)
			return 0;
	}
	return 1;
}

static void open_pair(void)
{
	rdma_pair_open(&pair, RDMA_ALL, RDMA_ALL);
	memset(pair.requester.memory, 0x55, RDMA_MEMORY);
	memset(pair.responder.memory, 0xee, RDMA_MEMORY);
}

/* The connection is dead on both sides; both contexts run. */
static void check_ended(void)
{
	CHECK_ERROR(rdma_transfer(&pair, pair.connection, 1, 0, 8), DOCA_ERROR_IO_FAILED);
	CHECK_ERROR(rdma_transfer(&pair, pair.connection, 0, 0, 8), DOCA_ERROR_IO_FAILED);
	CHECK(is_untouched());
	CHECK_EQ(rdma_state(&pair.requester), DOCA_CTX_STATE_RUNNING);
	CHECK_EQ(rdma_state(&pair.responder), DOCA_CTX_STATE_RUNNING);
}

enum range { SHORT_LOCAL, LONG_LIST, LOCAL_MAP, NO_REMOTE, NUM_RANGES };

static void submit_bad(enum range range, int is_write)
{
	struct doca_buf *local = rdma_local(&pair, 0, range == SHORT_LOCAL && !is_write ? 63 : 64, is_write);
	struct doca_buf *remote = range == LOCAL_MAP ? rdma_local(&pair, 4096, 64, !is_write) :
						       rdma_remote(&pair, 0, 64, !is_write);

	if (range == SHORT_LOCAL && is_write)
		CHECK_OK(doca_buf_set_data(local, pair.requester.memory + 1, 64)); /* beyond its buffer */
	for (int i = 0; range == LONG_LIST && i < RDMA_LIST_LEN; i++)
		CHECK_OK(doca_buf_chain_list(local, rdma_local(&pair, 64, 1, is_write)));
	if (is_write)
		rdma_submit_write(&pair, pair.connection, local, range == NO_REMOTE ? NULL : remote, 0);
	else
		rdma_submit_read(&pair, pair.connection, remote, range == NO_REMOTE ? NULL : local, 0);
	rdma_wait(&pair, pair.requester.completed + pair.requester.failed + 1);
	rig_drop(local);
	rig_drop(remote);
}

static void ranges(void)
{
	for (int range = 0; range < NUM_RANGES; range++) {
		for (int is_write = 0; is_write < 2; is_write++) {
			open_pair();
			submit_bad((enum range)range, is_write);
			CHECK_ERROR(pair.requester.last_status, DOCA_ERROR_IO_FAILED);
			check_ended();
			rdma_pair_close(&pair);
		}
	}
}

/* Tasks before the violation succeed, tasks behind it fail and do nothing. */
static void flush(void)
{
	struct doca_buf *src, *good, *bad, *late;

	open_pair();
	src = rdma_local(&pair, 0, 64, 1);
	good = rdma_remote(&pair, 0, 64, 0);
	bad = rdma_remote(&pair, 64, 63, 0);
	late = rdma_remote(&pair, 128, 64, 0);
	for (uint64_t i = 0; i < 20; i++)
		rdma_submit_write(&pair, pair.connection, src, i < 9 ? good : i == 9 ? bad : late, i);
	rdma_wait(&pair, 20);
	CHECK_EQ(pair.requester.completed, 9);
	CHECK_EQ(pair.requester.failed, 11);
	for (uint64_t i = 0; i < 20; i++)
		CHECK_EQ(pair.requester.order[i], i);
	CHECK(pair.responder.memory[63] == 0x55 && pair.responder.memory[64] == 0xee && pair.responder.memory[128] == 0xee);
	rig_drop(src);
	rig_drop(good);
	rig_drop(bad);
	rig_drop(late);
	rdma_pair_close(&pair);
}

/* A fault keeps a task from execution: as a violation. */
static void fault(const char *plan, int num_completed)
{
	struct doca_buf *src, *dst;

	open_pair();
	src = rdma_local(&pair, 0, 64, 1);
	dst = rdma_remote(&pair, 0, 64, 0);
	CHECK_OK(softdpu_faults_set(plan));
	for (uint64_t i = 0; i < 8; i++)
		rdma_submit_write(&pair, pair.connection, src, dst, i);
	rdma_wait(&pair, 8);
	softdpu_faults_clear();
	CHECK_EQ(pair.requester.completed, num_completed);
	for (uint64_t i = 0; i < 8; i++)
		CHECK_EQ(pair.requester.order[i], i);
	rig_drop(src);
	rig_drop(dst);
	rdma_pair_close(&pair);
}

/* The map belongs to another device than the context of the responder. */
static void other_device(void)
{
	struct rdma_side third;

	open_pair();
	rdma_side_open(&third, "81:00.1", RDMA_ALL);
	CHECK_OK(doca_mmap_destroy(pair.remote));
	free(third.memory);
	third.memory = pair.responder.memory;
	CHECK_OK(doca_mmap_destroy(third.map));
	CHECK_OK(doca_mmap_create(&third.map));
	CHECK_OK(doca_mmap_set_memrange(third.map, third.memory, RDMA_MEMORY));
	CHECK_OK(doca_mmap_set_permissions(third.map, RDMA_ALL));
	CHECK_OK(doca_mmap_add_dev(third.map, third.dev));
	CHECK_OK(doca_mmap_start(third.map));
	{
		struct rdma_pair swapped = { .requester = pair.requester, .responder = third };

		pair.remote = rdma_import(&swapped);
	}
	CHECK_ERROR(rdma_transfer(&pair, pair.connection, 1, 0, 64), DOCA_ERROR_IO_FAILED);
	check_ended();
	third.memory = NULL;
	rdma_side_close(&third);
	rdma_pair_close(&pair);
}

/* Runs one copy by DMA from the memory of the responder to the memory of the requester. */
static void dma_ended(struct doca_dma_task_memcpy *task, union doca_data task_data, union doca_data ctx_data)
{
	(void)task_data;
	*(doca_error_t *)ctx_data.ptr = doca_task_get_status(doca_dma_task_memcpy_as_task(task));
	doca_task_free(doca_dma_task_memcpy_as_task(task));
}

/* Only RDMA tasks access the memory of a peer, although the addresses are valid in this process. */
static void other_tasks(void)
{
	doca_error_t status = DOCA_ERROR_IN_PROGRESS;
	union doca_data data = { .ptr = &status }, none = { 0 };
	struct doca_dma_task_memcpy *task;
	enum doca_ctx_states state;
	struct doca_buf *remote, *local;
	struct doca_dma *dma;
	struct doca_ctx *ctx;

	open_pair();
	CHECK_OK(doca_dma_create(pair.requester.dev, &dma));
	ctx = doca_dma_as_ctx(dma);
	CHECK_OK(doca_pe_connect_ctx(pair.requester.pe, ctx));
	CHECK_OK(doca_ctx_set_user_data(ctx, data));
	CHECK_OK(doca_dma_task_memcpy_set_conf(dma, dma_ended, dma_ended, 1));
	CHECK_OK(doca_ctx_start(ctx));
	remote = rdma_remote(&pair, 0, 64, 1);
	local = rdma_local(&pair, 0, 64, 0);
	CHECK_OK(doca_dma_task_memcpy_alloc_init(dma, remote, local, none, &task));
	CHECK_OK(doca_task_submit(doca_dma_task_memcpy_as_task(task)));
	RIG_PROGRESS_UNTIL(pair.requester.pe, (CHECK_OK(doca_ctx_get_state(ctx, &state)), state == DOCA_CTX_STATE_IDLE));
	CHECK_ERROR(status, DOCA_ERROR_IO_FAILED);
	CHECK_EQ(pair.requester.memory[0], 0x55);
	CHECK_OK(doca_dma_destroy(dma));

	rdma_submit_write(&pair, pair.connection, remote, remote, 0); /* the source must be local */
	rdma_wait(&pair, 1);
	CHECK_ERROR(pair.requester.last_status, DOCA_ERROR_IO_FAILED);
	check_ended();
	rig_drop(remote);
	rig_drop(local);
	rdma_pair_close(&pair);
}

int main(void)
{
	ranges();
	flush();
	fault("rdma-write:fail:nth=4", 3);
	fault("rdma-write:delay=2ms:nth=2", 8);
	other_device();
	other_tasks();
	return 0;
}
