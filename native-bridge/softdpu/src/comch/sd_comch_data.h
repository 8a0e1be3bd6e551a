/* The data path of the communication channel: consumers, producers and their rings. See sd_comch.h for the control path. */
#ifndef SD_COMCH_DATA_H
#define SD_COMCH_DATA_H

#include "doca_comch_consumer.h"
#include "doca_comch_producer.h"
#include "ring.h"
#include "sd_comch.h"
#include "sd_memory.h"

/* A consumer of the peer. */
struct comch_remote {
	struct comch_remote *next;
	struct doca_comch_connection *connection;
	_Atomic uint32_t num_refs;		/* held by the connection's list, tasks and events */
	uint32_t id;
	uint32_t num_slots, max_imm_len;	/* values at the ring's opening; the other process can change the ring */
	struct comch_ring *ring;
	int data_fd;
	pthread_mutex_t lock;			/* guards the results in slots, as an invalid ring may assign a slot twice */
	_Atomic uint32_t num_unreported;	/* as in the connection, for this consumer */
	_Atomic uint64_t refused;		/* quirk Q5: sequence + 1 of the last refused claim */
	struct comch_event new_event, gone_event;
};

struct doca_comch_consumer {
	struct doca_ctx ctx;
	struct doca_comch_connection *connection;
	struct doca_mmap *map;
	uint32_t id, max_imm_len;
	struct doca_comch_consumer *next;	/* next in its connection; guarded by the connection's lock */
	uint8_t is_acknowledged;		/* connection's lock: the peer has acknowledged it */
	struct sd_event started_event;

	pthread_mutex_t lock;			/* guards all members below */
	struct comch_ring *ring;
	uint32_t num_slots;
	struct doca_comch_consumer_task_post_recv **tasks;	/* indexed by slot */
	uint64_t posted, taken;			/* private sequences; the other process can change the ring's */
	uint8_t is_closed;			/* the consumer is stopping */
	uint8_t is_start_posted;		/* started_event was posted since the start */
	uint8_t is_reset;			/* the connection has ended */
	uint8_t is_polled;			/* the program's thread scans the slots; producers need not ring */
	uint32_t num_vain;			/* program's thread: consecutive scans without data */
	int data_fd;
	struct sd_watch watch;
	struct sd_job revoke_job;		/* scheduled while stopping */
	uint64_t waited_ns;
};

struct doca_comch_consumer_task_post_recv {
	struct doca_task base;
	struct doca_buf *buf;
	struct sd_latch latch;
	size_t data_len;
	uint32_t producer_id, imm_len;
	uint8_t imm[COMCH_MAX_IMM];
	struct comch_delay delay;
};

struct doca_comch_producer {
	struct doca_ctx ctx;
	struct doca_comch_connection *connection;
	uint32_t id;
	_Atomic uint64_t deadline_ms;		/* stopping: deadline of copies that wait for the peer; 0: not stopping */
};

struct doca_comch_producer_task_send {
	struct doca_task base;
	const struct doca_buf *buf;
	uint32_t consumer_id, imm_len;
	uint8_t imm[COMCH_MAX_IMM];
	struct sd_latch latch;
	struct comch_remote *remote;
	uint64_t sequence;
	uint8_t is_settled;			/* the slot has its result, or the task has no claim */
	uint8_t is_unreported;			/* counted in num_unreported */
	uint8_t is_staged;			/* the data is in the slot's stage */
	uint8_t is_imm_too_long;
};

/* @name Consumers */
/* @{ */
extern const struct sd_context_ops comch_consumer_ops;
extern const struct sd_task_operation comch_post_recv;
/* Ends a receive task. Any thread. */
void comch_post_recv_ended(struct doca_comch_consumer_task_post_recv *task, doca_error_t outcome);
/* Ends the posted receives of a consumer whose connection has ended. The connection's lock must be held. */
void comch_consumer_reset(struct doca_comch_consumer *consumer);
/*
 * Handles the peer's acknowledgement of a consumer. Returns 0 if it is invalid. The reading thread; the connection's lock must
 * be held.
 */
