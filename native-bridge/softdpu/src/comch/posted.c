/* Posted buffers in the ring: posts them, receives their data, and ends their tasks in order. */
#include <linux/futex.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sd_comch_data.h"
#include "sd_log.h"

enum {
	PACKETS_PER_TURN = 64,
	MAX_VAIN = 4096,			/* consecutive polls without data; then producers must ring again */
};

static struct comch_slot *slot_of(struct doca_comch_consumer *consumer, uint64_t sequence)
{
	return &consumer->ring->slots[sequence & (consumer->num_slots - 1)];
}

static struct doca_comch_consumer_task_post_recv **task_of(struct doca_comch_consumer *consumer, uint64_t sequence)
{
	return &consumer->tasks[sequence & (consumer->num_slots - 1)];
}

void comch_consumer_post(struct doca_comch_consumer *consumer, struct doca_comch_consumer_task_post_recv *task)
{
	struct comch_slot *slot = slot_of(consumer, consumer->posted);

	slot->addr = (uintptr_t)task->latch.segments[0].addr;
	slot->room = task->latch.segments[0].len;
	slot->data_len = 0;
	slot->imm_len = 0;
	slot->producer_id = 0;
	atomic_store(&slot->state, COMCH_SLOT_POSTED);
	*task_of(consumer, consumer->posted) = task;
	atomic_store(&consumer->ring->posted, ++consumer->posted);
}

/* Reads the results of a slot. Checks them first, because another process wrote them. Returns 0 if they are invalid. */
static uint8_t take_results(struct doca_comch_consumer *consumer, const struct comch_slot *slot,
			    struct doca_comch_consumer_task_post_recv *task)
{
	uint64_t data_len = slot->data_len;
	uint32_t imm_len = slot->imm_len;

	if (data_len > task->latch.total || imm_len > consumer->max_imm_len)
		return 0;
	task->data_len = data_len;
	task->imm_len = imm_len;
	task->producer_id = slot->producer_id;
	memcpy(task->imm, slot->imm, imm_len);
	return 1;
}

/* Reads the results of a slot and copies its data from the stage to the buffer. Returns 0 if the results are invalid. */
static uint8_t take_staged(struct doca_comch_consumer *consumer, uint64_t sequence,
			   struct doca_comch_consumer_task_post_recv *task)
{
	if (!take_results(consumer, slot_of(consumer, sequence), task) || task->data_len > comch_stage_size(consumer->num_slots))
		return 0;
	memcpy(task->latch.segments[0].addr, comch_ring_stage(consumer->ring, consumer->num_slots, sequence), task->data_len);
	return 1;
}

/* Ends the oldest posted task. Returns 0 if the slot is invalid. */
static uint8_t take_slot(struct doca_comch_consumer *consumer, uint32_t state)
{
	const struct comch_slot *slot = slot_of(consumer, consumer->taken);
	struct doca_comch_consumer_task_post_recv *task = *task_of(consumer, consumer->taken);
	uint64_t sequence = consumer->taken++;

	switch (state) {
	case COMCH_SLOT_DONE:
	case COMCH_SLOT_STAGED:
		if (state == COMCH_SLOT_STAGED ? take_staged(consumer, sequence, task) : take_results(consumer, slot, task)) {
			comch_post_recv_ended(task, DOCA_SUCCESS);
			return 1;
		}
		break;
	case COMCH_SLOT_FAILED:
		comch_post_recv_ended(task, DOCA_ERROR_IO_FAILED);
		return 1;
	case COMCH_SLOT_RETURNED:
		if (consumer->is_closed)
			comch_post_recv_ended(task, DOCA_ERROR_IO_FAILED);
		else
			comch_consumer_post(consumer, task);
		return 1;
	default:
		break;
	}
	comch_post_recv_ended(task, DOCA_ERROR_IO_FAILED);
	return 0;
}

uint8_t comch_consumer_scan(struct doca_comch_consumer *consumer)
{
	uint64_t until = consumer->posted; /* excludes buffers that this scan posts again */

	while (consumer->taken < until) {
		uint32_t state = atomic_load(&slot_of(consumer, consumer->taken)->state);

		if (state == COMCH_SLOT_POSTED || state == COMCH_SLOT_FILLED || state == COMCH_SLOT_COPYING)
			return 1;
		if (!take_slot(consumer, state))
			return 0;
	}
	return 1;
}

void comch_consumer_flush(struct doca_comch_consumer *consumer, uint64_t from, doca_error_t result)
{
	if (from < consumer->taken)
		from = consumer->taken;
	for (uint64_t sequence = from; sequence < consumer->posted; sequence++)
		comch_post_recv_ended(*task_of(consumer, sequence), result);
	if (from < consumer->posted)
		consumer->posted = from;
}

void comch_consumer_revoke(struct doca_comch_consumer *consumer)
{
	for (uint64_t sequence = consumer->taken; sequence < consumer->posted; sequence++)
		atomic_store(&consumer->ring->slots[sequence & (consumer->num_slots - 1)].room, 0);
}

void comch_slot_answer(struct comch_slot *slot, enum comch_slot_state state)
{
	atomic_store(&slot->state, state);
	syscall(SYS_futex, &slot->state, FUTEX_WAKE, 1, NULL, NULL, 0);
}

