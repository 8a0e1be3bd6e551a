/*
 * The service thread answers other processes, independently of the program's threads. A process has at most one service thread.
 * The thread waits for descriptors and due jobs, and runs their callbacks. The thread starts with its first user and ends with
 * its last.
 *
 * Callbacks run on the service thread, one at a time. Callbacks must not block. Callbacks may call all functions of this header
 * except sd_service_acquire() and sd_service_release().
 *
 * Thread: any. A child made by fork() has no service thread, no watches and no jobs. Withdrawing them there has no effect.
 */
#ifndef SD_SERVICE_H
#define SD_SERVICE_H

#include <stddef.h>
#include <stdint.h>

#include "doca_error.h"

/** Returns the struct of which a watch, a job or another pointer is a member. */
#define SD_OWNER(pointer, type, member) ((type *)((char *)(pointer) - offsetof(type, member)))

/** A descriptor that the service thread polls. The caller owns the memory; zero-initialise. */
struct sd_watch {
	int fd;
	uint32_t slot;				/**< index, at least 1 while watched, else 0 */
	uint8_t has_failed;			/**< the last change of its events failed, and the log names the cause */
	/**
	 * events: bits of EPOLLIN, EPOLLOUT, EPOLLHUP, EPOLLERR. Level-triggered: the thread repeats the call while an event is
	 * present.
	 */
	void (*ready)(struct sd_watch *watch, uint32_t events);
};

/** A callback that runs once, now or later. The caller owns the memory; zero-initialise. */
struct sd_job {
	struct sd_job *next;
	uint64_t due_ns;
	uint8_t is_scheduled;
	void (*run)(struct sd_job *job);
};

/** A pause of a watch. The caller owns the memory; zero-initialise. */
struct sd_pause {
	struct sd_job job;
	struct sd_watch *watch;
	uint32_t events;
};

/**
 * Registers the handlers that keep the service's locks free in a forked child. Code that holds a lock while it calls this header
 * registers its own handlers afterwards: fork() then takes the locks in the same order.
 */
void sd_service_prepare_for_fork(void);
/** Adds a user; the first one starts the thread. INITIALIZATION: the thread cannot start. */
doca_error_t sd_service_acquire(void);

/**
 * Removes a user; the last one waits for the thread's end. The caller must withdraw all watches and jobs before the last call.
 */
void sd_service_release(void);

/**
 * Calls ready whenever fd has one of the events (EPOLLHUP and EPOLLERR always count). The caller keeps ownership of fd.
 * BAD_STATE: the service has no user; NO_MEMORY; OPERATING_SYSTEM: the log names the failure of epoll_ctl().
 */
doca_error_t sd_service_watch(struct sd_watch *watch, int fd, uint32_t events,
			      void (*ready)(struct sd_watch *watch, uint32_t events));

/** Changes the events of a watched descriptor. Has no effect on an unwatched one. */
void sd_service_rearm(struct sd_watch *watch, uint32_t events);

/**
 * Stops watching. After the return, ready neither runs nor starts, unless the caller is ready itself. The caller must not hold
 * a lock that ready takes. Idempotent.
 */
void sd_service_unwatch(struct sd_watch *watch);

/** Schedules run(job) in delay_ns. Jobs run in the order of their times, then of the calls. A scheduled job changes its time. */
void sd_service_schedule(struct sd_job *job, uint64_t delay_ns, void (*run)(struct sd_job *job));

/** Withdraws a job, with the same guarantee as sd_service_unwatch(). Idempotent. */
void sd_service_cancel(struct sd_job *job);

/**
 * Suspends a watch for delay_ns, then polls for these events again. Use it when the cause of an event persists, for example a
 * waiting client while the process has no free descriptor. To withdraw it, call sd_service_cancel(&pause->job), then withdraw
 * the watch.
 */
void sd_service_pause(struct sd_pause *pause, struct sd_watch *watch, uint32_t events, uint64_t delay_ns);

#endif
