/* Starts and ends the service thread. */
#include "service.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "sd_census.h"
#include "sd_log.h"
#include "sd_rendezvous.h"
#include "sd_thread.h"

enum { MAX_EVENTS = 16, OUTAGE_MS = 10 };

static pthread_mutex_t life_lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t num_users;
static pthread_t thread;

/* Returns the number of events. During a lasting failure it logs the first one and pauses, so that jobs and the end continue. */
static int wait_for_events(struct epoll_event *events)
{
	static uint8_t is_out;
	int timeout_ms, count;

	pthread_mutex_lock(&service.lock);
	timeout_ms = service_timeout_ms();
	pthread_mutex_unlock(&service.lock);
	count = epoll_wait(service.epoll_fd, events, MAX_EVENTS, timeout_ms);
	if (count >= 0) {
		is_out = 0;
	} else if (errno != EINTR) {
		if (!is_out)
			SD_LOG_ERROR("the service thread cannot wait for other processes: epoll_wait: %s (does the program close a "
				     "descriptor that it did not open?)", strerror(errno));
		is_out = 1;
		poll(NULL, 0, OUTAGE_MS);
	}
	return count;
}

static void turn(void)
{
	struct epoll_event events[MAX_EVENTS];
	uint64_t wakeups;
	int count = wait_for_events(events);

	pthread_mutex_lock(&service.lock);
	for (int i = 0; i < count; i++) {
		uint32_t slot = (uint32_t)events[i].data.u64;

		if (slot == 0) {
			if (read(service.wake_fd, &wakeups, sizeof(wakeups)) < 0 && errno != EAGAIN)
				SD_LOG_ERROR("the service thread cannot read its wake-up descriptor: %s", strerror(errno));
			continue;
		}
		service_call_watch(slot, (uint32_t)(events[i].data.u64 >> 32), events[i].events);
	}
	service_run_jobs();
	pthread_mutex_unlock(&service.lock);
}

static uint8_t is_closing(void)
{
	uint8_t closing;

	pthread_mutex_lock(&service.lock);
	closing = service.is_closing;
	pthread_mutex_unlock(&service.lock);
	return closing;
}

static void *run_thread(void *argument)
{
	(void)argument;
	service_enter();
	while (!is_closing())
		turn();
	return NULL;
}

static void close_descriptors(void)
{
	if (service.epoll_fd >= 0)
		close(service.epoll_fd);
	if (service.wake_fd >= 0)
		close(service.wake_fd);
	service.epoll_fd = -1;
	service.wake_fd = -1;
}

/* Returns the name of the failed system call, or NULL. */
static const char *open_descriptors(void)
{
	struct epoll_event event = { .events = EPOLLIN, .data.u64 = 0 };

	service.epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (service.epoll_fd < 0)
		return "epoll_create1";
	service.wake_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (service.wake_fd < 0)
		return "eventfd";
	return epoll_ctl(service.epoll_fd, EPOLL_CTL_ADD, service.wake_fd, &event) == 0 ? NULL : "epoll_ctl";
}

/* The life lock must be held. */
static doca_error_t open_service(void)
{
	const char *failed = open_descriptors();
	int error;

	if (failed != NULL) {
		SD_LOG_ERROR("cannot start the service thread: %s: %s", failed, strerror(errno));
		close_descriptors();
		return DOCA_ERROR_INITIALIZATION;
	}
	service.is_closing = 0;
	error = sd_thread_start(&thread, "softdpu-service", run_thread, NULL);
	if (error != 0) {
		SD_LOG_ERROR("cannot start the service thread: %s", strerror(error));
		close_descriptors();
		return DOCA_ERROR_INITIALIZATION;
	}
	pthread_mutex_lock(&service.lock);
	service.is_open = 1;
	pthread_mutex_unlock(&service.lock);
	return DOCA_SUCCESS;
}

/* The life lock must be held. */
static void close_service(void)
{
	pthread_mutex_lock(&service.lock);
	service.is_closing = 1;
	service.is_open = 0;
	service_wake();
	pthread_mutex_unlock(&service.lock);
	sd_thread_join(thread);
	service_drop_slots();
	close_descriptors();
}

static void before_fork(void)
{
	pthread_mutex_lock(&life_lock);
	pthread_mutex_lock(&service.lock);
}

static void after_fork_in_parent(void)
{
	pthread_mutex_unlock(&service.lock);
	pthread_mutex_unlock(&life_lock);
}

/* The child has no service thread: only the thread that calls fork() exists in the child. */
static void after_fork_in_child(void)
{
	if (service.is_open)
		sd_census_add(SD_CENSUS_HARDWARE_THREADS, -1);
	num_users = 0;
	service.is_open = 0;
	service.running = NULL;
	service.jobs = NULL;
	service_drop_slots();
	close_descriptors();
	pthread_cond_init(&service.called, NULL);
	pthread_mutex_init(&service.lock, NULL);
	pthread_mutex_init(&life_lock, NULL);
}

static void prepare_for_fork(void)
{
	sd_rendezvous_prepare_for_fork();
	pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

void sd_service_prepare_for_fork(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, prepare_for_fork);
}

doca_error_t sd_service_acquire(void)
{
	doca_error_t result = DOCA_SUCCESS;

	sd_service_prepare_for_fork();
	pthread_mutex_lock(&life_lock);
	if (num_users == 0)
		result = open_service();
	if (result == DOCA_SUCCESS)
		num_users++;
	pthread_mutex_unlock(&life_lock);
	return result;
}

void sd_service_release(void)
{
	pthread_mutex_lock(&life_lock);
	if (num_users > 0 && --num_users == 0)
		close_service();
	pthread_mutex_unlock(&life_lock);
}
