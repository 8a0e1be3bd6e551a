/* Tasks in flight are submitted tasks whose callback has not run: per context and per engine. */
#include "rig.h"

static void counts_are(struct rig *rig, size_t of_context, size_t of_engine)
{
	size_t num_inflight;

	CHECK_EQ(rig_in_flight(rig), of_context);
	CHECK_OK(doca_pe_get_num_inflight_tasks(rig->pe, &num_inflight));
	CHECK_EQ(num_inflight, of_engine);
}

static void check_in_callback(struct rig *rig, struct doca_task *task)
{
	counts_are(rig, (size_t)(5 - rig->completed), (size_t)(5 - rig->completed));
	doca_task_free(task);
}

int main(void)
{
	struct rig rig, other;
	struct doca_task *task;

	CHECK_OK(softdpu_set_execution(SOFTDPU_EXECUTION_INLINE));
	rig_open(&rig, 8);
	other = rig; /* a second context on the same engine and memory */
	rig_create_context(&other);
	CHECK_OK(RIG_CONFIGURE(&other, compress_deflate, 8));
	CHECK_OK(doca_ctx_start(rig.ctx));
	CHECK_OK(doca_ctx_start(other.ctx));
	counts_are(&rig, 0, 0);
	CHECK_OK(rig_alloc(&rig, 0, &task));
	counts_are(&rig, 0, 0); /* an allocated task is not in flight */
	CHECK_OK(doca_task_submit(task));
	rig_drop_buffers(task);
	counts_are(&rig, 1, 1);
	for (uint64_t i = 1; i < 5; i++)
		rig_submit(&rig, i);
	rig_submit(&other, 5);
	counts_are(&rig, 5, 6);
	RIG_PROGRESS_UNTIL(rig.pe, rig_in_flight(&other) == 0);
	rig.on_task = NULL;
	RIG_PROGRESS_UNTIL(rig.pe, rig_in_flight(&rig) == 0);
	counts_are(&rig, 0, 0);

	rig.completed = 0;
	rig.on_task = check_in_callback;
	for (uint64_t i = 0; i < 5; i++)
		rig_submit(&rig, i);
	RIG_PROGRESS_UNTIL(rig.pe, rig.completed == 5);
	rig_stop(&other);
	CHECK_OK(doca_compress_destroy(other.compress));
	rig_close(&rig);
	return 0;
}
