/*
 * Data on its way to the buffer of a consumer:
 *
 *   within the process    memory to memory
 *   short, across         to the slot's stage; the consumer's process copies on
 *   long, across          straight into the buffer, by the kernel; else through a socket (copy_socket.c)
 *
 * A long copy may take as long as the other process likes, whose pages it needs. Only hardware threads make it.
 */
#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "sd_comch_data.h"
#include "sd_quirk.h"

enum { PIECES_PER_CALL = 32 /* and of a list of buffers */, MAX_STAGED_BY_DEVICE = 16 << 10 };

static struct doca_comch_connection *connection_of(const struct doca_comch_producer_task_send *task)
{
	return ((const struct doca_comch_producer *)task->base.ctx)->connection;
}

static void copy_within(const struct sd_latch *from, uint8_t *to)
{
	for (uint32_t i = 0; i < from->count; i++) {
		memcpy(to, from->segments[i].addr, from->segments[i].len);
		to += from->segments[i].len;
	}
}

static doca_error_t error_of(int error)
{
	switch (error) {
	case ESRCH:
		return DOCA_ERROR_CONNECTION_RESET;
	case EPERM:
	case ENOSYS:
		return DOCA_ERROR_NOT_PERMITTED;
	default:
		return DOCA_ERROR_IO_FAILED; /* the consumer's memory is not what it said */
	}
}

/* Describe what is behind offset, as far as one call takes it. */
static unsigned long describe(const struct sd_latch *from, size_t offset, struct iovec *pieces, size_t *len)
{
	unsigned long count = 0;

	*len = 0;
	for (uint32_t i = 0; i < from->count && count < PIECES_PER_CALL; i++) {
		const struct sd_segment *segment = &from->segments[i];

		if (offset >= segment->len) {
			offset -= segment->len;
			continue;
		}
		pieces[count].iov_base = segment->addr + offset;
		pieces[count].iov_len = segment->len - offset;
		*len += pieces[count++].iov_len;
		offset = 0;
	}
	return count;
}

/* One copy, by the system, straight into the other process, by one call: the slot says where to, until the call has begun. */
static doca_error_t copy_across(pid_t peer, const struct sd_latch *from, const struct comch_slot *slot)
{
	struct iovec pieces[PIECES_PER_CALL];
	size_t len;
	unsigned long count = describe(from, 0, pieces, &len);
	ssize_t written = process_vm_writev(peer, pieces, count, (const struct iovec *)(const void *)&slot->addr, 1, 0);

	if (written < 0)
		return error_of(errno);
	return (size_t)written == from->total ? DOCA_SUCCESS : DOCA_ERROR_IO_FAILED;
}

static void fill_in(struct doca_comch_producer_task_send *task, size_t data_len)
{
	struct comch_slot *slot = comch_slot_of(task);

	slot->data_len = data_len;
	slot->producer_id = ((struct doca_comch_producer *)task->base.ctx)->id;
	slot->imm_len = task->imm_len;
	memcpy(slot->imm, task->imm, task->imm_len);
}

/* Fault "corrupt": one bit in the middle of what arrives. The source is the program's and stays as it is. */
static void copy_damaged_byte(struct doca_comch_producer_task_send *task, uint64_t addr)
{
	size_t offset = task->latch.total / 2, len;
	struct iovec piece[PIECES_PER_CALL], there;
	uint8_t byte;

	if (describe(&task->latch, offset, piece, &len) == 0)
		return;
	byte = *(const uint8_t *)piece[0].iov_base ^ 1;
	piece[0] = (struct iovec){ .iov_base = &byte, .iov_len = 1 };
	there = (struct iovec){ .iov_base = (void *)(uintptr_t)(addr + offset), .iov_len = 1 };
	if (connection_of(task)->peer == getpid())
		memcpy(there.iov_base, &byte, 1);
	else if (process_vm_writev(connection_of(task)->peer, piece, 1, &there, 1, 0) != 1)
		return; /* where that is forbidden, nothing is damaged */
}

static uint8_t is_within(const struct doca_comch_producer_task_send *task)
{
	return connection_of(task)->peer == getpid();
}

