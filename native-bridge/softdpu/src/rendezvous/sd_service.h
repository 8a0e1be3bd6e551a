/*
 * The service thread: one per process, which answers other processes while the program's own threads do what they like.
 * It waits for descriptors and for the time of jobs, and calls their owners. It starts with its first user and ends with its last.
 *
 * Callbacks run on the service thread, one at a time. They must not block, and may call everything here but
 * sd_service_acquire() and sd_service_release().
 *
 * Thread: any. A child made by fork() has no service thread: watches and jobs of the parent are gone there, and withdrawing them
 * does nothing.
 */
#ifndef SD_SERVICE_H
#define SD_SERVICE_H

#include <stdint.h>

#include "doca_error.h"

/** A descriptor that the service thread waits for. Its memory is the caller's; zero-initialise. */
struct sd_watch {
	int fd;
	uint32_t slot;				/**< 1 and up while watched, else 0 */
	/** events: bits of EPOLLIN, EPOLLOUT, EPOLLHUP, EPOLLERR. Level-triggered: it is called again while there is a reason. */
	void (*ready)(struct sd_watch *watch, uint32_t events);
};

/** Something to be done once, now or later. Its memory is the caller's; zero-initialise. */
struct sd_job {
	struct sd_job *next;
	uint64_t due_ns;
	uint8_t is_scheduled;
	void (*run)(struct sd_job *job);
};

/** A watch that rests for a while. Its memory is the caller's; zero-initialise. */
struct sd_pause {
	struct sd_job job;
	struct sd_watch *watch;
	uint32_t events;
};

/** One more user; the first starts the thread. INITIALIZATION: it cannot be started. */
doca_error_t sd_service_acquire(void);

/** One user less; the last waits for the thread's end. All watches and jobs must be withdrawn by then. */
void sd_service_release(void);

/** Call ready whenever fd has one of the events (EPOLLHUP and EPOLLERR always count). fd stays the caller's. NO_MEMORY. */
doca_error_t sd_service_watch(struct sd_watch *watch, int fd, uint32_t events,
			      void (*ready)(struct sd_watch *watch, uint32_t events));

/** Wait for other events of a watched descriptor; nothing happens when it is not watched. */
void sd_service_rearm(struct sd_watch *watch, uint32_t events);

/** Stop watching. When this returns, ready is not running and never runs again, except that a callback may withdraw its own
 *  watch. No lock that ready takes may be held. Idempotent. */
void sd_service_unwatch(struct sd_watch *watch);

/** Let run(job) be called delay_ns from now, in the order of time, then of calls. A scheduled job moves. */
void sd_service_schedule(struct sd_job *job, uint64_t delay_ns, void (*run)(struct sd_job *job));

/** Withdraw a job, with the same promise as sd_service_unwatch(). Idempotent. */
void sd_service_cancel(struct sd_job *job);

/** Do not call ready for delay_ns, then wait for these events again. For a watch whose reason cannot be removed now, such as a client
 *  that waits while the process has no descriptor left. Withdraw it by sd_service_cancel(&pause->job), then the watch. */
void sd_service_pause(struct sd_pause *pause, struct sd_watch *watch, uint32_t events, uint64_t delay_ns);

#endif
