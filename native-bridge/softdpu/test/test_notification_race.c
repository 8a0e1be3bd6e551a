/*
 * No wake-up is lost. A program arms and sleeps after progress returned 0, while hardware threads complete its tasks: it is
 * always woken. A lost wake-up would let poll() time out.
 */
#include <poll.h>

#include "rig.h"

enum { ROUNDS = 4000, MOST_IN_FLIGHT = 3 };

static int num_tasks;

static void resubmit(struct rig *rig, struct doca_task *task)
{
	if (rig->completed + num_tasks > ROUNDS) {
		doca_task_free(task);
		return;
	}
	/* All tasks share the buffers: only the first bytes of output are checked. */
	CHECK_OK(doca_buf_reset_data_len(
		doca_compress_task_compress_deflate_get_dst((struct doca_compress_task_compress_deflate *)task)));
	CHECK_OK(doca_task_submit(task));
}

/* With one task, no other event can wake the program; with several, wake-ups and arms overlap. */
static void run(int in_flight)
{
	struct rig rig;
	struct pollfd fd = { .events = POLLIN };
	struct doca_task *tasks[MOST_IN_FLIGHT];

	num_tasks = in_flight;
	rig_open(&rig, MOST_IN_FLIGHT);
	rig.on_task = resubmit;
	CHECK_OK(doca_pe_get_notification_handle(rig.pe, &fd.fd));
	CHECK_OK(doca_ctx_start(rig.ctx));
	for (int i = 0; i < in_flight; i++) {
		CHECK_OK(rig_alloc(&rig, (uint64_t)i, &tasks[i]));
		CHECK_OK(doca_task_submit(tasks[i]));
	}
	while (rig_in_flight(&rig) > 0) {
		while (doca_pe_progress(rig.pe))
			;
		if (rig_in_flight(&rig) == 0)
			break;
		CHECK_OK(doca_pe_request_notification(rig.pe));
		CHECK_EQ(poll(&fd, 1, RIG_LIMIT_S * 1000), 1);
		CHECK_OK(doca_pe_clear_notification(rig.pe, fd.fd));
		CHECK_EQ(poll(&fd, 1, 0), 0);
	}
	CHECK_EQ(rig.completed, ROUNDS);
	for (int i = 0; i < in_flight; i++)
		rig_drop_buffers(tasks[i]);
	rig_close(&rig);
}

int main(void)
{
	run(1);
	run(MOST_IN_FLIGHT);
	return 0;
}
