/*
 * Other processes that tasks on hardware threads wait for. A stuck process may delay its own tasks, but not those of other
 * processes:
 *
 *   - a hardware thread that has waited for 2 s is abandoned, and another one replaces it until it returns. While a thread is
 *     abandoned, the others are abandoned after 100 ms;
 *   - tasks for a peer that holds an abandoned thread stay in the queue until that thread returns;
 *   - at most SD_PEER_MAX_ABANDONED threads are abandoned. From then on tasks for such peers fail. Tasks for other peers avoid
 *     waits that cannot be interrupted, and fail after 500 ms. Such a failure refuses the next tasks of the peer.
 */
#ifndef SD_PEER_H
#define SD_PEER_H

#include <stdint.h>

enum { SD_PEER_MAX_ABANDONED = 16 };

/** The record of one such process in a library. The library owns the memory. Zero-initialise. */
struct sd_peer {
	_Atomic uint32_t num_abandoned;		/**< threads that wait for the process */
	_Atomic uint8_t was_overdue;		/**< a task has failed, because no thread could take over */
};

enum sd_peer_wait {
	SD_PEER_ANY,				/**< any wait is allowed, also an uninterruptible one inside the kernel */
	SD_PEER_GIVE_UP,			/**< only a wait that ends when sd_peer_is_overdue() */
	SD_PEER_NONE,				/**< the peer is stuck: the task fails */
};

/** Returns whether another thread can replace the calling one during a wait: whether it is a hardware thread. */
uint8_t sd_peer_is_replaceable(void);
/**
 * Starts a section, until sd_peer_leave(), that may wait for this peer. Thread: hardware thread; on other threads the result is
 * SD_PEER_ANY without a time limit. After SD_PEER_NONE, sd_peer_leave() must not be called.
 */
enum sd_peer_wait sd_peer_enter(struct sd_peer *peer);
void sd_peer_leave(void);
/** Returns, between enter and leave, whether the wait has lasted too long and no other thread can replace this one. */
uint8_t sd_peer_is_overdue(void);
/** Returns whether a task for this peer must stay in the queue. Thread: any. */
uint8_t sd_peer_holds_up(const struct sd_peer *peer);

#endif
