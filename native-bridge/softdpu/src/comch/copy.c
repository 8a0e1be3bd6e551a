/*
 * Copies data to the buffer of a consumer:
 *
 *   same process           memory to memory
 *   short, other process   to the slot's stage; the consumer's process copies it to the buffer
 *   long, other process    by the kernel directly into the buffer; else through a socket (copy_socket.c)
 *
 * A long copy needs pages of the other process, which can delay it without limit. Only hardware threads make long copies.
 */
#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "sd_comch_data.h"
#include "sd_quirk.h"

enum { PIECES_PER_CALL = 32 /* also the longest buffer list */, MAX_STAGED_BY_DEVICE = 16 << 10 };

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
		return DOCA_ERROR_IO_FAILED; /* the consumer's memory differs from its description */
	}
}

/* Describes the data from offset on, as much as one system call accepts. Returns the number of pieces. */
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

/* Copies into the other process by one system call. The kernel reads the target from the shared slot when the call begins. */
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

/* Fault "corrupt": flips one bit in the middle of the copied data. The program's source stays unchanged. */
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
		return; /* without permission to write, the data stays undamaged */
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

	/* A peer of another PID namespace has the number 0. */
	if (sd_quirk_is_on(SD_QUIRK_NO_DIRECT_COPY) || connection_of(task)->peer == 0)
		return DOCA_ERROR_NOT_PERMITTED;
	/* The state must change before this thread reads the room: see revoke.c. */
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

/*
 * A hardware thread copies longer data directly, even if it can wait. The direct copy saves the consumer's program a second
 * copy.
 */
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

/* Copies on a hardware thread. May wait for the peer. */
static doca_error_t copy_blocking(struct doca_comch_producer_task_send *task)
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
	return copy_blocking(task);
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
	/*
	 * A full socket needs no doorbell, because the peer scans the slots after it has read the socket. A returned buffer
	 * always needs one: the consumer's polling program may be waiting for the producer's program while the buffer must be
	 * posted again.
	 */
	if ((atomic_exchange(&ring->doorbell, 1) == 0 || state == COMCH_SLOT_RETURNED) &&
	    send(task->remote->data_fd, &doorbell, sizeof(doorbell), MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
		return;
}
