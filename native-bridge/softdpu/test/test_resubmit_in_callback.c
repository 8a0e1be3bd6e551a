/* Tasks are allocated, refilled and submitted inside callbacks: of their completion, and of RUNNING. */
#include "rig.h"

enum { ROUNDS = 100 };

static void refill(struct rig *rig, struct doca_task *task)
{
	struct doca_compress_task_compress_deflate *deflate = (struct doca_compress_task_compress_deflate *)task;
	union doca_data next = { .u64 = (uint64_t)rig->completed };
	struct doca_buf *src, *dst;

	if (rig->completed >= ROUNDS) {
		doca_task_free(task);
		return;
	}
	src = rig_source(rig, (size_t)rig->completed * RIG_SLOT, 100);
	dst = rig_room(rig, (size_t)rig->completed * RIG_SLOT + 512, 512);
	doca_compress_task_compress_deflate_set_src(deflate, src);
	doca_compress_task_compress_deflate_set_dst(deflate, dst);
	doca_task_set_user_data(task, next);
	CHECK_OK(doca_task_submit(task));
	CHECK_ERROR(doca_task_submit(task), DOCA_ERROR_BAD_STATE); /* in flight */
	rig_drop_buffers(task);
}

static void submit_when_running(struct rig *rig, enum doca_ctx_states previous, enum doca_ctx_states next)
{
	(void)previous;
	for (uint64_t i = 0; next == DOCA_CTX_STATE_RUNNING && i < 4; i++)
		rig_submit(rig, i);
}

int main(void)
{
	struct rig rig;
	struct doca_task *task;

	rig_open(&rig, 4);
	rig.on_state = submit_when_running;
	rig.on_task = refill;
	CHECK_OK(doca_ctx_start(rig.ctx));
	CHECK_EQ(rig_in_flight(&rig), 4);
	CHECK_ERROR(rig_alloc(&rig, 9, &task), DOCA_ERROR_NO_MEMORY);
	RIG_PROGRESS_UNTIL(rig.pe, rig_in_flight(&rig) == 0);
	CHECK_EQ(rig.completed, ROUNDS + 3); /* 3 more were in flight when the limit was reached */
	CHECK_EQ(rig.failed, 0);
	rig_close(&rig);
	return 0;
}
