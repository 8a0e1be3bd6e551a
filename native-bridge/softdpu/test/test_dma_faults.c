/* Faults of plans, for DMA: failed, slow, refused, damaged, lost device (F2 to F4); failed allocations (F5). */
#include "dma.h"
#include "doca_buf_pool.h"

enum { LEN = 4096 };

static uint8_t memory[3 * LEN];
static struct doca_dev *dev;
static struct doca_mmap *map;
static struct dma dma;

static struct doca_buf *source(void)
{
	return dma_source(&dma, map, memory, LEN);
}

static struct doca_buf *room(void)
{
	return dma_room(&dma, map, memory + LEN, LEN);
}

static void fails(void)
{
	CHECK_OK(softdpu_faults_set("dma-memcpy:fail=TIME_OUT:nth=2"));
	memset(memory + LEN, 0, LEN);
	CHECK_OK(dma_copy(&dma, source(), room()));
	CHECK(memcmp(memory, memory + LEN, LEN) == 0);
	CHECK_EQ(dma_copy(&dma, source(), room()), DOCA_ERROR_TIME_OUT);
	CHECK_EQ(dma_state(&dma), DOCA_CTX_STATE_IDLE);
	CHECK_OK(dma_copy(&dma, source(), room()));
}

static void is_slow(void)
{
	uint64_t before = softdpu_clock_now();

	CHECK_OK(softdpu_faults_set("dma-memcpy:delay=20ms"));
	CHECK_OK(dma_copy(&dma, source(), room()));
	CHECK(softdpu_clock_now() - before >= 20000000);
}

static void is_refused(void)
{
	struct doca_buf *src = source(), *dst = room();
	struct doca_task *task;

	CHECK_OK(softdpu_faults_set("dma-memcpy:again=3:nth=1"));
	task = dma_alloc(&dma, src, dst, 0);
	for (int i = 0; i < 3; i++)
		CHECK_ERROR(doca_task_submit(task), DOCA_ERROR_AGAIN);
	dma.completed = 0;
	CHECK_OK(doca_task_submit(task));
	RIG_PROGRESS_UNTIL(dma.pe, dma.completed == 1);
	rig_drop(src);
	rig_drop(dst);
}

static void is_damaged(void)
{
	int wrong = 0;

	CHECK_OK(softdpu_faults_set("dma-memcpy:corrupt"));
	CHECK_OK(dma_copy(&dma, dma_list(&dma, map, memory, LEN, 3, 1), dma_list(&dma, map, memory + LEN, LEN, 5, 0)));
	for (int i = 0; i < LEN; i++)
		wrong += __builtin_popcount(memory[i] ^ memory[LEN + i]);
	CHECK_EQ(wrong, 1);
}

static void allocations(void)
{
	struct doca_dma_task_memcpy *task;
	struct doca_mmap *other, *third;
	struct doca_buf *src = source(), *dst = room(), *buf;
	struct doca_buf_pool *pool;
	union doca_data none = { 0 };
	struct softdpu_fault_counters counters;

	CHECK_OK(softdpu_faults_set("alloc-map:fail:nth=2; alloc-buf:fail=EMPTY:first=1; alloc-task:fail:every=2; *:fail"));
	CHECK_OK(doca_mmap_create(&other));
	CHECK_ERROR(doca_mmap_create(&third), DOCA_ERROR_NO_MEMORY);
	CHECK_OK(doca_mmap_create(&third));
	CHECK_ERROR(doca_buf_inventory_buf_get_by_addr(dma.inventory, map, memory, 8, &buf), DOCA_ERROR_EMPTY);
	CHECK_OK(doca_buf_inventory_buf_get_by_addr(dma.inventory, map, memory, 8, &buf));
	CHECK_OK(doca_dma_task_memcpy_alloc_init(dma.dma, src, dst, none, &task));
	doca_task_free(doca_dma_task_memcpy_as_task(task));
	CHECK_ERROR(doca_dma_task_memcpy_alloc_init(dma.dma, src, dst, none, &task), DOCA_ERROR_NO_MEMORY);
	CHECK_OK(doca_dma_task_memcpy_alloc_init(dma.dma, src, dst, none, &task));
	doca_task_free(doca_dma_task_memcpy_as_task(task));
	softdpu_faults_get_counters(&counters);
	CHECK_EQ(counters.submissions, 0);
	CHECK_EQ(counters.failed, 3);

	CHECK_OK(softdpu_faults_set("alloc-buf:fail:nth=1"));
	CHECK_OK(doca_buf_pool_create(1, 8, map, &pool));
	CHECK_OK(doca_buf_pool_start(pool));
	rig_drop(buf);
	CHECK_ERROR(doca_buf_pool_buf_alloc(pool, &buf), DOCA_ERROR_NO_MEMORY);
	CHECK_OK(doca_buf_pool_buf_alloc(pool, &buf));
	rig_drop(buf);
	CHECK_OK(doca_buf_pool_destroy(pool));
	CHECK_OK(doca_mmap_destroy(other));
	CHECK_OK(doca_mmap_destroy(third));
	rig_drop(src);
	rig_drop(dst);
	/* Rules for allocations support only `fail`. */
	CHECK_ERROR(softdpu_faults_set("alloc-map:delay=1ms"), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(softdpu_faults_set("alloc-buf:again"), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(softdpu_faults_set("alloc-task:lost"), DOCA_ERROR_INVALID_VALUE);
}

/* All DMA contexts of the device stop, one by one, and cannot be started again; new ones can. */
static void device_is_lost(void)
{
	static struct dma other;
	struct doca_buf *src = source(), *dst = room();

	dma_open(&other, dev, 2);
	CHECK_OK(doca_ctx_start(other.ctx));
	CHECK_OK(softdpu_faults_set("dma-memcpy:lost:nth=1"));
	if (dma_state(&dma) != DOCA_CTX_STATE_RUNNING)
		CHECK_OK(doca_ctx_start(dma.ctx));
	CHECK_EQ(dma_copy(&dma, src, dst), DOCA_ERROR_IO_FAILED);
	dma_wait_idle(&other);
	CHECK_ERROR(doca_ctx_start(dma.ctx), DOCA_ERROR_INITIALIZATION);
	CHECK_ERROR(doca_ctx_start(other.ctx), DOCA_ERROR_INITIALIZATION);
	softdpu_faults_clear();
	dma_close(&other);
	dma_close(&dma);
	dma_open(&dma, dev, 2);
	CHECK_OK(dma_copy(&dma, source(), room()));
}

static void run(enum softdpu_execution execution)
{
	CHECK_OK(softdpu_set_execution(execution));
	dma_open(&dma, dev, 4);
	CHECK_OK(doca_ctx_start(dma.ctx));
	fails();
	is_slow();
	is_refused();
	is_damaged();
	allocations();
	device_is_lost();
	dma_close(&dma);
}

int main(void)
{
	dev = rig_open_device("03:00.0");
	dma_fill(memory, LEN, 9);
	CHECK_OK(doca_mmap_create(&map));
	CHECK_OK(doca_mmap_set_memrange(map, memory, sizeof(memory)));
	CHECK_OK(doca_mmap_set_permissions(map, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE));
	CHECK_OK(doca_mmap_add_dev(map, dev));
	CHECK_OK(doca_mmap_start(map));
	run(SOFTDPU_EXECUTION_THREADS);
	run(SOFTDPU_EXECUTION_INLINE);
	CHECK_OK(doca_mmap_destroy(map));
	CHECK_OK(doca_dev_close(dev));
	rig_check_nothing_is_left();
	return 0;
}
