/*
 * Other processes that a task on a hardware thread waits for. One that is stuck may delay its own tasks and nobody else's:
 *
 *   - a hardware thread that has waited for 2 s is abandoned, and another one takes its place until it returns;
 *   - tasks for a peer that holds an abandoned thread stay in the queue until that thread returns;
 *   - at most SD_PEER_MAX_ABANDONED threads are abandoned. From then on tasks for such peers fail, and the other ones avoid waits that
 *     cannot be given up.
 */
#ifndef SD_PEER_H
#define SD_PEER_H

#include <stdint.h>

enum { SD_PEER_MAX_ABANDONED = 16 };

/** One such process, as a library sees it. Its memory is the library's; zero-initialise. */
struct sd_peer {
	_Atomic uint32_t num_abandoned;		/**< threads that wait for it */
};

enum sd_peer_wait {
	SD_PEER_ANY,				/**< any wait is allowed, also one inside the kernel that nothing interrupts */
	SD_PEER_GIVE_UP,			/**< only a wait that ends when sd_peer_is_overdue() */
	SD_PEER_NONE,				/**< the peer is stuck: the task fails */
};

/** What follows, until sd_peer_leave(), may wait for this peer. Hardware thread; on any other thread the answer is SD_PEER_ANY, and no
 *  bound is kept. No call after SD_PEER_NONE. */
enum sd_peer_wait sd_peer_enter(struct sd_peer *peer);
void sd_peer_leave(void);
/** Between the two: whether the wait has lasted too long and no other thread can take over. */
uint8_t sd_peer_is_overdue(void);
/** Whether a task for this peer has to stay in the queue. Any thread. */
uint8_t sd_peer_holds_up(const struct sd_peer *peer);

#endif
