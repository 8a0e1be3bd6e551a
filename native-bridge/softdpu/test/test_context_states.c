/* The table of states: results of start, stop, configuration and destruction in each state. */
#include "rig.h"

static void setters_answer(struct rig *rig, doca_error_t expected)
{
	union doca_data data = { .ptr = rig };

	CHECK_ERROR(doca_ctx_set_user_data(rig->ctx, data), expected);
	CHECK_ERROR(doca_ctx_set_state_changed_cb(rig->ctx, rig_state_changed), expected);
	CHECK_ERROR(RIG_CONFIGURE(rig, compress_deflate, 8), expected);
}

static void before_an_engine_is_connected(struct rig *rig)
{
	struct doca_compress *compress;
	struct doca_ctx *ctx;
	union doca_data data;

	CHECK_OK(doca_compress_create(rig->dev, &compress));
	ctx = doca_compress_as_ctx(compress);
	CHECK_OK(doca_ctx_get_user_data(ctx, &data));
	CHECK(data.u64 == 0);
	CHECK_ERROR(doca_ctx_start(ctx), DOCA_ERROR_NOT_CONNECTED);
	CHECK_ERROR(doca_ctx_stop(ctx), DOCA_ERROR_NOT_CONNECTED);
	CHECK_OK(doca_pe_connect_ctx(rig->pe, ctx));
	CHECK_ERROR(doca_pe_connect_ctx(rig->pe, ctx), DOCA_ERROR_NOT_PERMITTED);
	CHECK_ERROR(doca_pe_destroy(rig->pe), DOCA_ERROR_IN_USE);
	CHECK_OK(doca_compress_destroy(compress));
}

static void null_arguments(struct rig *rig)
{
	enum doca_ctx_states state;
	size_t count;

	CHECK_ERROR(doca_ctx_start(NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_ctx_stop(NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_ctx_get_state(NULL, &state), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_ctx_get_state(rig->ctx, NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_ctx_set_state_changed_cb(rig->ctx, NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_ctx_get_num_inflight_tasks(rig->ctx, NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_pe_create(NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_pe_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_pe_connect_ctx(rig->pe, NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_pe_get_num_inflight_tasks(NULL, &count), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_compress_create(rig->dev, NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_compress_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
}

static void idle(struct rig *rig)
{
	CHECK_EQ(rig_state(rig), DOCA_CTX_STATE_IDLE);
	CHECK_OK(doca_ctx_stop(rig->ctx));
	setters_answer(rig, DOCA_SUCCESS);
	rig_check_states(rig, 0);
}

static void running(struct rig *rig)
{
	CHECK_OK(doca_ctx_start(rig->ctx));
	CHECK_EQ(rig_state(rig), DOCA_CTX_STATE_RUNNING);
	rig_check_states(rig, 1, DOCA_CTX_STATE_RUNNING);
	CHECK_ERROR(doca_ctx_start(rig->ctx), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_pe_connect_ctx(rig->pe, rig->ctx), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_compress_destroy(rig->compress), DOCA_ERROR_IN_USE);
	CHECK_ERROR(doca_dev_close(rig->dev), DOCA_ERROR_IN_USE);
	setters_answer(rig, DOCA_ERROR_BAD_STATE);
	CHECK_EQ(doca_pe_progress(rig->pe), 0);
}

/* Without tasks the context is IDLE at once and reports it. */
static void stop_at_once(struct rig *rig)
{
	CHECK_OK(doca_ctx_stop(rig->ctx));
	CHECK_EQ(rig_state(rig), DOCA_CTX_STATE_IDLE);
	rig_check_states(rig, 2, DOCA_CTX_STATE_RUNNING, DOCA_CTX_STATE_IDLE);
	CHECK_EQ(doca_pe_progress(rig->pe), 0);
}

/* An allocated task, submitted or not, keeps the context from IDLE; after its free, one progress reaches IDLE. */
static void stop_with_a_task(struct rig *rig)
{
	struct doca_task *task, *other;

	rig->num_states = 0;
	CHECK_OK(doca_ctx_start(rig->ctx));
	CHECK_OK(rig_alloc(rig, 0, &task));
	CHECK_ERROR(doca_ctx_stop(rig->ctx), DOCA_ERROR_IN_PROGRESS);
	rig_check_states(rig, 2, DOCA_CTX_STATE_RUNNING, DOCA_CTX_STATE_STOPPING);
	CHECK_ERROR(doca_ctx_stop(rig->ctx), DOCA_ERROR_IN_PROGRESS);
	CHECK_ERROR(doca_ctx_start(rig->ctx), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_compress_destroy(rig->compress), DOCA_ERROR_IN_USE);
	CHECK_ERROR(doca_task_submit(task), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(rig_alloc(rig, 1, &other), DOCA_ERROR_BAD_STATE);
	setters_answer(rig, DOCA_ERROR_BAD_STATE);
	CHECK_EQ(doca_pe_progress(rig->pe), 0);
	CHECK_EQ(rig_state(rig), DOCA_CTX_STATE_STOPPING);
	doca_task_free(task);
	CHECK_EQ(rig_state(rig), DOCA_CTX_STATE_STOPPING);
	CHECK_EQ(doca_pe_progress(rig->pe), 1);
	rig_check_states(rig, 3, DOCA_CTX_STATE_RUNNING, DOCA_CTX_STATE_STOPPING, DOCA_CTX_STATE_IDLE);
	CHECK_EQ(doca_pe_progress(rig->pe), 0);
	rig_drop_buffers(task);
}

static void start_again(struct rig *rig)
{
	for (int i = 0; i < 3; i++) {
		rig->num_states = 0;
		CHECK_OK(RIG_CONFIGURE(rig, compress_deflate, 4 + (uint32_t)i));
		CHECK_OK(doca_ctx_start(rig->ctx));
		rig_submit(rig, 7);
		RIG_PROGRESS_UNTIL(rig->pe, rig->completed == i + 1);
		CHECK_OK(doca_ctx_stop(rig->ctx));
		rig_check_states(rig, 2, DOCA_CTX_STATE_RUNNING, DOCA_CTX_STATE_IDLE);
	}
}

int main(void)
{
	struct rig rig;

	rig_open(&rig, 8);
	before_an_engine_is_connected(&rig);
	null_arguments(&rig);
	idle(&rig);
	running(&rig);
	stop_at_once(&rig);
	stop_with_a_task(&rig);
	start_again(&rig);
	rig_close(&rig);
	return 0;
}
