/*
 * Internals of one bridge. Access by thread:
 *
 *   owner's thread     everything, without locks
 *   foreign threads    the overflow queue and the begin and end of connections (under its lock), the wake bits (atomic), and
 *                      one finished task each; no other thread accesses a task from its submission until it is in the queue
 */
#ifndef BRIDGE_BRIDGE_H
#define BRIDGE_BRIDGE_H

#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>

#include "base/doca_abi.h"
#include "dpubridge.h"

#define BRIDGE_HEADER_BYTES 4096u
#define BRIDGE_CACHE_LINE 64u

/** Bits of dpubridge.wake_bits: reasons not to sleep. */
enum {
	BRIDGE_WAKE_CALLED = 1,		/**< dpubridge_wake() */
	BRIDGE_WAKE_OVERFLOW = 2,	/**< the overflow queue is not empty; changed under its lock */
	BRIDGE_ASLEEP = 4		/**< the owner sleeps, or is about to; only the owner sets and clears it */
};

struct bridge_connection;
struct bridge_connection_slot;
struct bridge_context;
struct bridge_queue;

/** A record in the overflow queue. */
struct bridge_overflow_item {
	struct bridge_overflow_item *next;
	/** Puts the record into the ring, which has room, and frees the item. Owner, without the lock. */
	void (*deliver)(struct dpubridge *bridge, struct bridge_overflow_item *item);
	bool is_task;				/**< the record of a task; false: an unsolicited record */
	bool is_foreign;			/**< queued by a foreign thread */
	struct dpubridge_record record;
};

struct bridge_overflow_list {
	struct bridge_overflow_item *head, *tail;
	uint32_t num_tasks;			/**< number of task items in the list */
};

struct bridge_overflow_queue {
	pthread_mutex_t lock;
	struct bridge_overflow_list list;
};

struct bridge_context_table {
	struct bridge_context **slots;
	uint32_t num_slots, capacity;
	uint32_t num_attached;
	struct bridge_context *unused;		/**< detached slots, for re-use */
};

struct bridge_connection_table {
	struct bridge_connection_slot *slots;
	uint32_t num_slots, capacity;
	uint32_t first_unused;			/**< index + 1; 0: none */
	struct bridge_connection *unused;	/**< for re-use; under the lock of the overflow queue */
};

struct dpubridge {
	struct dpubridge_header *header;
	struct dpubridge_entry *entries;
	struct dpubridge_record *records;
	uint8_t *cells;
	struct doca_pe *pe;
	uint32_t outstanding;			/**< accepted tasks whose record is not in the ring yet: their room is reserved */
	uint32_t task_room;			/**< limit of unread plus outstanding records; the rest is for unsolicited ones */
	uint32_t num_comch;			/**< comch contexts, whose messages need cells */
	struct bridge_queue *refused;		/**< queues with entries to submit again; see queue/retry.h */
	uint64_t refused_ns;			/**< time when DOCA refused the last new entry */
	uint32_t num_retries;			/**< retries of the refused queues since then */
	bool is_delivering;			/**< a delivery of the overflow queue is running: unsolicited records queue up behind it */
	int pe_fd;				/**< the progress engine's notification handle; owned by the engine */
	int wake_fd;				/**< eventfd */
	uintptr_t owner;			/**< value of bridge_thread() on the owner's thread */
	pid_t owner_tid;
	char owner_name[16];
	struct bridge_context_table contexts;
	struct bridge_connection_table connections;
	struct bridge_overflow_queue overflow;
	uint64_t memory_bytes;
	_Atomic(const char *) loss;		/**< description of a loss since the last enter; NULL: none */
	alignas(64) _Atomic uint32_t wake_bits;	/**< written by any thread: on a separate cache line */
};

/** Returns an identity of the calling thread, unique among running threads. */
static inline uintptr_t bridge_thread(void)
{
#if defined(__GNUC__) && __GNUC__ >= 11 && !defined(__clang__)
	return (uintptr_t)__builtin_thread_pointer(); /* inline, because each callback calls it */
#else
	return (uintptr_t)pthread_self();
#endif
}

/** Returns whether the calling thread is the owner. */
static inline bool bridge_is_owner(const struct dpubridge *bridge)
{
	return bridge_thread() == bridge->owner;
}

/** Does the check of bridge_is_owner(), and sets an error that names both threads if it fails. */
bool bridge_require_owner(const struct dpubridge *bridge, const char *function);

/** Records a loss, which the next enter reports. reason: a constant text; the first one stays. Any thread. */
void bridge_lose(struct dpubridge *bridge, const char *reason);

/** Sets a wake bit. Wakes the sleeper with a system call only when no bit was set before. Any thread. */
void bridge_signal(struct dpubridge *bridge, uint32_t bit);

static inline void bridge_count_many(struct dpubridge *bridge, enum dpubridge_counter counter, uint32_t number)
{
	bridge->header->counters[counter] += number;
}

static inline void bridge_count(struct dpubridge *bridge, enum dpubridge_counter counter)
{
	bridge_count_many(bridge, counter, 1);
}

#endif
