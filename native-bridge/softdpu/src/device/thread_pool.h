/* The hardware threads: their life, and the replacement of those that wait for a stuck peer. See sd_peer.h. */
#ifndef THREAD_POOL_H
#define THREAD_POOL_H

#include <pthread.h>
#include <stdint.h>

#include "doca_error.h"

/** What a pool runs. */
struct thread_pool_work {
	/** On each thread. It returns when the pool closes, or, between two tasks, when thread_pool_is_surplus(). */
	void (*run)(void);
	/** A peer is not stuck any more: tasks for it may go on. Hardware thread, no lock held. */
	void (*peer_has_recovered)(void);
};

/** Start so many threads. INITIALIZATION: not all can be started, and none is left. */
doca_error_t thread_pool_open(uint32_t count, const struct thread_pool_work *work);
/** Wait for the end of all threads, which must have been asked to end. */
void thread_pool_close(void);
/** Hardware thread: it was replaced while it waited, and is to end. */
uint8_t thread_pool_is_surplus(void);
/** Whether some peer is stuck, so that tasks in the queue may have to stay there. */
uint8_t thread_pool_has_stuck_peers(void);

/** A condition whose timed waits go by monotonic time. */
void thread_pool_init_condition(pthread_cond_t *condition);

#endif
