/* Watches and jobs of the service thread, and their callbacks. */
#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#include "sd_list.h"
#include "sd_log.h"
#include "service.h"

enum { FIRST_SLOTS = 16, NS_PER_MS = 1000000, MAX_TIMEOUT_MS = 60000 };

struct service service = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
	.called = PTHREAD_COND_INITIALIZER,
	.epoll_fd = -1,
	.wake_fd = -1,
};

static __thread uint8_t is_inside;

uint64_t service_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void service_enter(void)
{
	is_inside = 1;
}

void service_wake(void)
{
	static const uint64_t one = 1;

	/* write() fails only on a full counter. Then the thread already has a wake-up. */
	if (service.wake_fd >= 0 && write(service.wake_fd, &one, sizeof(one)) < 0)
		return;
}

void service_wait_called(const void *what)
{
	if (is_inside)
		return;
	while (service.running == what)
		pthread_cond_wait(&service.called, &service.lock);
}

static void called(void)
{
	service.running = NULL;
	pthread_cond_broadcast(&service.called);
}

void service_drop_slots(void)
{
	free(service.slots);
	service.slots = NULL;
	service.num_slots = 0;
	service.free_slot = 0;
}

/* The lock must be held. */
static uint8_t add_slots(void)
{
	uint32_t count = service.num_slots == 0 ? FIRST_SLOTS : 2 * service.num_slots;
	struct service_slot *slots = realloc(service.slots, count * sizeof(*slots));

	if (slots == NULL)
		return 0;
	/* Slot 0 stays unused: 0 means the wake-up descriptor and the end of the free list. */
	for (uint32_t i = count - 1; i > 0 && i >= service.num_slots; i--) {
		slots[i] = (struct service_slot){ .next_free = service.free_slot };
		service.free_slot = i;
	}
	service.slots = slots;
	service.num_slots = count;
	return 1;
}

static uint8_t is_watched(const struct sd_watch *watch)
{
	return watch->slot != 0 && watch->slot < service.num_slots && service.slots[watch->slot].watch == watch;
}

static int control(const struct sd_watch *watch, int operation, uint32_t events)
{
	struct epoll_event event = { .events = events };

	event.data.u64 = (uint64_t)service.slots[watch->slot].generation << 32 | watch->slot;
	return epoll_ctl(service.epoll_fd, operation, watch->fd, &event);
}

/* The lock must be held. */
static void release_slot(struct sd_watch *watch)
{
	struct service_slot *slot = &service.slots[watch->slot];

	slot->watch = NULL;
	slot->generation++;
	slot->next_free = service.free_slot;
	service.free_slot = watch->slot;
	watch->slot = 0;
}

/* Returns an error number, or 0. The lock must be held. */
static int take_slot(struct sd_watch *watch, uint32_t events)
{
	int error;

	if (service.free_slot == 0 && !add_slots())
		return ENOMEM;
	watch->slot = service.free_slot;
	service.free_slot = service.slots[watch->slot].next_free;
	service.slots[watch->slot].watch = watch;
	if (control(watch, EPOLL_CTL_ADD, events) == 0)
		return 0;
	error = errno;
	release_slot(watch);
	return error;
}

doca_error_t sd_service_watch(struct sd_watch *watch, int fd, uint32_t events,
			      void (*ready)(struct sd_watch *watch, uint32_t events))
{
	uint8_t is_open;
	int error = 0;

	watch->fd = fd;
	watch->ready = ready;
	pthread_mutex_lock(&service.lock);
	is_open = service.is_open;
	if (is_open)
		error = take_slot(watch, events);
	pthread_mutex_unlock(&service.lock);
	if (!is_open)
		return DOCA_ERROR_BAD_STATE;
	if (error == 0)
		return DOCA_SUCCESS;
	SD_LOG_ERROR("the service thread cannot watch descriptor %d: epoll_ctl: %s", fd, strerror(error));
	return error == ENOMEM ? DOCA_ERROR_NO_MEMORY : DOCA_ERROR_OPERATING_SYSTEM;
}

