/*
 * A sync event of another process that never becomes readable (userfaultfd), so that the kernel waits inside a read. Such an
 * event delays calls for this event, and other tasks for 2 s at most. The event never delays the service thread, and holds a
 * bounded number of threads.
 */
#include <pthread.h>

#include "doca_log.h"
#include "exporter.h"
#include "sd_peer.h"
#include "sync_event.h"
#include "unreadable.h"

enum { NUM_TASKS = 4, LIFE_S = 90 };

static struct doca_dev *dev;
static struct exporter exporter;

/* The second process. The description is empty if it cannot use userfaultfd. */
static int be_unreadable(void)
{
	uint64_t *number = (uint64_t *)(void *)unreadable_memory(4096);
	struct exporter_message message = { 0 };
	struct doca_sync_event *event;
	struct doca_dev *host;
	const uint8_t *desc;

	exporter_receive(EXPORTER_SOCKET, &message);
	message.desc_len = 0;
	if (number != NULL) {
		host = rig_open_device("81:00.0");
		CHECK_OK(doca_sync_event_create(&event));
		CHECK_OK(doca_sync_event_add_publisher_location_remote_pci(event));
		CHECK_OK(doca_sync_event_add_subscriber_location_cpu(event, host));
		CHECK_OK(doca_sync_event_set_addr(event, number));
		CHECK_OK(doca_sync_event_start(event));
		CHECK_OK(doca_sync_event_export_to_remote_pci(event, host, &desc, &message.desc_len));
		memcpy(message.desc, desc, message.desc_len);
	}
	CHECK(send(EXPORTER_SOCKET, &message, sizeof(message), MSG_NOSIGNAL) == sizeof(message));
	for (;;)
		pause();
}

static struct doca_sync_event *import_event(void)
{
	struct doca_sync_event *event;

	CHECK_OK(doca_sync_event_create_from_export(dev, exporter.desc, exporter.desc_len, &event));
	return event;
}

/* The second call fails at once, because the first one waits for the other process. */
static void calls_end(void)
{
	struct doca_sync_event *event = import_event();
	uint64_t value;

	CHECK_OK(doca_sync_event_start(event));
	CHECK_ERROR(doca_sync_event_get(event, &value), DOCA_ERROR_IO_FAILED);
	CHECK_ERROR(doca_sync_event_wait_eq(event, 1, UINT64_MAX), DOCA_ERROR_IO_FAILED);
	CHECK_OK(doca_sync_event_stop(event));
	CHECK_OK(doca_sync_event_destroy(event));
}

/* Tasks of another event: one that waits while the program sleeps, and those behind a read on the only hardware thread. */
static void others_continue(struct event_rig *stuck, struct event_rig *other)
{
	uint64_t value;

	CHECK_OK(doca_task_submit(event_wait_eq(stuck, 1, UINT64_MAX, 0)));
	CHECK_OK(doca_pe_request_notification(stuck->pe));
	CHECK_OK(doca_task_submit(event_wait_eq(other, 5, UINT64_MAX, 0)));
	CHECK_OK(doca_task_submit(event_set(other, 5, 0)));
	EVENT_SLEEP_UNTIL(other, other->completed == 2);

	CHECK_OK(doca_task_submit(event_get(stuck, &value, 0)));
	CHECK_EQ(event_value(other), 5);
	while (doca_pe_progress(stuck->pe))
		;
	CHECK_EQ(stuck->completed + stuck->failed, 0);
}

/* The end of the exporter ends its tasks. The memory of the exporter becomes readable briefly, so the read may succeed. */
static void stuck_tasks_end(struct event_rig *stuck)
{
	exporter_kill(&exporter);
	RIG_PROGRESS_UNTIL(stuck->pe, stuck->completed + stuck->failed == 2);
	event_close(stuck);
}

struct stuck_call {
	struct exporter exporter;
	struct doca_sync_event *event;
	pthread_t thread;
};

static void *call_in_vain(void *argument)
{
	struct stuck_call *call = argument;
	uint64_t value;

	CHECK_ERROR(doca_sync_event_get(call->event, &value), DOCA_ERROR_IO_FAILED);
	return NULL;
}

static void begin_call(struct stuck_call *call)
{
	exporter_start(&call->exporter);
	exporter_share(&call->exporter, 0);
	CHECK_OK(doca_sync_event_create_from_export(dev, call->exporter.desc, call->exporter.desc_len, &call->event));
	CHECK_OK(doca_sync_event_start(call->event));
	CHECK(pthread_create(&call->thread, NULL, call_in_vain, call) == 0);
}

static int64_t count_threads(void)
{
	struct softdpu_census census;

	softdpu_census(&census);
	return census.hardware_threads;
}

/* At most SD_PEER_MAX_ABANDONED threads wait for such processes. Later calls ask the process, and fail without an answer. */
static void number_of_threads_is_bounded(void)
{
	static struct stuck_call calls[SD_PEER_MAX_ABANDONED + 1];
	struct stuck_call *last = &calls[SD_PEER_MAX_ABANDONED];
	uint64_t deadline;

	for (struct stuck_call *call = calls; call < last; call++)
		begin_call(call);
	for (struct stuck_call *call = calls; call < last; call++)
		CHECK(pthread_join(call->thread, NULL) == 0);
	CHECK_EQ(count_threads(), SD_PEER_MAX_ABANDONED);
	begin_call(last);
	CHECK(pthread_join(last->thread, NULL) == 0);
	CHECK_EQ(count_threads(), SD_PEER_MAX_ABANDONED);
	for (struct stuck_call *call = calls; call <= last; call++) {
		CHECK_OK(doca_sync_event_stop(call->event));
		CHECK_OK(doca_sync_event_destroy(call->event));
		exporter_kill(&call->exporter);
	}
	for (deadline = rig_now_ms() + RIG_LIMIT_S * 1000; count_threads() > 0;) {
		CHECK(rig_now_ms() < deadline);
		sched_yield();
	}
}

int main(int argc, char **argv)
{
	struct event_rig stuck, other;
	uint8_t has_userfaultfd;

	(void)argv;
	alarm(LIFE_S); /* fails the test if a call hangs */
	if (argc > 1)
		return be_unreadable();
	exporter_folder();
	CHECK_OK(doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_ERROR)); /* the takeover logs a warning */
	CHECK_OK(softdpu_set_threads(1));
	dev = rig_open_device("03:00.0");
	exporter_start(&exporter);
	exporter_share(&exporter, 0);
	has_userfaultfd = exporter.desc_len > 0;
	if (has_userfaultfd) {
		event_open(&other, dev, NUM_TASKS);
		event_open_as(&stuck, dev, import_event(), NUM_TASKS);
		others_continue(&stuck, &other);
		calls_end();
		stuck_tasks_end(&stuck);
		event_close(&other);
		number_of_threads_is_bounded();
	} else {
		exporter_kill(&exporter);
	}
	CHECK_OK(doca_dev_close(dev));
	rig_check_nothing_is_left();
	exporter_remove_folder(1);
	if (!has_userfaultfd)
		SKIP("no userfaultfd for this process");
	return 0;
}