/* Receives data of a producer that may not write into this process. Returns 0 if the packet is invalid. */
static uint8_t take_data(struct doca_comch_consumer *consumer, const struct comch_data_packet *packet, const uint8_t *bytes)
{
	const struct sd_segment *room;

	if (packet->sequence >= consumer->posted && !consumer->is_closed)
		return 0;
	/* The socket may contain parts of a producer that stopped, or whose claim was revoked. */
	if (packet->sequence < consumer->taken || packet->sequence >= consumer->posted ||
	    atomic_load(&slot_of(consumer, packet->sequence)->state) != COMCH_SLOT_POSTED)
		return 1;
	room = &(*task_of(consumer, packet->sequence))->latch.segments[0];
	if (packet->offset > room->len || packet->len > room->len - packet->offset)
		return 0;
	memcpy(room->addr + packet->offset, bytes, packet->len);
	if (packet->kind == COMCH_DATA_LAST)
		comch_slot_answer(slot_of(consumer, packet->sequence), COMCH_SLOT_FILLED);
	return 1;
}

uint8_t comch_consumer_drain(struct doca_comch_consumer *consumer)
{
	struct {
		struct comch_data_packet packet;
		uint8_t bytes[COMCH_DATA_MAX];
	} arrival;

	for (int i = 0; i < PACKETS_PER_TURN; i++) {
		ssize_t len = recv(consumer->data_fd, &arrival, sizeof(arrival), MSG_DONTWAIT | MSG_TRUNC);

		if (len <= 0)
			return 1;
		if (len < (ssize_t)sizeof(arrival.packet) || len != (ssize_t)(sizeof(arrival.packet) + arrival.packet.len))
			return 0;
		if (arrival.packet.kind == COMCH_DATA_DOORBELL && arrival.packet.len == 0)
			continue;
		if (arrival.packet.kind != COMCH_DATA_PART && arrival.packet.kind != COMCH_DATA_LAST)
			return 0;
		if (arrival.packet.len > COMCH_DATA_MAX || !take_data(consumer, &arrival.packet, arrival.bytes))
			return 0;
	}
	return 1;
}

/* Ends the connection of an invalid ring. */
static void end_connection(struct doca_comch_connection *connection)
{
	SD_LOG_WARNING("comch \"%s\": process %d wrote invalid values into a consumer's ring: the connection ends",
		       connection->control->name, (int)connection->peer);
	connection->control->side->lose(connection);
}

/*
 * Reads the data socket after a doorbell. In inline execution, only the program's thread scans the slots. The consumer's lock
 * must be held.
 */
static uint8_t answer_doorbell(struct doca_comch_consumer *consumer)
{
	uint8_t is_inline = consumer->connection->control->is_inline;

	if (!comch_consumer_drain(consumer))
		return 0;
	consumer->is_polled |= is_inline;
	/* Before the scan: a producer that finds the doorbell at 0 rings it again. */
	atomic_exchange(&consumer->ring->doorbell, consumer->is_polled);
	if (!is_inline)
		return consumer->is_reset || comch_consumer_scan(consumer);
	sd_context_wake(&consumer->ctx);
	return 1;
}

void comch_consumer_ready(struct sd_watch *watch, uint32_t events)
{
	struct doca_comch_consumer *consumer = SD_OWNER(watch, struct doca_comch_consumer, watch);
	struct doca_comch_connection *connection = consumer->connection;
	uint8_t is_sound;

	comch_connection_ref(connection); /* the program may destroy the consumer once its last task has ended */
	pthread_mutex_lock(&consumer->lock);
	is_sound = answer_doorbell(consumer);
	pthread_mutex_unlock(&consumer->lock);
	if (events & (EPOLLHUP | EPOLLRDHUP | EPOLLERR))
		sd_service_unwatch(watch); /* no producer can ring now */
	if (!is_sound)
		end_connection(connection);
	comch_connection_unref(connection);
}

/*
 * Sets if producers must ring, then scans slots that they filled before the change. Returns 1 if a task ended. Program's
 * thread.
 */
static uint8_t scan_slots(struct doca_comch_consumer *consumer, uint8_t is_polled)
{
	uint8_t is_sound, has_found;
	uint64_t taken;

	pthread_mutex_lock(&consumer->lock);
	if (consumer->is_polled != is_polled) {
		consumer->is_polled = is_polled;
		atomic_exchange(&consumer->ring->doorbell, is_polled);
	}
	taken = consumer->taken;
	is_sound = consumer->is_reset || comch_consumer_scan(consumer);
	has_found = consumer->taken != taken;
	pthread_mutex_unlock(&consumer->lock);
	if (!is_sound)
		end_connection(consumer->connection);
	return has_found;
}

uint8_t comch_consumer_poll(struct doca_ctx *ctx, uint32_t budget)
{
	struct doca_comch_consumer *consumer = (struct doca_comch_consumer *)ctx;

	(void)budget; /* the number of posted buffers bounds the scan */
	if (scan_slots(consumer, 1) || consumer->connection->control->is_inline)
		consumer->num_vain = 0;
	else if (++consumer->num_vain >= MAX_VAIN)
		scan_slots(consumer, 0);
	return consumer->num_vain < MAX_VAIN;
}

void comch_consumer_rest(struct doca_ctx *ctx)
{
	scan_slots((struct doca_comch_consumer *)ctx, 0);
}

void comch_consumer_reset(struct doca_comch_consumer *consumer)
{
	pthread_mutex_lock(&consumer->lock);
	if (!consumer->is_reset) {
		comch_consumer_drain(consumer);
		comch_consumer_scan(consumer); /* buffers that were filled before the end count */
		consumer->is_reset = 1;
		comch_consumer_revoke(consumer);
		comch_consumer_flush(consumer, consumer->taken, DOCA_ERROR_CONNECTION_RESET);
		if (!consumer->is_acknowledged && !consumer->is_closed)
			sd_context_post_failure(&consumer->ctx);
	}
	pthread_mutex_unlock(&consumer->lock);
}
