/* Inside of the service thread. */
#ifndef SERVICE_H
#define SERVICE_H

#include <pthread.h>

#include "sd_service.h"

struct service_slot {
	struct sd_watch *watch;			/* NULL: free */
	uint32_t generation;			/* an event of an earlier watch of this slot is recognised by it */
	uint32_t next_free;
};

struct service {
	pthread_mutex_t lock;			/* of everything below; not held while calling out */
	pthread_cond_t called;			/* a callback has returned */
	int epoll_fd, wake_fd;
	struct service_slot *slots;		/* slots[0] is the wake-up descriptor's */
	uint32_t num_slots, free_slot;
	struct sd_job *jobs;			/* earliest first */
	const void *running;			/* the watch or job that is being called */
	uint8_t is_open, is_closing;
};

extern struct service service;

/* Nanoseconds of the monotonic clock. */
uint64_t service_now(void);
/* Whether the caller is the service thread. */
uint8_t service_is_inside(void);
/* Set while the thread runs. */
void service_enter(void);
/* Wake the thread. */
void service_wake(void);
/* The lock must be held: wait until running is not this one, unless it is the caller itself. */
void service_wait_called(const void *what);
/* The lock must be held; it is released while the callback runs. */
void service_call_watch(uint32_t slot, uint32_t generation, uint32_t events);
/* Run the jobs that are due. The lock must be held; it is released during callbacks. */
void service_run_jobs(void);
/* Milliseconds until the next job, as epoll_wait takes it. The lock must be held. */
int service_patience(void);
/* Forget all watches; the lock must be held or not needed. */
void service_drop_slots(void);

#endif
