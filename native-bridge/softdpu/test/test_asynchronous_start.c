/* A context that starts asynchronously: STARTING until its library completes the start, with every possible end. */
#include "plain_library.h"

static doca_error_t outcome;

static uint8_t end_start(struct sd_event *event)
{
	sd_context_started(event->ctx, outcome);
	return 1;
}

static void start(struct plain *plain, struct sd_event *event)
{
	union doca_data none = { 0 };
	struct doca_task *task;

	plain->num_states = 0;
	plain->start_result = DOCA_ERROR_IN_PROGRESS;
	CHECK_ERROR(doca_ctx_start(&plain->ctx), DOCA_ERROR_IN_PROGRESS);
	CHECK_EQ(plain_state(plain), DOCA_CTX_STATE_STARTING);
	CHECK_ERROR(sd_task_alloc(&plain->ctx, &plain_operation, none, &task), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_ctx_start(&plain->ctx), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(sd_context_fini(&plain->ctx), DOCA_ERROR_IN_USE);
	CHECK_EQ(doca_pe_progress(plain->pe), 0);
	if (event != NULL)
		sd_context_post_event(&plain->ctx, event, end_start);
}

static void check_states(const struct plain *plain, int count, enum doca_ctx_states last, enum doca_ctx_states before)
{
	CHECK_EQ(plain->num_states, count);
	CHECK_EQ(plain->states[0], DOCA_CTX_STATE_STARTING);
	CHECK_EQ(plain->states[count - 1], last);
	CHECK(count < 2 || plain->states[count - 2] == before);
}

int main(void)
{
	struct plain plain;
	struct sd_event event = { 0 };
	struct doca_pe *pe;

	CHECK_OK(doca_pe_create(&pe));
	plain_open(&plain, pe);

	outcome = DOCA_SUCCESS; /* succeeds */
	start(&plain, &event);
	CHECK_EQ(doca_pe_progress(pe), 1);
	check_states(&plain, 2, DOCA_CTX_STATE_RUNNING, DOCA_CTX_STATE_STARTING);
	CHECK_OK(doca_ctx_stop(&plain.ctx));
	check_states(&plain, 3, DOCA_CTX_STATE_IDLE, DOCA_CTX_STATE_RUNNING);

	outcome = DOCA_ERROR_CONNECTION_ABORTED; /* fails later: STOPPING, then IDLE in a separate progress */
	start(&plain, &event);
	CHECK_EQ(doca_pe_progress(pe), 1);
	check_states(&plain, 2, DOCA_CTX_STATE_STOPPING, DOCA_CTX_STATE_STARTING);
	CHECK_EQ(doca_pe_progress(pe), 1);
	check_states(&plain, 3, DOCA_CTX_STATE_IDLE, DOCA_CTX_STATE_STOPPING);

	start(&plain, NULL); /* stopped by the program before the start completes */
	CHECK_OK(doca_ctx_stop(&plain.ctx));
	check_states(&plain, 2, DOCA_CTX_STATE_IDLE, DOCA_CTX_STATE_STARTING);

	outcome = DOCA_SUCCESS; /* stopped while the successful end of the start waits for progress: the stop wins */
	start(&plain, &event);
	CHECK_ERROR(doca_ctx_stop(&plain.ctx), DOCA_ERROR_IN_PROGRESS);
	RIG_PROGRESS_UNTIL(pe, plain_state(&plain) == DOCA_CTX_STATE_IDLE);
	check_states(&plain, 3, DOCA_CTX_STATE_IDLE, DOCA_CTX_STATE_STOPPING);

	plain.num_states = 0; /* fails at once: IDLE all the time */
	plain.start_result = DOCA_ERROR_NOT_SUPPORTED;
	CHECK_ERROR(doca_ctx_start(&plain.ctx), DOCA_ERROR_NOT_SUPPORTED);
	CHECK_EQ(plain_state(&plain), DOCA_CTX_STATE_IDLE);
	CHECK_EQ(plain.num_states, 0);

	CHECK_EQ(plain.num_stops, 4);
	CHECK_EQ(plain.num_stopped, 4);
	CHECK_OK(sd_context_fini(&plain.ctx));
	CHECK_OK(doca_pe_destroy(pe));
	rig_check_nothing_is_left();
	return 0;
}
