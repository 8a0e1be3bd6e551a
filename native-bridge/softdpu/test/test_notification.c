/*
 * The notification handle: fixed, unreadable unless armed. One arm causes at most one wake-up; events before the arm signal
 * too.
 */
#include <poll.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "rig.h"

static int handle_of(struct rig *rig)
{
	doca_notification_handle_t handle;

	CHECK_OK(doca_pe_get_notification_handle(rig->pe, &handle));
	return handle;
}

static int is_signalled(struct rig *rig, int timeout_ms)
{
	struct pollfd fd = { .fd = handle_of(rig), .events = POLLIN };

	return poll(&fd, 1, timeout_ms) == 1 && (fd.revents & POLLIN) != 0;
}

static void clear(struct rig *rig)
{
	CHECK_OK(doca_pe_clear_notification(rig->pe, 0));
	CHECK(!is_signalled(rig, 0));
}

static void complete_all(struct rig *rig)
{
	RIG_PROGRESS_UNTIL(rig->pe, rig_in_flight(rig) == 0);
}

static void quiet_unless_armed(struct rig *rig)
{
	rig_submit(rig, 0);
	complete_all(rig);
	CHECK(!is_signalled(rig, 0));
	CHECK_OK(doca_pe_request_notification(rig->pe));
	CHECK(!is_signalled(rig, 0)); /* no event */
	CHECK_OK(doca_pe_request_notification(rig->pe));
	clear(rig);
	rig_submit(rig, 0); /* the clear has disarmed */
	complete_all(rig);
	CHECK(!is_signalled(rig, 0));
}

static void armed_before_it_happens(struct rig *rig)
{
	CHECK_EQ(doca_pe_progress(rig->pe), 0);
	CHECK_OK(doca_pe_request_notification(rig->pe));
	rig_submit(rig, 1);
	CHECK(is_signalled(rig, RIG_LIMIT_S * 1000));
	clear(rig);
	complete_all(rig);
	CHECK(!is_signalled(rig, 0));
}

/* One arm, many completions: after a clear, the remaining ones do not signal. */
static void one_arm_one_wakeup(struct rig *rig)
{
	CHECK_OK(doca_pe_request_notification(rig->pe));
	for (uint64_t i = 0; i < 8; i++)
		rig_submit(rig, i);
	CHECK(is_signalled(rig, RIG_LIMIT_S * 1000));
	clear(rig);
	complete_all(rig);
	CHECK(!is_signalled(rig, 0));
}

/* Events between the last progress and the arm: completions, and the IDLE of a stop. */
static void armed_after_it_happened(struct rig *rig)
{
	struct doca_task *task;

	for (uint64_t i = 0; i < 3; i++)
		rig_submit(rig, i);
	RIG_PROGRESS_UNTIL(rig->pe, rig_in_flight(rig) <= 2); /* more may be ready by now */
	CHECK_OK(doca_pe_request_notification(rig->pe));
	CHECK(is_signalled(rig, RIG_LIMIT_S * 1000));
	clear(rig);
	complete_all(rig);

	CHECK_OK(rig_alloc(rig, 0, &task));
	CHECK_ERROR(doca_ctx_stop(rig->ctx), DOCA_ERROR_IN_PROGRESS);
	CHECK_OK(doca_pe_request_notification(rig->pe));
	CHECK(!is_signalled(rig, 0));
	doca_task_free(task); /* IDLE is ready */
	CHECK(is_signalled(rig, 0));
	clear(rig);
	CHECK_OK(doca_pe_request_notification(rig->pe));
	CHECK(is_signalled(rig, 0)); /* still readable */
	clear(rig);
	CHECK_EQ(doca_pe_progress(rig->pe), 1);
	CHECK_EQ(rig_state(rig), DOCA_CTX_STATE_IDLE);
	rig_drop_buffers(task);
}

static void mode_all_clears_when_armed(struct rig *rig)
{
	CHECK_ERROR(doca_pe_set_event_mode(rig->pe, (enum doca_pe_event_mode)7), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_pe_set_event_mode(NULL, DOCA_PE_EVENT_MODE_PROGRESS_ALL), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_pe_set_event_mode(rig->pe, DOCA_PE_EVENT_MODE_PROGRESS_ALL));
	CHECK_OK(doca_pe_request_notification(rig->pe));
	rig_submit(rig, 1);
	CHECK(is_signalled(rig, RIG_LIMIT_S * 1000));
	complete_all(rig);
	CHECK(is_signalled(rig, 0)); /* not cleared */
	CHECK_OK(doca_pe_request_notification(rig->pe));
	CHECK(!is_signalled(rig, 0));
	CHECK_OK(doca_pe_set_event_mode(rig->pe, DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE));
	clear(rig);
}

static void works_with_epoll(struct rig *rig)
{
	struct epoll_event event = { .events = EPOLLIN };
	int epoll = epoll_create1(0);

	CHECK(epoll >= 0);
	CHECK(epoll_ctl(epoll, EPOLL_CTL_ADD, handle_of(rig), &event) == 0);
	for (int i = 0; i < 20; i++) {
		rig_submit(rig, 2);
		while (rig_in_flight(rig) > 0) {
			while (doca_pe_progress(rig->pe))
				;
			if (rig_in_flight(rig) == 0)
				break;
			CHECK_OK(doca_pe_request_notification(rig->pe));
			CHECK_EQ(epoll_wait(epoll, &event, 1, RIG_LIMIT_S * 1000), 1);
			clear(rig);
		}
	}
	close(epoll);
}

static void run(enum softdpu_execution execution)
{
	struct rig rig;
	int handle;

	CHECK_OK(softdpu_set_execution(execution));
	rig_open(&rig, 8);
	handle = handle_of(&rig);
	CHECK_OK(doca_ctx_start(rig.ctx));
	quiet_unless_armed(&rig);
	armed_before_it_happens(&rig);
	one_arm_one_wakeup(&rig);
	mode_all_clears_when_armed(&rig);
	works_with_epoll(&rig);
	armed_after_it_happened(&rig);
	CHECK_EQ(handle_of(&rig), handle);
	CHECK_ERROR(doca_pe_get_notification_handle(rig.pe, NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_pe_request_notification(NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_pe_clear_notification(NULL, 0), DOCA_ERROR_INVALID_VALUE);
	rig_close(&rig);
}

int main(void)
{
	run(SOFTDPU_EXECUTION_THREADS);
	run(SOFTDPU_EXECUTION_INLINE);
	return 0;
}
