/*
 * A sync event that the host's process exports and the DPU's process imports. Each sees the other's changes, even if the other
 * one is busy; the end of the exporter ends waits. The test runs twice: with and without process_vm system calls.
 */
#include <pthread.h>

#include "exporter.h"
#include "sync_event.h"

enum { ADDITIONS = 3000, NUM_TASKS = 8 };

/* Orders to the other process, in place of orders about maps. */
enum order {
	EXPORT_BLOCKING,		/* creates an event for blocking calls; the answer is the description */
	EXPORT_TASKS,			/* creates an event with tasks */
	VALUE,				/* answers the value */
	SET,
	ADD_MANY,
	WAIT_BLOCKED,			/* waits in a blocking call until the value is seed */
	WAIT_ASLEEP,			/* waits with a task, on the engine's handle */
	WAIT_AND_DIE,			/* never answers */
	CLOSE,
	QUIT,
};

/* --- the other process, on the host --- */

static struct doca_dev *host;
static struct event_rig host_rig;
static struct doca_sync_event *host_event;

static void export_event(struct exporter_message *message)
{
	const uint8_t *data;

	CHECK_OK(doca_sync_event_export_to_remote_pci(host_event, host, &data, &message->desc_len));
	CHECK(message->desc_len <= sizeof(message->desc));
	memcpy(message->desc, data, message->desc_len);
}

static struct doca_sync_event *new_remote_event(void)
{
	struct doca_sync_event *event;

	CHECK_OK(doca_sync_event_create(&event));
	CHECK_OK(doca_sync_event_add_publisher_location_remote_pci(event));
	CHECK_OK(doca_sync_event_add_subscriber_location_cpu(event, host));
	return event;
}

static void add_many(void)
{
	uint64_t before;

	for (int i = 0; i < ADDITIONS; i++)
		CHECK_OK(doca_sync_event_update_add(host_event, 1, &before));
}

static void close_event(void)
{
	if (host_rig.event != NULL) {
		event_close(&host_rig);
	} else {
		CHECK_OK(doca_sync_event_stop(host_event));
		CHECK_OK(doca_sync_event_destroy(host_event));
	}
	host_rig.event = NULL;
}

static void execute(struct exporter_message *message)
{
	switch ((enum order)message->order) {
	case EXPORT_BLOCKING:
		host_event = new_remote_event();
		CHECK_OK(doca_sync_event_start(host_event));
		export_event(message);
		break;
	case EXPORT_TASKS:
		host_event = new_remote_event();
		event_open_as(&host_rig, host, host_event, NUM_TASKS);
		export_event(message);
		break;
	case VALUE:
		CHECK_OK(doca_sync_event_get(host_event, &message->count));
		break;
	case SET:
		CHECK_OK(doca_sync_event_update_set(host_event, message->seed));
		break;
	case ADD_MANY:
		add_many();
		break;
	case WAIT_BLOCKED:
		CHECK_OK(doca_sync_event_wait_eq_yield(host_event, message->seed, UINT64_MAX));
		break;
	case WAIT_ASLEEP:
		CHECK_OK(doca_task_submit(event_wait_eq(&host_rig, message->seed, UINT64_MAX, 0)));
		EVENT_SLEEP_UNTIL(&host_rig, host_rig.completed == 1);
		break;
	case WAIT_AND_DIE:
		CHECK_OK(doca_sync_event_wait_eq_yield(host_event, UINT64_MAX, UINT64_MAX));
		break;
	case CLOSE:
		close_event();
		break;
	case QUIT:
		break;
	}
}

static void be_host(void)
{
	struct exporter_message message;

	host = rig_open_device("81:00.0");
	do {
		exporter_receive(EXPORTER_SOCKET, &message);
		execute(&message);
		CHECK(send(EXPORTER_SOCKET, &message, sizeof(message), MSG_NOSIGNAL) == sizeof(message));
	} while (message.order != (enum exporter_order)QUIT);
	CHECK_OK(doca_dev_close(host));
	rig_check_nothing_is_left();
	exit(0);
}

/* --- the test's process, on the DPU --- */

static struct doca_dev *dev;
static struct exporter other;
static struct exporter_message description;

static struct exporter_message command(enum order order, uint64_t value)
{
	return exporter_call(&other, (struct exporter_message){ .order = (enum exporter_order)order, .seed = value });
}

/* Sends an order and does not wait for its end. */
static void send_order(enum order order, uint64_t value)
{
	exporter_send(&other, (enum exporter_order)order, value);
}

static void await(void)
{
	struct exporter_message answer;

	exporter_receive(other.socket, &answer);
}

static struct doca_sync_event *import_new(enum order how)
{
	struct doca_sync_event *event;

	description = command(how, 0);
	CHECK_OK(doca_sync_event_create_from_export(dev, description.desc, description.desc_len, &event));
	return event;
}