void sd_service_rearm(struct sd_watch *watch, uint32_t events)
{
	uint8_t had_failed;
	int error = 0;

	pthread_mutex_lock(&service.lock);
	if (is_watched(watch) && control(watch, EPOLL_CTL_MOD, events) != 0)
		error = errno;
	had_failed = watch->has_failed;
	watch->has_failed = error != 0;
	pthread_mutex_unlock(&service.lock);
	if (error != 0 && !had_failed)
		SD_LOG_ERROR("the service thread cannot watch descriptor %d: epoll_ctl: %s (does the program close a descriptor "
			     "that it did not open?)", watch->fd, strerror(error));
}

void sd_service_unwatch(struct sd_watch *watch)
{
	pthread_mutex_lock(&service.lock);
	if (is_watched(watch)) {
		control(watch, EPOLL_CTL_DEL, 0);
		release_slot(watch);
	}
	service_wait_called(watch);
	pthread_mutex_unlock(&service.lock);
}

void service_call_watch(uint32_t slot, uint32_t generation, uint32_t events)
{
	void (*ready)(struct sd_watch *watch, uint32_t events);
	struct sd_watch *watch;

	if (slot >= service.num_slots || service.slots[slot].generation != generation)
		return; /* the watch was withdrawn after epoll_wait returned this event */
	watch = service.slots[slot].watch;
	if (watch == NULL)
		return;
	ready = watch->ready;
	service.running = watch;
	pthread_mutex_unlock(&service.lock);
	ready(watch, events);
	pthread_mutex_lock(&service.lock);
	called();
}

/* The lock must be held. */
static void remove_job(struct sd_job *job)
{
	if (!job->is_scheduled)
		return;
	SD_REMOVE(service.jobs, job, next);
	job->is_scheduled = 0;
}

void sd_service_schedule(struct sd_job *job, uint64_t delay_ns, void (*run)(struct sd_job *job))
{
	struct sd_job **place = &service.jobs;

	pthread_mutex_lock(&service.lock);
	remove_job(job);
	if (service.is_open) {
		job->run = run;
		job->due_ns = service_now() + delay_ns;
		while (*place != NULL && (*place)->due_ns <= job->due_ns)
			place = &(*place)->next;
		job->next = *place;
		*place = job;
		job->is_scheduled = 1;
		if (service.jobs == job && !is_inside)
			service_wake();
	}
	pthread_mutex_unlock(&service.lock);
}

void sd_service_cancel(struct sd_job *job)
{
	pthread_mutex_lock(&service.lock);
	remove_job(job);
	service_wait_called(job);
	pthread_mutex_unlock(&service.lock);
}

static void end_pause(struct sd_job *job)
{
	struct sd_pause *pause = SD_OWNER(job, struct sd_pause, job);

	sd_service_rearm(pause->watch, pause->events);
}

void sd_service_pause(struct sd_pause *pause, struct sd_watch *watch, uint32_t events, uint64_t delay_ns)
{
	pause->watch = watch;
	pause->events = events;
	sd_service_rearm(watch, 0);
	sd_service_schedule(&pause->job, delay_ns, end_pause);
}

void service_run_jobs(void)
{
	uint64_t now = service_now();

	/* Jobs that callbacks schedule run after the next poll of the descriptors. */
	while (service.jobs != NULL && service.jobs->due_ns <= now) {
		struct sd_job *job = service.jobs;
		void (*run)(struct sd_job *job) = job->run;

		remove_job(job);
		service.running = job;
		pthread_mutex_unlock(&service.lock);
		run(job);
		pthread_mutex_lock(&service.lock);
		called();
	}
}

int service_timeout_ms(void)
{
	uint64_t now, wait_ms;

	if (service.jobs == NULL)
		return -1;
	now = service_now();
	if (service.jobs->due_ns <= now)
		return 0;
	wait_ms = (service.jobs->due_ns - now + NS_PER_MS - 1) / NS_PER_MS;
	return wait_ms > MAX_TIMEOUT_MS ? MAX_TIMEOUT_MS : (int)wait_ms;
}
