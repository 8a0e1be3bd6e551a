/*
 * The inside of one bridge, and who touches what:
 *
 *   owner's thread     all, without locks
 *   foreign threads    the aside queue and the beginning and end of connections (its lock), the wake bits (atomic), and one
 *                      finished task each, which nobody else touches between its submission and its arrival in the queue
 */
#ifndef BRIDGE_BRIDGE_H
#define BRIDGE_BRIDGE_H

#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>

#include "doca_abi.h"
#include "dpubridge.h"

#define BRIDGE_HEADER_BYTES 4096u
#define BRIDGE_CACHE_LINE 64u

/** Bits of dpubridge.wake_bits: why a sleeper must not sleep. */
enum {
	BRIDGE_WAKE_CALLED = 1,		/**< dpubridge_wake() */
	BRIDGE_WAKE_ASIDE = 2,		/**< the aside queue holds something; changed under its lock */
	BRIDGE_ASLEEP = 4		/**< the owner sleeps, or is about to; set and taken back by itself */
};

struct bridge_connection;
struct bridge_connection_slot;
struct bridge_context;
struct bridge_pool;
struct bridge_task;

/** A record that waits outside of the completion ring. */
struct bridge_aside {
	struct bridge_aside *next;
	struct bridge_context *context;
	struct bridge_task *task;		/**< the task that embeds this; NULL for an unasked record */
	struct bridge_connection *connection;	/**< whose record it is; NULL for tasks and state changes */
	const uint8_t *bytes;			/**< copy of a message; NULL for other records */
	bool is_foreign;			/**< came from a foreign thread */
	bool is_spare;				/**< is its context's spare: not from the heap */
	struct dpubridge_record record;
};

struct bridge_aside_list {
	struct bridge_aside *head, *tail;
	uint32_t num_tasks;			/**< how many of them are of tasks */
};

struct bridge_aside_queue {
	pthread_mutex_t lock;
	struct bridge_aside_list list;
};

struct bridge_context_table {
	struct bridge_context **slots;
	uint32_t num_slots, capacity;
	uint32_t num_attached;
	struct bridge_context *unused;		/**< detached slots, to be used again */
};

struct bridge_connection_table {
	struct bridge_connection_slot *slots;
	uint32_t num_slots, capacity;
	uint32_t first_unused;			/**< index + 1; 0: none */
	struct bridge_connection *unused;	/**< to be used again; under the lock of the aside queue */
};

struct dpubridge {
	struct dpubridge_header *header;
	struct dpubridge_entry *entries;
	struct dpubridge_record *records;
	uint8_t *cells;
	struct doca_pe *pe;
	uint64_t num_records;			/**< that were put into the completion ring, ever: its tail in 64 bits */
	uint32_t outstanding;			/**< accepted tasks whose record is not in the ring yet: room is kept for them */
	uint32_t task_room;			/**< what unread and outstanding records may fill; the rest is for unasked ones */
	uint32_t num_comch;			/**< contexts that may say something unasked, for which cells are needed */
	struct bridge_pool *stalled;		/**< pools of which something is to be tried again; see patience.h */
	bool is_delivering;			/**< the aside queue is being emptied: unasked records queue up behind it */
	int pe_fd;				/**< the progress engine's notification handle; its own */
	int wake_fd;				/**< eventfd */
	uintptr_t owner;			/**< as bridge_thread() says */
	pid_t owner_tid;
	char owner_name[16];
	struct bridge_context_table contexts;
	struct bridge_connection_table connections;
	struct bridge_aside_queue aside;
	uint64_t memory_bytes;
	_Atomic(const char *) loss;		/**< what was lost since the last enter; NULL: nothing */
	alignas(64) _Atomic uint32_t wake_bits;	/**< written by any thread: on a line of its own */
};

/** The calling thread, among those that exist. */
static inline uintptr_t bridge_thread(void)
{
#if defined(__GNUC__) && __GNUC__ >= 11 && !defined(__clang__)
	return (uintptr_t)__builtin_thread_pointer(); /* asked in each callback: no call for it */
#else
	return (uintptr_t)pthread_self();
#endif
}

/** Whether the calling thread is the owner. */
static inline bool bridge_is_owner(const struct dpubridge *bridge)
{
	return bridge_thread() == bridge->owner;
}

/** bridge_is_owner(), with an error that names both threads when it is not. */
bool bridge_require_owner(const struct dpubridge *bridge, const char *function);

/** Something that must not be lost is: the next enter says so. reason: a constant text; the first one stays. Any thread. */
void bridge_lose(struct dpubridge *bridge, const char *reason);

/** Set one of the wake bits; wakes the sleeper with a system call only when no bit was set before. Any thread. */
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