static doca_error_t copy_straight(struct doca_comch_producer_task_send *task)
{
	const struct comch_slot *slot = comch_slot_of(task);
	doca_error_t result = DOCA_SUCCESS;

	if (task->latch.total > atomic_load(&slot->room))
		return DOCA_ERROR_IO_FAILED;
	if (is_within(task))
		copy_within(&task->latch, (uint8_t *)(uintptr_t)slot->addr);
	else
		result = copy_across(connection_of(task)->peer, &task->latch, slot);
	if (result == DOCA_SUCCESS && task->base.fault.corrupt)
		copy_damaged_byte(task, slot->addr);
	return result;
}

static doca_error_t copy_directly(struct doca_comch_producer_task_send *task)
{
	struct comch_slot *slot = comch_slot_of(task);
	doca_error_t result;

	if (sd_quirk_is_on(SD_QUIRK_NO_DIRECT_COPY))
		return DOCA_ERROR_NOT_PERMITTED;
	/* Said before the room is looked at: see revoke.c. */
	atomic_store(&slot->state, COMCH_SLOT_COPYING);
	result = copy_straight(task);
	if (result == DOCA_ERROR_NOT_PERMITTED)
		atomic_store(&slot->state, COMCH_SLOT_POSTED);
	return result;
}

static void copy_to_stage(struct doca_comch_producer_task_send *task)
{
	uint8_t *stage = comch_ring_stage(task->remote->ring, task->remote->num_slots, task->sequence);

	copy_within(&task->latch, stage);
	if (task->base.fault.corrupt)
		stage[task->latch.total / 2] ^= 1;
	task->is_staged = 1;
}

static uint8_t fits_into_stage(const struct doca_comch_producer_task_send *task)
{
	return task->latch.total <= comch_stage_size(task->remote->num_slots);
}

/* A hardware thread has the time for the straight way of a longer copy, which spares the consumer's program one of its own. */
uint8_t comch_copy_waits(const struct doca_comch_producer_task_send *task)
{
	return !is_within(task) && (task->latch.total > MAX_STAGED_BY_DEVICE || !fits_into_stage(task));
}

doca_error_t comch_copy_quickly(struct doca_comch_producer_task_send *task)
{
	if (task->latch.total == 0)
		return DOCA_SUCCESS;
	if (task->latch.total > atomic_load(&comch_slot_of(task)->room))
		return DOCA_ERROR_IO_FAILED;
	if (is_within(task))
		return copy_directly(task);
	if (!fits_into_stage(task))
		return DOCA_ERROR_NOT_PERMITTED;
	copy_to_stage(task);
	return DOCA_SUCCESS;
}

/* Hardware thread: the peer may take its time. */
static doca_error_t copy_patiently(struct doca_comch_producer_task_send *task)
{
	enum sd_peer_wait wait = sd_peer_enter(&connection_of(task)->device_peer);
	doca_error_t result = DOCA_ERROR_NOT_PERMITTED;

	if (wait == SD_PEER_NONE)
		return DOCA_ERROR_IO_FAILED;
	if (wait == SD_PEER_ANY && !is_within(task))
		result = copy_directly(task);
	if (result == DOCA_ERROR_NOT_PERMITTED)
		result = comch_copy_by_socket(task);
	sd_peer_leave();
	return result;
}

doca_error_t comch_copy(struct doca_comch_producer_task_send *task)
{
	doca_error_t result = comch_copy_waits(task) ? DOCA_ERROR_NOT_PERMITTED : comch_copy_quickly(task);

	if (result != DOCA_ERROR_NOT_PERMITTED)
		return result;
	if (task->latch.total > atomic_load(&comch_slot_of(task)->room))
		return DOCA_ERROR_IO_FAILED;
	return copy_patiently(task);
}

void comch_settle(struct doca_comch_producer_task_send *task, enum comch_slot_state state, size_t data_len)
{
	static const struct comch_data_packet doorbell = { .kind = COMCH_DATA_DOORBELL };
	struct comch_ring *ring = task->remote->ring;

	task->is_settled = 1;
	pthread_mutex_lock(&task->remote->lock);
	fill_in(task, data_len);
	atomic_store(&comch_slot_of(task)->state, state);
	pthread_mutex_unlock(&task->remote->lock);
	/* When the socket is full of data, the other side looks at the slots anyway once it has read it. A returned buffer has to be
	 * posted again even if the consumer's program, which polls, is just waiting for the producer's. */
	if ((atomic_exchange(&ring->doorbell, 1) == 0 || state == COMCH_SLOT_RETURNED) &&
	    send(task->remote->data_fd, &doorbell, sizeof(doorbell), MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
		return;
}