uint8_t comch_consumer_acknowledged(struct doca_comch_connection *connection, uint32_t id);
/* Makes a task's buffer visible to producers. The consumer's lock must be held. */
void comch_consumer_post(struct doca_comch_consumer *consumer, struct doca_comch_consumer_task_post_recv *task);
/* Ends the tasks of filled buffers, in order. Returns 0 if the ring is invalid. The consumer's lock must be held. */
uint8_t comch_consumer_scan(struct doca_comch_consumer *consumer);
/* Reads the data socket. Returns 0 if a packet is invalid. The consumer's lock must be held. */
uint8_t comch_consumer_drain(struct doca_comch_consumer *consumer);
/* Bounds the wait of a stopping consumer for claimed buffers. The consumer's lock must be held. */
void comch_consumer_expect(struct doca_comch_consumer *consumer);
/* Prevents copies into posted buffers that have not begun. The consumer's lock must be held. */
void comch_consumer_revoke(struct doca_comch_consumer *consumer);
/* Sets the state of a slot and wakes a producer that waits for it. */
void comch_slot_answer(struct comch_slot *slot, enum comch_slot_state state);
/* Hooks of the context. */
uint8_t comch_consumer_poll(struct doca_ctx *ctx, uint32_t budget);
void comch_consumer_rest(struct doca_ctx *ctx);
/* Handles events of the data socket. Service thread. */
void comch_consumer_ready(struct sd_watch *watch, uint32_t events);
/* Ends all posted tasks from a sequence on, which no producer has claimed. The consumer's lock must be held. */
void comch_consumer_flush(struct doca_comch_consumer *consumer, uint64_t from, doca_error_t result);
/* @} */

/* @name Consumers of the peer */
/* @{ */
/*
 * Add or remove a consumer of the peer; adding takes ownership of the descriptors. Return 0 if the packet is invalid. The
 * reading thread; the connection's lock must be held.
 */
uint8_t comch_remote_new(struct doca_comch_connection *connection, uint32_t id, const int *fds, int num_fds);
uint8_t comch_remote_gone(struct doca_comch_connection *connection, uint32_t id);
/* Returns a consumer with a reference for the caller, or NULL. The connection's lock must be held. */
struct comch_remote *comch_remote_find(struct doca_comch_connection *connection, uint32_t id);
void comch_remote_unref(struct comch_remote *remote);
/* Removes all consumers of the peer, because the connection has ended. The connection's lock must be held. */
void comch_remotes_drop(struct doca_comch_connection *connection);
/* @} */

/* @name Copies */
/* @{ */
static inline struct comch_slot *comch_slot_of(const struct doca_comch_producer_task_send *task)
{
	return &task->remote->ring->slots[task->sequence & (task->remote->num_slots - 1)];
}
/* Copies the task's data to the claimed slot's buffer or stage. Hardware thread. */
doca_error_t comch_copy(struct doca_comch_producer_task_send *task);
/* Copies without waiting for another process. NOT_PERMITTED: the copy would have to wait. Any thread. */
doca_error_t comch_copy_quickly(struct doca_comch_producer_task_send *task);
/* Returns true if comch_copy() may have to wait for another process. */
uint8_t comch_copy_waits(const struct doca_comch_producer_task_send *task);
/*
 * Copies through the data socket. CONNECTION_RESET: the peer has ended; IO_FAILED: the producer stops, or the device ends the
 * wait. Hardware thread.
 */
doca_error_t comch_copy_by_socket(struct doca_comch_producer_task_send *task);
/* Bounds copies that wait for the peer, because the producer stops. Program's thread. */
void comch_copy_limit(struct doca_comch_producer *producer);
/* Sets the result of the claimed slot and rings the doorbell. */
void comch_settle(struct doca_comch_producer_task_send *task, enum comch_slot_state state, size_t data_len);
/* @} */

#endif
