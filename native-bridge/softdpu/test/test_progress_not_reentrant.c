/* doca_pe_progress() inside a callback of the same engine is refused, although events wait. */
#include "doca_log.h"
#include "rig.h"

static int depth;

static void progress_inside(struct rig *rig, struct doca_task *task)
{
	CHECK_EQ(++depth, 1);
	CHECK_EQ(doca_pe_progress(rig->pe), 0);
	doca_task_free(task);
	depth--;
}

static void progress_when_running(struct rig *rig, enum doca_ctx_states previous, enum doca_ctx_states next)
{
	(void)previous;
	if (next != DOCA_CTX_STATE_RUNNING)
		return;
	for (uint64_t i = 0; i < 4; i++)
		rig_submit(rig, i);
	CHECK_EQ(doca_pe_progress(rig->pe), 0);
	CHECK_EQ(rig->completed, 0);
}

int main(void)
{
	struct rig rig;

	CHECK_OK(doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_DISABLE)); /* the refusals are logged */
	CHECK_OK(softdpu_set_execution(SOFTDPU_EXECUTION_INLINE));
	CHECK_OK(softdpu_set_null(1)); /* all tasks complete at once */
	rig_open(&rig, 4);
	rig.on_task = progress_inside;
	rig.on_state = progress_when_running;
	CHECK_OK(doca_ctx_start(rig.ctx));
	for (int i = 1; i <= 4; i++) {
		CHECK_EQ(doca_pe_progress(rig.pe), 1);
		CHECK_EQ(rig.completed, i);
	}
	rig_close(&rig);
	return 0;
}
