/* The hardware threads: their lifetime, and the replacement of threads that wait for a stuck peer. See sd_peer.h. */
#ifndef THREAD_POOL_H
#define THREAD_POOL_H

#include <stdint.h>

#include "doca_error.h"

/** Functions that a pool runs. */
struct thread_pool_work {
	/**
	 * Runs on each thread. The function returns when the pool closes or, between two tasks, when
	 * thread_pool_is_surplus().
	 */
	void (*run)(void);
	/** Called when a peer is not stuck any more: its tasks can be executed. Thread: hardware thread, no lock held. */
	void (*peer_has_recovered)(void);
};

/** Starts count threads. INITIALIZATION: not all threads can be started; the caller must end the started ones. */
doca_error_t thread_pool_open(uint32_t count, const struct thread_pool_work *work);
/** Waits for the end of all threads; the caller must have requested it before. */
void thread_pool_close(void);
/** Returns whether another thread replaced this one during a wait, so that it must end. Thread: hardware thread. */
uint8_t thread_pool_is_surplus(void);
/** Returns whether a peer is stuck, so that queued tasks may have to stay in the queue. */
uint8_t thread_pool_has_stuck_peers(void);

#endif
