/* Inline execution with a manual clock: no task runs before the test advances time, which wakes sleeping programs. */
#include <poll.h>

#include "rig.h"

enum { LONGEST_EXECUTION_NS = 16384, DELAY_NS = 5000000 };

static int is_signalled(struct rig *rig)
{
	struct pollfd fd = { .events = POLLIN };

	CHECK_OK(doca_pe_get_notification_handle(rig->pe, &fd.fd));
	return poll(&fd, 1, 0) == 1;
}

/* Checks the number of delayed completions. */
static void check_delayed(uint64_t expected)
{
	struct softdpu_fault_counters counters;

	softdpu_faults_get_counters(&counters);
	CHECK_EQ(counters.delayed, expected);
}

static void nothing_happens(struct rig *rig)
{
	for (int i = 0; i < 10; i++)
		CHECK_EQ(doca_pe_progress(rig->pe), 0);
}

int main(void)
{
	struct rig rig;

	CHECK_OK(softdpu_set_execution(SOFTDPU_EXECUTION_THREADS));
	CHECK_ERROR(softdpu_clock_advance(1), DOCA_ERROR_BAD_STATE); /* real time */
	CHECK_OK(softdpu_set_execution(SOFTDPU_EXECUTION_INLINE));
	CHECK_OK(softdpu_set_seed(3));
	CHECK_EQ(softdpu_clock_now(), 0);
	softdpu_clock_set_manual(1);
	rig_open(&rig, 8);
	CHECK_OK(doca_ctx_start(rig.ctx));

	CHECK_EQ(softdpu_clock_get_next(), UINT64_MAX);
	rig_submit(&rig, 0);
	CHECK_OK(doca_pe_request_notification(rig.pe));
	nothing_happens(&rig);
	CHECK(softdpu_clock_get_next() >= 1 && softdpu_clock_get_next() <= LONGEST_EXECUTION_NS);
	CHECK_OK(softdpu_clock_advance(softdpu_clock_get_next() - 1));
	nothing_happens(&rig);
	CHECK_OK(softdpu_clock_advance(1));
	CHECK(is_signalled(&rig));
	CHECK_OK(doca_pe_clear_notification(rig.pe, 0));
	CHECK_EQ(doca_pe_progress(rig.pe), 1);
	CHECK_EQ(rig.completed, 1);
	CHECK_EQ(softdpu_clock_get_next(), UINT64_MAX);

	/* Delayed and queued tasks: the stop waits for the delayed ones and flushes the queued ones. */
	CHECK_OK(softdpu_faults_set("*:delay=5ms:first=2"));
	rig_submit(&rig, 1);
	check_delayed(0);
	CHECK_OK(softdpu_clock_advance(LONGEST_EXECUTION_NS));
	nothing_happens(&rig); /* executes the task */
	check_delayed(1);
	rig_submit(&rig, 2);
	CHECK_ERROR(doca_ctx_stop(rig.ctx), DOCA_ERROR_IN_PROGRESS);
	CHECK_EQ(doca_pe_progress(rig.pe), 1);
	CHECK_EQ(rig.failed, 1);
	CHECK_EQ(rig.last_status, DOCA_ERROR_IO_FAILED);
	CHECK_EQ(rig.order[1], 2);
	check_delayed(1);
	nothing_happens(&rig);
	CHECK_OK(softdpu_clock_advance(DELAY_NS - 1 - LONGEST_EXECUTION_NS));
	nothing_happens(&rig);
	CHECK_OK(softdpu_clock_advance(LONGEST_EXECUTION_NS + 1));
	CHECK_EQ(doca_pe_progress(rig.pe), 1);
	CHECK_EQ(rig.completed, 2);
	CHECK_EQ(rig_state(&rig), DOCA_CTX_STATE_STOPPING);
	CHECK_EQ(doca_pe_progress(rig.pe), 1);
	CHECK_EQ(rig_state(&rig), DOCA_CTX_STATE_IDLE);
	softdpu_clock_set_manual(0);
	rig_close(&rig);
	return 0;
}
