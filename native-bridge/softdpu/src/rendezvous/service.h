/* Internal interface of the service thread. */
#ifndef SERVICE_H
#define SERVICE_H

#include <pthread.h>

#include "sd_service.h"

struct service_slot {
	struct sd_watch *watch;			/* NULL: free */
	uint32_t generation;			/* rejects events of an earlier watch of this slot */
	uint32_t next_free;
};

struct service {
	pthread_mutex_t lock;			/* guards all members below; released during callbacks */
	pthread_cond_t called;			/* signals the return of a callback */
	int epoll_fd, wake_fd;
	struct service_slot *slots;		/* slots[0] belongs to the wake-up descriptor */
	uint32_t num_slots, free_slot;
	struct sd_job *jobs;			/* earliest first */
	const void *running;			/* watch or job of the running callback */
	uint8_t is_open, is_closing;
};

extern struct service service;

/* Returns the monotonic clock in nanoseconds. */
uint64_t service_now(void);
/* Marks the calling thread as the service thread. */
void service_enter(void);
/* Wakes the service thread. */
void service_wake(void);
/* Waits until the callback of this watch or job does not run. Returns at once on the service thread. The lock must be held. */
void service_wait_called(const void *what);
/* Calls the watch in a slot. The lock must be held; the call releases it while the callback runs. */
void service_call_watch(uint32_t slot, uint32_t generation, uint32_t events);
/* Runs the due jobs. The lock must be held; the call releases it during callbacks. */
void service_run_jobs(void);
/* Returns the milliseconds until the next job as a timeout for epoll_wait, -1 without a job. The lock must be held. */
int service_timeout_ms(void);
/* Removes all watches. The lock must be held, unless no other thread can access the slots. */
void service_drop_slots(void);

#endif
