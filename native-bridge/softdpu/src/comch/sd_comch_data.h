/*
 * The fast path of the communication channel: consumers, producers, and what lies between them. See sd_comch.h for the rest.
 */
#ifndef SD_COMCH_DATA_H
#define SD_COMCH_DATA_H

#include "doca_comch_consumer.h"
#include "doca_comch_producer.h"
#include "ring.h"
#include "sd_comch.h"
#include "sd_memory.h"

/* A consumer of the other side. */
struct comch_remote {
	struct comch_remote *next;
	struct doca_comch_connection *connection;
	_Atomic uint32_t num_refs;		/* the connection's list, tasks, events */
	uint32_t id;
	uint32_t num_slots, max_imm_len;	/* as they were when the ring came: it belongs to the other process */
	struct comch_ring *ring;
	int data_fd;
	pthread_mutex_t lock;			/* of the results in slots: a spoilt ring may hand out one slot twice */
	_Atomic uint32_t num_unreported;	/* as in the connection, of this consumer */
	_Atomic uint64_t refused;		/* quirk Q5: sequence + 1 of the last claim that was refused for nothing */
	struct comch_event new_event, gone_event;
};

struct doca_comch_consumer {
	struct doca_ctx ctx;
	struct doca_comch_connection *connection;
	struct doca_mmap *map;
	uint32_t id, max_imm_len;
	struct doca_comch_consumer *next;	/* in its connection; connection's lock */
	uint8_t is_acknowledged;		/* connection's lock: the other side knows of it */
	struct sd_event started_event;

	pthread_mutex_t lock;			/* of all below */
	struct comch_ring *ring;
	uint32_t num_slots;
	struct doca_comch_consumer_task_post_recv **tasks;	/* by slot */
	uint64_t posted, taken;			/* sequences; the ring's own numbers are the other process's to spoil */
	uint8_t is_closed;			/* stopping */
	uint8_t is_reset;			/* the connection is gone */
	uint8_t is_polled;			/* the program's thread looks at the slots: nobody need ring */
	uint32_t num_vain;			/* program's thread: looks in a row that found nothing */
	int data_fd;
	struct sd_watch watch;
	struct sd_job revoke_job;		/* while stopping */
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
	_Atomic uint64_t give_up_ms;		/* stopping: copies that wait for the other side do so until then; 0: not stopping */
};

struct doca_comch_producer_task_send {
	struct doca_task base;
	const struct doca_buf *buf;
	uint32_t consumer_id, imm_len;
	uint8_t imm[COMCH_MAX_IMM];
	struct sd_latch latch;
	struct comch_remote *remote;
	uint64_t sequence;
	uint8_t is_settled;			/* the slot has its result */
	uint8_t is_unreported;			/* is counted as such */
	uint8_t is_staged;			/* the data is in the slot's stage */
	uint8_t is_imm_too_long;
};

/* @name Consumers */
/* @{ */
extern const struct sd_context_ops comch_consumer_ops;
extern const struct sd_task_operation comch_post_recv;
/* Any thread: a receiving task has its result, or will have none. */
void comch_post_recv_ended(struct doca_comch_consumer_task_post_recv *task, doca_error_t outcome);
/* Connection's lock held: the connection is gone. */
void comch_consumer_reset(struct doca_comch_consumer *consumer);
/* Service thread, connection's lock held: the other side knows of this consumer. 0: nonsense. */
uint8_t comch_consumer_acknowledged(struct doca_comch_connection *connection, uint32_t id);
/* Consumer's lock held: make a task's buffer visible to producers. */
void comch_consumer_post(struct doca_comch_consumer *consumer, struct doca_comch_consumer_task_post_recv *task);
/* Consumer's lock held: end what was filled, in order. 0: the other process has spoilt the ring. */
uint8_t comch_consumer_scan(struct doca_comch_consumer *consumer);
/* Consumer's lock held: read the data socket. 0: nonsense. */
uint8_t comch_consumer_drain(struct doca_comch_consumer *consumer);
/* Consumer's lock held, it stops: do not wait for claimed buffers for ever. */
void comch_consumer_expect(struct doca_comch_consumer *consumer);
/* Consumer's lock held: a copy into a posted buffer that has not begun writes nothing any more. */
void comch_consumer_revoke(struct doca_comch_consumer *consumer);
/* Tell a producer that waits for the other end of its data what became of it. */
void comch_slot_answer(struct comch_slot *slot, enum comch_slot_state state);
/* Hooks of the context. */
uint8_t comch_consumer_poll(struct doca_ctx *ctx, uint32_t budget);
void comch_consumer_rest(struct doca_ctx *ctx);
/* Service thread: the data socket has something. */
void comch_consumer_ready(struct sd_watch *watch, uint32_t events);
/* Consumer's lock held: end all posted tasks from a sequence on, which no producer has. */
void comch_consumer_flush(struct doca_comch_consumer *consumer, uint64_t from, doca_error_t result);
/* @} */

/* @name Consumers of the other side */
/* @{ */
/* Service thread, connection's lock held; descriptors are taken over. 0: nonsense. */
uint8_t comch_remote_new(struct doca_comch_connection *connection, uint32_t id, const int *fds, int num_fds);
uint8_t comch_remote_gone(struct doca_comch_connection *connection, uint32_t id);
/* Connection's lock held: NULL, or a reference for the caller. */
struct comch_remote *comch_remote_find(struct doca_comch_connection *connection, uint32_t id);
void comch_remote_unref(struct comch_remote *remote);
/* Connection's lock held: none of them can be reached any more. */
void comch_remotes_drop(struct doca_comch_connection *connection);
/* @} */

/* @name Copies */
/* @{ */
static inline struct comch_slot *comch_slot_of(const struct doca_comch_producer_task_send *task)
{
	return &task->remote->ring->slots[task->sequence & (task->remote->num_slots - 1)];
}
/* Copy the task's data to the claimed slot's buffer or stage. Hardware thread. */
doca_error_t comch_copy(struct doca_comch_producer_task_send *task);
/* The same on any thread. It never waits for another process. NOT_PERMITTED: it would have to. */
doca_error_t comch_copy_quickly(struct doca_comch_producer_task_send *task);
/* Whether a hardware thread that makes the copy may have to wait for another process. */
uint8_t comch_copy_waits(const struct doca_comch_producer_task_send *task);
/* Hardware thread: through the socket. IO_FAILED: the producer stops, or the wait is too long for the device. */
doca_error_t comch_copy_by_socket(struct doca_comch_producer_task_send *task);
/* Program's thread: the producer stops; a copy that depends on the other process is to end soon. */
void comch_copy_hurry(struct doca_comch_producer *producer);
/* Give the claimed slot its result and ring the doorbell. */
void comch_settle(struct doca_comch_producer_task_send *task, enum comch_slot_state state, size_t data_len);
/* @} */

#endif
