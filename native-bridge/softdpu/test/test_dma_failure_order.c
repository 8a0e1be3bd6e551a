/*
 * On hardware threads, STOPPING is the next event after the callback of a failed DMA task. The device starts no task after the
 * failed one; those tasks fail. A stop does the same to tasks that the device has not started.
 */
#include <semaphore.h>

#include "dma.h"
#include "plain_library.h"

enum { BEHIND = 252, THREADS = 2, QUEUED = 100 };

static uint8_t memory[4096];
static struct doca_mmap *map, *read_only_map;	/* both of the whole memory */
static struct doca_dev *dev;

/* The first task fails; it copies len bytes into this map. */
static void failed_task_is_last(size_t len, struct doca_mmap *dst_map)
{
	static struct dma dma;
	struct doca_buf *bad_src, *bad_dst, *good_src, *good_dst;

	dma_open(&dma, dev, BEHIND + 1);
	bad_src = dma_source(&dma, map, memory, len);
	bad_dst = dma_room(&dma, dst_map, memory + 1024, 64);
	good_src = dma_source(&dma, map, memory, 64);
	good_dst = dma_room(&dma, map, memory + 2048, 1024);
	CHECK_OK(doca_ctx_start(dma.ctx));
	CHECK_OK(doca_task_submit(dma_alloc(&dma, bad_src, bad_dst, 1)));
	for (uint64_t i = 2; i < BEHIND + 2; i++)
		CHECK_OK(doca_task_submit(dma_alloc(&dma, good_src, good_dst, i)));
	RIG_PROGRESS_UNTIL(dma.pe, dma.failed == 1);
	CHECK_EQ(dma.order[0], 1);
	CHECK_EQ(dma_state(&dma), DOCA_CTX_STATE_RUNNING);
	CHECK_EQ(doca_pe_progress(dma.pe), 1);
	CHECK_EQ(dma_state(&dma), DOCA_CTX_STATE_STOPPING);
	dma_wait_idle(&dma);
	CHECK_EQ(dma.completed, 0);
	CHECK_EQ(dma.failed, BEHIND + 1);
	CHECK_EQ(dma.num_states, 3);
	CHECK_EQ(rig_data_len(good_dst), 0);
	rig_drop(bad_src);
	rig_drop(bad_dst);
	rig_drop(good_src);
	rig_drop(good_dst);
	dma_close(&dma);
}

static sem_t begun, may_end;

static doca_error_t wait_in_device(struct doca_task *task, void *unit)
{
	(void)task;
	(void)unit;
	CHECK(sem_post(&begun) == 0);
	CHECK(sem_wait(&may_end) == 0);
	return DOCA_SUCCESS;
}

static const struct sd_task_operation slow_operation = {
	.name = "slow",
	.task_size = sizeof(struct plain_task),
	.execute = wait_in_device,
};

/* Each hardware thread has started a task when the context stops. */
static void stop_flushes_what_has_not_begun(void)
{
	struct plain plain;
	struct doca_pe *pe;

	CHECK(sem_init(&begun, 0, 0) == 0 && sem_init(&may_end, 0, 0) == 0);
	CHECK_OK(softdpu_set_threads(THREADS));
	CHECK_OK(doca_pe_create(&pe));
	plain_open(&plain, pe);
	CHECK_OK(sd_task_pool_configure(&plain.ctx, &slow_operation, plain_completed, plain_failed, QUEUED));
	CHECK_OK(doca_ctx_start(&plain.ctx));
	for (int i = 0; i < QUEUED; i++)
		CHECK_OK(doca_task_submit(&plain_alloc(&plain, &slow_operation, DOCA_SUCCESS)->base));
	for (int i = 0; i < THREADS; i++)
		CHECK(sem_wait(&begun) == 0);
	CHECK_ERROR(doca_ctx_stop(&plain.ctx), DOCA_ERROR_IN_PROGRESS);
	for (int i = 0; i < THREADS; i++)
		CHECK(sem_post(&may_end) == 0);
	RIG_PROGRESS_UNTIL(pe, plain_state(&plain) == DOCA_CTX_STATE_IDLE);
	CHECK_EQ(plain.completed, THREADS);
	CHECK_EQ(plain.failed, QUEUED - THREADS);
	CHECK_OK(sd_context_fini(&plain.ctx));
	CHECK_OK(doca_pe_destroy(pe));
}

static struct doca_mmap *start_map(uint32_t permissions)
{
	struct doca_mmap *started;

	CHECK_OK(doca_mmap_create(&started));
	CHECK_OK(doca_mmap_set_memrange(started, memory, sizeof(memory)));
	CHECK_OK(doca_mmap_set_permissions(started, permissions));
	CHECK_OK(doca_mmap_add_dev(started, dev));
	CHECK_OK(doca_mmap_start(started));
	return started;
}

int main(void)
{
	CHECK_OK(softdpu_set_threads(1)); /* several threads could start tasks behind the failed one */
	dev = rig_open_device("03:00.0");
	map = start_map(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	read_only_map = start_map(DOCA_ACCESS_FLAG_LOCAL_READ_ONLY);
	for (int i = 0; i < 20; i++) {
		failed_task_is_last(0, map);		 /* the device detects the error */
		failed_task_is_last(64, read_only_map);	 /* the submission detects the error */
	}
	CHECK_OK(softdpu_set_timing(1)); /* the device has executed the later tasks, but they are not due */
	failed_task_is_last(0, map);
	CHECK_OK(softdpu_set_timing(0));
	stop_flushes_what_has_not_begun();
	CHECK_OK(doca_mmap_destroy(read_only_map));
	CHECK_OK(doca_mmap_destroy(map));
	CHECK_OK(doca_dev_close(dev));
	rig_check_nothing_is_left();
	return 0;
}
