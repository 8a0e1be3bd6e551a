/*
 * A DMA context stops after the failure of a task: the error callback, STOPPING without a call of stop, errors for the other
 * tasks. The context is IDLE after all tasks are freed and one more progress. The context can be started again.
 */
#include "dma.h"

static uint8_t memory[4096];
static struct doca_mmap *map;

static void empty_source(struct dma *dma)
{
	struct doca_buf *empty = dma_source(dma, map, memory, 0), *src = dma_source(dma, map, memory, 64);
	struct doca_buf *dst = dma_room(dma, map, memory + 2048, 64);
	struct doca_task *task, *other;

	dma->keep_tasks = 1;
	dma->completed = dma->failed = dma->num_states = 0;
	CHECK_OK(doca_ctx_start(dma->ctx));
	task = dma_alloc(dma, empty, dst, 1);
	other = dma_alloc(dma, src, dst, 2);
	CHECK_ERROR(doca_task_try_submit(task), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_task_submit(task));
	CHECK_OK(doca_task_submit_ex(other, 0)); /* held: not passed to the device */
	RIG_PROGRESS_UNTIL(dma->pe, dma->failed == 1);
	CHECK_EQ(dma->order[0], 1);
	CHECK_EQ(dma->last_status, DOCA_ERROR_IO_FAILED);
	CHECK_EQ(dma_state(dma), DOCA_CTX_STATE_RUNNING);
	CHECK_EQ(doca_pe_progress(dma->pe), 1);
	CHECK_EQ(dma_state(dma), DOCA_CTX_STATE_STOPPING);
	RIG_PROGRESS_UNTIL(dma->pe, dma->failed == 2);
	CHECK_EQ(dma->last_status, DOCA_ERROR_IO_FAILED);
	CHECK_ERROR(doca_task_submit(other), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_ctx_stop(dma->ctx), DOCA_ERROR_IN_PROGRESS);

	doca_task_free(task);
	while (doca_pe_progress(dma->pe))
		;
	CHECK_EQ(dma_state(dma), DOCA_CTX_STATE_STOPPING); /* a task exists (Q15) */
	CHECK_ERROR(doca_dma_destroy(dma->dma), DOCA_ERROR_IN_USE);
	doca_task_free(other);
	CHECK_EQ(dma_state(dma), DOCA_CTX_STATE_STOPPING);
	CHECK_EQ(doca_pe_progress(dma->pe), 1);
	CHECK_EQ(dma_state(dma), DOCA_CTX_STATE_IDLE);
	CHECK_EQ(dma->num_states, 3);
	CHECK_EQ(rig_data_len(dst), 0);
	dma->keep_tasks = 0;
	CHECK_OK(dma_copy(dma, src, dst));
	dma_stop(dma);
	rig_drop(empty);
}

int main(void)
{
	struct doca_dev *dev = rig_open_device("03:00.0");
	static struct dma dma;

	CHECK_OK(doca_mmap_create(&map));
	CHECK_OK(doca_mmap_set_memrange(map, memory, sizeof(memory)));
	CHECK_OK(doca_mmap_set_permissions(map, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE));
	CHECK_OK(doca_mmap_add_dev(map, dev));
	CHECK_OK(doca_mmap_start(map));
	dma_open(&dma, dev, 8);
	for (int i = 0; i < 20; i++)
		empty_source(&dma);
	dma_close(&dma);
	CHECK_OK(softdpu_set_execution(SOFTDPU_EXECUTION_INLINE));
	dma_open(&dma, dev, 8);
	empty_source(&dma);
	dma_close(&dma);
	CHECK_OK(doca_mmap_destroy(map));
	CHECK_OK(doca_dev_close(dev));
	rig_check_nothing_is_left();
	return 0;
}