static void end_blocking(struct doca_sync_event *event)
{
	CHECK_OK(doca_sync_event_stop(event));
	CHECK_OK(doca_sync_event_destroy(event));
}

/* The exporter is inside a blocking call: the importer needs no action of the exporter. */
static void one_sided_calls(void)
{
	struct doca_sync_event *event = import_new(EXPORT_BLOCKING);
	uint64_t value;

	CHECK_OK(doca_sync_event_start(event));
	CHECK_OK(doca_sync_event_get(event, &value));
	CHECK_EQ(value, 0);
	CHECK_OK(doca_sync_event_update_set(event, 0x1122334455667788));
	CHECK_EQ(command(VALUE, 0).count, 0x1122334455667788);
	CHECK_OK(doca_sync_event_update_add(event, 1, &value));
	CHECK_EQ(value, 0x1122334455667788);
	CHECK_EQ(command(VALUE, 0).count, 0x1122334455667789);
	command(SET, 5);
	CHECK_OK(doca_sync_event_get(event, &value));
	CHECK_EQ(value, 5);
	CHECK_OK(doca_sync_event_wait_gt(event, 4, UINT64_MAX));

	/* Both wait for each other. */
	send_order(WAIT_BLOCKED, 6);
	CHECK_OK(doca_sync_event_update_set(event, 6));
	await();
	send_order(SET, 7);
	CHECK_OK(doca_sync_event_wait_eq_yield(event, 7, UINT64_MAX));
	await();

	/* No concurrent addition of the two sides is lost. */
	send_order(ADD_MANY, 0);
	for (int i = 0; i < ADDITIONS; i++)
		CHECK_OK(doca_sync_event_update_add(event, 1, &value));
	await();
	CHECK_EQ(command(VALUE, 0).count, 7 + 2 * ADDITIONS);
	end_blocking(event);
	command(CLOSE, 0);
}

static void one_sided_tasks(void)
{
	struct event_rig rig;
	uint64_t before;

	event_open_as(&rig, dev, import_new(EXPORT_TASKS), NUM_TASKS);
	CHECK_EQ(event_value(&rig), 0);
	CHECK_OK(event_run(&rig, event_set(&rig, 40, 0)));
	CHECK_OK(event_run(&rig, event_add(&rig, 2, &before, 0)));
	CHECK_EQ(before, 40);
	CHECK_EQ(event_value(&rig), 42);

	/* The exporter sleeps and waits with a task. */
	send_order(WAIT_ASLEEP, 43);
	CHECK_OK(event_run(&rig, event_set(&rig, 43, 0)));
	await();
	event_close(&rig);
	command(CLOSE, 0);
}

/*
 * The exporter sets the value, then destroys the event. Calls of the importer that wait for the last value succeed, others
 * fail.
 */
static void last_number_in_calls(void)
{
	struct doca_sync_event *event = import_new(EXPORT_BLOCKING);
	uint64_t value;

	CHECK_OK(doca_sync_event_start(event));
	command(SET, 5);
	command(CLOSE, 0);
	CHECK_OK(doca_sync_event_wait_eq(event, 5, UINT64_MAX));
	CHECK_OK(doca_sync_event_wait_eq_yield(event, 1, 1));
	CHECK_OK(doca_sync_event_wait_neq(event, 4, UINT64_MAX));
	CHECK_OK(doca_sync_event_wait_gt(event, 4, UINT64_MAX));
	CHECK_ERROR(doca_sync_event_wait_eq(event, 6, UINT64_MAX), DOCA_ERROR_IO_FAILED);
	CHECK_ERROR(doca_sync_event_get(event, &value), DOCA_ERROR_IO_FAILED);
	CHECK_ERROR(doca_sync_event_update_set(event, 6), DOCA_ERROR_IO_FAILED);
	end_blocking(event);
}

/* The same with tasks, which the importer submits before or after the end of the event. */
static void last_number_in_tasks(void)
{
	struct event_rig rig;

	event_open_as(&rig, dev, import_new(EXPORT_BLOCKING), NUM_TASKS);
	CHECK_OK(doca_task_submit(event_wait_eq(&rig, 5, UINT64_MAX, 0)));
	CHECK_OK(doca_task_submit(event_wait_neq(&rig, 0, UINT64_MAX, 0)));
	command(SET, 5);
	command(CLOSE, 0);
	RIG_PROGRESS_UNTIL(rig.pe, rig.completed + rig.failed == 2);
	CHECK_EQ(rig.completed, 2);
	CHECK_OK(event_run(&rig, event_wait_eq(&rig, 5, UINT64_MAX, 0)));
	CHECK_EQ(event_run(&rig, event_wait_eq(&rig, 6, UINT64_MAX, 0)), DOCA_ERROR_IO_FAILED);
	event_close(&rig);
}

