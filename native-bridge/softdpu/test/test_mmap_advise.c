/* Tasks that invalidate the cached data of a buffer: settings, states, accepted buffers, stops and faults. */
#include "doca_mmap_advise.h"
#include "rig.h"

enum { NUM_TASKS = 4 };

#define ADVISE_CALLBACK(name) ((doca_mmap_advise_task_invalidate_cache_completion_cb_t)(void (*)(void))(name))

static struct rig rig;
static struct doca_mmap_advise *advise;

static struct doca_task *alloc(struct doca_buf *buf)
{
	struct doca_mmap_advise_task_invalidate_cache *task;
	union doca_data none = { 0 };

	CHECK_OK(doca_mmap_advise_task_invalidate_cache_alloc_init(advise, buf, none, &task));
	CHECK(doca_mmap_advise_task_invalidate_cache_get_buf(task) == buf);
	return doca_mmap_advise_task_invalidate_cache_as_doca_task(task);
}

static doca_error_t run(struct doca_task *task)
{
	int before = rig.completed + rig.failed;

	CHECK_OK(doca_task_submit(task));
	RIG_PROGRESS_UNTIL(rig.pe, rig.completed + rig.failed > before);
	return rig.last_status;
}

static void settings(void)
{
	struct doca_devinfo *info = doca_dev_as_devinfo(rig.dev);
	struct doca_mmap_advise_task_invalidate_cache *task;
	union doca_data data = { .ptr = &rig };
	struct doca_buf *buf;
	uint64_t size = 0;

	CHECK_OK(doca_mmap_advise_cap_task_cache_invalidate_is_supported(info));
	CHECK_ERROR(doca_mmap_advise_cap_task_cache_invalidate_is_supported(NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_mmap_advise_task_cache_invalidate_get_max_buf_size(info, &size));
	CHECK(size >= RIG_MEMORY);
	CHECK_ERROR(doca_mmap_advise_task_cache_invalidate_get_max_buf_size(info, NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_mmap_advise_create(NULL, &advise), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_mmap_advise_create(rig.dev, NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_mmap_advise_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK(doca_mmap_advise_as_ctx(NULL) == NULL);

	CHECK_OK(doca_mmap_advise_create(rig.dev, &advise));
	rig.ctx = doca_mmap_advise_as_ctx(advise);
	CHECK_ERROR(doca_mmap_advise_task_invalidate_cache_set_conf(advise, NULL, ADVISE_CALLBACK(rig_failed), 1),
		    DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_mmap_advise_task_invalidate_cache_set_conf(advise, ADVISE_CALLBACK(rig_completed),
								 ADVISE_CALLBACK(rig_failed), NUM_TASKS));
	CHECK_OK(doca_pe_connect_ctx(rig.pe, rig.ctx));
	CHECK_OK(doca_ctx_set_user_data(rig.ctx, data));
	buf = rig_source(&rig, 0, 1);
	CHECK_ERROR(doca_mmap_advise_task_invalidate_cache_alloc_init(advise, buf, data, &task), DOCA_ERROR_BAD_STATE);
	rig_drop(buf);
	CHECK_OK(doca_ctx_start(rig.ctx));
	CHECK_ERROR(doca_mmap_advise_task_invalidate_cache_set_conf(advise, ADVISE_CALLBACK(rig_completed),
								    ADVISE_CALLBACK(rig_failed), NUM_TASKS),
		    DOCA_ERROR_NOT_PERMITTED);
	CHECK_ERROR(doca_mmap_advise_destroy(advise), DOCA_ERROR_IN_USE);
}

static void tasks(void)
{
	struct doca_buf *content = rig_source(&rig, 0, 4096), *room = rig_room(&rig, 4096, 4096);
	struct doca_mmap_advise_task_invalidate_cache *more;
	struct doca_task *all[NUM_TASKS];
	union doca_data none = { 0 };

	CHECK_OK(run(alloc(content)));
	CHECK_OK(run(alloc(room)));
	for (int i = 0; i < NUM_TASKS; i++)
		all[i] = alloc(content);
	CHECK_ERROR(doca_mmap_advise_task_invalidate_cache_alloc_init(advise, content, none, &more), DOCA_ERROR_NO_MEMORY);
	for (int i = 0; i < NUM_TASKS; i++)
		doca_task_free(all[i]);
	CHECK_ERROR(doca_mmap_advise_task_invalidate_cache_alloc_init(advise, NULL, none, &more), DOCA_ERROR_INVALID_VALUE);

	/* The map stays while the task is in flight, even after the release of the buffer. */
	CHECK_OK(doca_task_submit(alloc(content)));
	rig_drop(content);
	CHECK_ERROR(doca_mmap_stop(rig.map), DOCA_ERROR_NOT_PERMITTED);
	RIG_PROGRESS_UNTIL(rig.pe, rig_in_flight(&rig) == 0);
	rig_drop(room);
	CHECK_EQ(rig.failed, 0);
}

/* A buffer of another device's map. */
static void wrong_buffer(void)
{
	struct doca_dev *other = rig_open_device("03:00.1");
	static uint8_t memory[64];
	struct doca_task *task;
	struct doca_mmap *map;
	struct doca_buf *buf, *good = rig_source(&rig, 0, 64);

	CHECK_OK(doca_mmap_create(&map));
	CHECK_OK(doca_mmap_set_memrange(map, memory, sizeof(memory)));
	CHECK_OK(doca_mmap_add_dev(map, other));
	CHECK_OK(doca_mmap_start(map));
	CHECK_OK(doca_buf_inventory_buf_get_by_data(rig.inventory, map, memory, sizeof(memory), &buf));
	task = alloc(buf);
	CHECK_ERROR(doca_task_try_submit(task), DOCA_ERROR_INVALID_VALUE);
	rig.keep_tasks = 1;
	CHECK_EQ(run(task), DOCA_ERROR_IO_FAILED);
	doca_mmap_advise_task_invalidate_cache_set_buf((struct doca_mmap_advise_task_invalidate_cache *)task, good);
	CHECK_OK(doca_task_try_submit(task));
	RIG_PROGRESS_UNTIL(rig.pe, rig_in_flight(&rig) == 0);
	CHECK_OK(rig.last_status);
	rig.keep_tasks = 0;
	doca_task_free(task);
	rig_drop(buf);
	rig_drop(good);
	CHECK_OK(doca_mmap_destroy(map));
	CHECK_OK(doca_dev_close(other));
}

static void faults_and_stop(void)
{
	struct doca_buf *buf = rig_source(&rig, 0, 64);

	CHECK_OK(softdpu_faults_set("mmap-advise-invalidate-cache:fail=TIME_OUT:nth=1 ; mmap-advise-invalidate-cache:delay=1ms:nth=2"));
	CHECK_EQ(run(alloc(buf)), DOCA_ERROR_TIME_OUT);
	CHECK_OK(doca_task_submit(alloc(buf)));
	CHECK_ERROR(doca_ctx_stop(rig.ctx), DOCA_ERROR_IN_PROGRESS);
	rig_stop(&rig);
	softdpu_faults_clear();
	rig_drop(buf);
	CHECK_OK(doca_mmap_advise_destroy(advise));
}

static void run_all(enum softdpu_execution execution)
{
	struct doca_ctx *compress;

	CHECK_OK(softdpu_set_execution(execution));
	rig_open(&rig, 0);
	compress = rig.ctx;
	settings();
	tasks();
	wrong_buffer();
	faults_and_stop();
	rig.ctx = compress;
	rig_close(&rig);
}

int main(void)
{
	run_all(SOFTDPU_EXECUTION_THREADS);
	run_all(SOFTDPU_EXECUTION_INLINE);
	return 0;
}
