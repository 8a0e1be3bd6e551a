/* A context may be destroyed inside its IDLE callback, and is not used afterwards; also the last context. */
#include "rig.h"

static void destroy_when_idle(struct rig *rig, enum doca_ctx_states previous, enum doca_ctx_states next)
{
	(void)previous;
	if (next != DOCA_CTX_STATE_IDLE)
		return;
	CHECK_ERROR(doca_pe_destroy(rig->pe), DOCA_ERROR_IN_USE);
	CHECK_OK(doca_compress_destroy(rig->compress));
	rig->compress = NULL;
	CHECK_ERROR(doca_pe_destroy(rig->pe), DOCA_ERROR_IN_USE); /* the engine calls this callback */
}

static void recreate(struct rig *rig)
{
	rig_create_context(rig);
	CHECK_OK(RIG_CONFIGURE(rig, compress_deflate, 8));
	CHECK_OK(doca_ctx_start(rig->ctx));
}

static void stop_in_task_callback(struct rig *rig, struct doca_task *task)
{
	doca_ctx_stop(rig->ctx);
	doca_task_free(task);
}

int main(void)
{
	struct rig rig;

	rig_open(&rig, 8);
	rig.on_state = destroy_when_idle;
	CHECK_OK(doca_ctx_start(rig.ctx));
	CHECK_OK(doca_ctx_stop(rig.ctx)); /* IDLE callback inside doca_ctx_stop */
	CHECK(rig.compress == NULL);

	recreate(&rig); /* IDLE callback inside progress */
	for (uint64_t i = 0; i < 6; i++)
		rig_submit(&rig, i);
	doca_ctx_stop(rig.ctx);
	RIG_PROGRESS_UNTIL(rig.pe, rig.compress == NULL);

	recreate(&rig);
	rig.on_task = stop_in_task_callback;
	for (uint64_t i = 0; i < 6; i++)
		rig_submit(&rig, i);
	RIG_PROGRESS_UNTIL(rig.pe, rig.compress == NULL);
	CHECK_EQ(rig.completed + rig.failed, 12);

	CHECK_OK(softdpu_faults_set("ctx-event:twice"));
	recreate(&rig);
	CHECK_EQ(doca_pe_progress(rig.pe), 1); /* RUNNING again */
	CHECK_OK(doca_ctx_stop(rig.ctx));
	CHECK(rig.compress == NULL);
	CHECK_EQ(doca_pe_progress(rig.pe), 0); /* the second IDLE ended with the context */
	softdpu_faults_clear();
	rig_close_rest(&rig);
	return 0;
}