/* The importer waits with tasks: polling, then asleep. */
static void waiting_tasks(void)
{
	struct event_rig rig;

	event_open_as(&rig, dev, import_new(EXPORT_BLOCKING), NUM_TASKS);
	CHECK_OK(doca_task_submit(event_wait_eq(&rig, 1, UINT64_MAX, 0)));
	CHECK_OK(doca_task_submit(event_wait_neq(&rig, 0, UINT64_MAX, 0)));
	send_order(SET, 1);
	RIG_PROGRESS_UNTIL(rig.pe, rig.completed == 2);
	await();
	CHECK_OK(doca_task_submit(event_wait_eq(&rig, 2, UINT64_MAX, 0)));
	send_order(SET, 2);
	EVENT_SLEEP_UNTIL(&rig, rig.completed == 3);
	await();
	/* The exporter destroys the event: waiting tasks fail. */
	CHECK_OK(doca_task_submit(event_wait_eq(&rig, 3, UINT64_MAX, 0)));
	command(CLOSE, 0);
	EVENT_SLEEP_UNTIL(&rig, rig.failed == 1);
	CHECK_EQ(rig.last_status, DOCA_ERROR_IO_FAILED);
	CHECK_EQ(event_run(&rig, event_set(&rig, 1, 0)), DOCA_ERROR_IO_FAILED);
	event_close(&rig);
}

/* The exporter is killed while the importer waits with a task, asleep or polling. */
static void killed_under_tasks(int asleep)
{
	struct event_rig rig;
	uint64_t value;

	event_open_as(&rig, dev, import_new(EXPORT_BLOCKING), NUM_TASKS);
	CHECK_OK(doca_task_submit(event_wait_eq(&rig, 3, UINT64_MAX, 0)));
	CHECK_OK(doca_task_submit(event_wait_neq(&rig, 0, UINT64_MAX, 0)));
	if (asleep)
		CHECK_OK(doca_pe_request_notification(rig.pe));
	exporter_kill(&other);
	if (asleep)
		EVENT_SLEEP_UNTIL(&rig, rig.failed == 2);
	else
		RIG_PROGRESS_UNTIL(rig.pe, rig.failed == 2);
	CHECK_EQ(rig.last_status, DOCA_ERROR_IO_FAILED);
	CHECK_EQ(event_run(&rig, event_get(&rig, &value, 0)), DOCA_ERROR_IO_FAILED);
	CHECK_EQ(event_run(&rig, event_add(&rig, 1, &value, 0)), DOCA_ERROR_IO_FAILED);
	CHECK_EQ(event_run(&rig, event_wait_eq(&rig, 0, 0, 0)), DOCA_ERROR_IO_FAILED);
	CHECK_EQ(event_state(&rig), DOCA_CTX_STATE_RUNNING);
	event_close(&rig);
	exporter_start(&other);
}

static void *wait_in_vain(void *event)
{
	CHECK_ERROR(doca_sync_event_wait_eq_yield(event, 1, UINT64_MAX), DOCA_ERROR_IO_FAILED);
	return NULL;
}

/* The exporter is killed while both sides wait in blocking calls. */
static void killed_under_calls(void)
{
	struct doca_sync_event *event = import_new(EXPORT_BLOCKING), *late;
	pthread_t thread;
	uint64_t value;

	CHECK_OK(doca_sync_event_start(event));
	CHECK(pthread_create(&thread, NULL, wait_in_vain, event) == 0);
	send_order(WAIT_AND_DIE, 0);
	exporter_kill(&other);
	CHECK(pthread_join(thread, NULL) == 0);
	CHECK_ERROR(doca_sync_event_get(event, &value), DOCA_ERROR_IO_FAILED);
	CHECK_ERROR(doca_sync_event_update_set(event, 1), DOCA_ERROR_IO_FAILED);
	CHECK_ERROR(doca_sync_event_create_from_export(dev, description.desc, description.desc_len, &late),
		    DOCA_ERROR_INVALID_VALUE);
	end_blocking(event);
	exporter_start(&other);
}

int main(int argc, char **argv)
{
	if (argc > 1)
		be_host();
	exporter_folder();
	dev = rig_open_device("03:00.0");
	exporter_start(&other);
	one_sided_calls();
	one_sided_tasks();
	waiting_tasks();
	last_number_in_calls();
	last_number_in_tasks();
	killed_under_tasks(0);
	killed_under_tasks(1);
	killed_under_calls();
	command(QUIT, 0);
	CHECK(exporter_reap(&other) == 0);
	CHECK_OK(doca_dev_close(dev));
	rig_check_nothing_is_left();
	exporter_remove_folder(1);
	exporter_again_without_process_vm(argv);
	return 0;
}
