/*
 * Checks of values that tasks wait for, for programs that do not poll. The service thread checks once per millisecond, and at
 * once after the library itself changed a value. The thread reports only that a value may satisfy a waiting task; the
 * program's thread checks again and ends tasks. In inline execution it only wakes a sleeping program.
 */
#include <pthread.h>

#include "import.h"
#include "number.h"
#include "sd_config.h"
#include "sd_engine.h"
#include "sd_sync_event.h"

enum { PERIOD_NS = 1000000 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the list; listed events are scheduled */
static struct doca_sync_event *watched;
static _Atomic uint32_t num_watched;

static uint8_t run_check(struct sd_event *posted)
{
	struct doca_sync_event *event = (struct doca_sync_event *)posted->ctx;

	atomic_store(&event->is_check_posted, 0);
	sync_event_check(event);
	if (event->waiting_head == NULL)
		sync_event_unwatch(event);
	return 0;
}

/* Runs on the service thread. If a check would need another process and take too long, the program's thread has to check. */
static uint8_t may_have_changed(struct doca_sync_event *event)
{
	doca_error_t result = DOCA_SUCCESS;
	uint64_t number;

	if (event->import != NULL)
		result = import_peek(event->import, &number);
	else
		number = number_load(event->number);
	if (result == DOCA_ERROR_AGAIN)
		return 0;
	return result != DOCA_SUCCESS || number != atomic_load(&event->last_seen);
}

static void notify(struct doca_sync_event *event)
{
	if (sd_config()->execution == SOFTDPU_EXECUTION_INLINE)
		sd_context_wake(&event->ctx);
	else if (!atomic_exchange(&event->is_check_posted, 1))
		sd_context_post_event(&event->ctx, &event->check_event, run_check);
}

static void check_on_service(struct sd_job *job)
{
	struct doca_sync_event *event = SD_OWNER(job, struct doca_sync_event, job);

	if (may_have_changed(event))
		notify(event);
	pthread_mutex_lock(&lock);
	if (event->is_watched)
		sd_service_schedule(&event->job, PERIOD_NS, check_on_service);
	pthread_mutex_unlock(&lock);
}

/* Wakes programs that wait for a value. Without such programs it costs an atomic load. Thread: any. */
static void check_all(void)
{
	if (atomic_load(&num_watched) == 0)
		return;
	pthread_mutex_lock(&lock);
	for (struct doca_sync_event *event = watched; event != NULL; event = event->watched_next)
		sd_service_schedule(&event->job, 0, check_on_service);
	pthread_mutex_unlock(&lock);
}

void sync_event_watch(struct doca_sync_event *event)
{
	if (event->is_watched)
		return;
	pthread_mutex_lock(&lock);
	event->is_watched = 1;
	event->watched_next = watched;
	watched = event;
	atomic_fetch_add(&num_watched, 1);
	number_listen(check_all);
	sd_service_schedule(&event->job, 0, check_on_service); /* the value may have changed since the program's check */
	pthread_mutex_unlock(&lock);
}

static void leave_list(struct doca_sync_event *event)
{
	struct doca_sync_event **place = &watched;

	while (*place != event)
		place = &(*place)->watched_next;
	*place = event->watched_next;
	event->is_watched = 0;
	atomic_fetch_sub(&num_watched, 1);
}

void sync_event_unwatch(struct doca_sync_event *event)
{
	if (!event->is_watched)
		return;
	pthread_mutex_lock(&lock);
	leave_list(event);
	pthread_mutex_unlock(&lock);
	sd_service_cancel(&event->job); /* no thread posts from here on */
	if (atomic_exchange(&event->is_check_posted, 0))
		sd_engine_withdraw(&event->check_event);
}
