/*
 * set_conf creates pools: NO_MEMORY at their limit, limits over all pools, free in and out of callbacks, memory stays readable.
 */
#include "rig.h"

static void limits(struct rig *rig)
{
	uint32_t most;

	CHECK_OK(doca_compress_cap_get_max_num_tasks(rig->compress, &most));
	CHECK(most >= 1024);
	CHECK_ERROR(RIG_CONFIGURE(rig, compress_deflate, 0), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(RIG_CONFIGURE(rig, compress_deflate, most + 1), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_compress_task_compress_deflate_set_conf(rig->compress, NULL, NULL, 1), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_compress_task_compress_deflate_set_conf(NULL, RIG_CALLBACK(compress_deflate, rig_completed),
								 RIG_CALLBACK(compress_deflate, rig_failed), 1),
		    DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(RIG_CONFIGURE(rig, compress_deflate, most)); /* all tasks of one type, */
	CHECK_ERROR(RIG_CONFIGURE(rig, decompress_deflate, 1), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(RIG_CONFIGURE(rig, compress_deflate, most - 4)); /* or shared */
	CHECK_OK(RIG_CONFIGURE(rig, decompress_deflate, 4));
	CHECK_ERROR(RIG_CONFIGURE(rig, decompress_lz4_block, 1), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(RIG_CONFIGURE(rig, compress_deflate, 3));
}

static void exhaustion(struct rig *rig)
{
	struct doca_task *tasks[3], *more;

	CHECK_ERROR(rig_alloc(rig, 0, &more), DOCA_ERROR_BAD_STATE); /* not started */
	CHECK_OK(doca_ctx_start(rig->ctx));
	for (uint64_t i = 0; i < 3; i++)
		CHECK_OK(rig_alloc(rig, i, &tasks[i]));
	CHECK_ERROR(rig_alloc(rig, 3, &more), DOCA_ERROR_NO_MEMORY);
	doca_task_free(tasks[1]);
	rig_drop_buffers(tasks[1]); /* reads the freed task */
	CHECK_EQ(doca_task_get_user_data(tasks[1]).u64, 1);
	CHECK_OK(rig_alloc(rig, 4, &more));
	CHECK(doca_task_get_ctx(more) == rig->ctx);
	CHECK_EQ(doca_task_get_user_data(more).u64, 4);
	doca_task_free(more);
	rig_drop_buffers(more);
	for (uint64_t i = 0; i < 3; i += 2) {
		doca_task_free(tasks[i]);
		rig_drop_buffers(tasks[i]);
	}
}

/* The library refuses and logs a wrong free, which would corrupt the pool. */
static void wrong_free(struct rig *rig)
{
	struct softdpu_census census;
	struct doca_task *task = rig_submit(rig, 0);

	RIG_PROGRESS_UNTIL(rig->pe, rig->completed == 1);
	doca_task_free(task); /* freed by its callback */
	CHECK_ERROR(doca_task_submit(task), DOCA_ERROR_BAD_STATE);
	softdpu_census(&census);
	CHECK_EQ(census.tasks, 0);
}

static void null_arguments(struct rig *rig)
{
	struct doca_compress_task_compress_deflate *task;
	struct doca_buf *buf = rig_room(rig, 0, 64);
	union doca_data none = { 0 };

	CHECK_ERROR(doca_compress_task_compress_deflate_alloc_init(NULL, buf, buf, none, &task), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_compress_task_compress_deflate_alloc_init(rig->compress, NULL, buf, none, &task),
		    DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_compress_task_compress_deflate_alloc_init(rig->compress, buf, NULL, none, &task),
		    DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_compress_task_compress_deflate_alloc_init(rig->compress, buf, buf, none, NULL),
		    DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_task_submit(NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_task_try_submit(NULL), DOCA_ERROR_INVALID_VALUE);
	rig_drop(buf);
}

static void unconfigured_kind(struct rig *rig)
{
	struct doca_compress_task_decompress_lz4_block *task;
	struct doca_buf *buf = rig_room(rig, 0, 64);
	union doca_data none = { 0 };

	CHECK_ERROR(doca_compress_task_decompress_lz4_block_alloc_init(rig->compress, buf, buf, none, &task),
		    DOCA_ERROR_NO_MEMORY);
	rig_drop(buf);
}

int main(void)
{
	struct rig rig;

	rig_open(&rig, 0);
	limits(&rig);
	exhaustion(&rig);
	wrong_free(&rig);
	null_arguments(&rig);
	unconfigured_kind(&rig);
	rig_close(&rig);
	return 0;
}
