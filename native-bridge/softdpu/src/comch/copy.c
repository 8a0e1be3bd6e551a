/* Data on its way into the buffer of a consumer: memory to memory, within the process or into another one. */
#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "sd_comch_data.h"
#include "sd_quirk.h"

enum { PIECES_PER_CALL = 32 /* and of a list of buffers */, PATIENCE_MS = 10, STOP_PATIENCE_MS = 100 };

static struct comch_slot *slot_of(const struct doca_comch_producer_task_send *task)
{
	return &task->remote->ring->slots[task->sequence & (task->remote->num_slots - 1)];
}

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

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

void comch_copy_hurry(struct doca_comch_producer *producer)
{
	atomic_store(&producer->give_up_ms, now_ms() + STOP_PATIENCE_MS);
}

/* Whether there is any use in waiting for the other side: SUCCESS; it is gone, or this task's end is waited for. */
static doca_error_t may_wait(const struct doca_comch_producer_task_send *task)
{
	struct doca_comch_producer *producer = (struct doca_comch_producer *)task->base.ctx;
	struct doca_comch_connection *connection = producer->connection;
	uint64_t give_up_ms = atomic_load(&producer->give_up_ms);
	uint8_t is_there;

	pthread_mutex_lock(&connection->lock);
	is_there = connection->state == COMCH_ESTABLISHED && !connection->has_hung_up;
	pthread_mutex_unlock(&connection->lock);
	if (!is_there)
		return DOCA_ERROR_CONNECTION_RESET;
	return give_up_ms == 0 || now_ms() < give_up_ms ? DOCA_SUCCESS : DOCA_ERROR_IO_FAILED;
}

static doca_error_t send_part(struct doca_comch_producer_task_send *task, const struct comch_data_packet *packet,
			      const void *bytes)
{
	struct iovec parts[2] = {
		{ .iov_base = (void *)(uintptr_t)packet, .iov_len = sizeof(*packet) },
		{ .iov_base = (void *)(uintptr_t)bytes, .iov_len = packet->len },
	};
	struct msghdr message = { .msg_iov = parts, .msg_iovlen = packet->len > 0 ? 2 : 1 };
	struct pollfd socket = { .fd = task->remote->data_fd, .events = POLLOUT };
	doca_error_t result;

	while (sendmsg(socket.fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL) < 0) {
		if (errno != EAGAIN && errno != EINTR && errno != ENOBUFS)
			return DOCA_ERROR_CONNECTION_RESET;
		result = may_wait(task);
		if (result != DOCA_SUCCESS)
			return result;
		poll(&socket, 1, PATIENCE_MS); /* the other side's service thread always reads on */
	}
	return DOCA_SUCCESS;
}

/* The other side says when the last part is in its place. */
static doca_error_t wait_until_filled(struct doca_comch_producer_task_send *task)
{
	static const struct timespec patience = { .tv_nsec = PATIENCE_MS * 1000000L };
	struct comch_slot *slot = slot_of(task);

	while (atomic_load(&slot->state) == COMCH_SLOT_POSTED) {
		doca_error_t result = may_wait(task);

		if (result != DOCA_SUCCESS)
			return result;
		syscall(SYS_futex, &slot->state, FUTEX_WAIT, COMCH_SLOT_POSTED, &patience, NULL, 0);
	}
	/* Otherwise the consumer has taken its buffer back. */
	return atomic_load(&slot->state) == COMCH_SLOT_FILLED ? DOCA_SUCCESS : DOCA_ERROR_IO_FAILED;
}

/* Where processes may not write into each other. */
static doca_error_t copy_by_socket(struct doca_comch_producer_task_send *task)
{
	struct comch_data_packet packet = { .sequence = task->sequence };
	doca_error_t result = DOCA_SUCCESS;

	for (uint32_t i = 0; i < task->latch.count; i++) {
		const struct sd_segment *segment = &task->latch.segments[i];

		for (size_t offset = 0; offset < segment->len && result == DOCA_SUCCESS; offset += packet.len) {
			size_t left = segment->len - offset;

			packet.len = left < COMCH_DATA_MAX ? (uint32_t)left : COMCH_DATA_MAX;
			packet.kind = packet.offset + packet.len == task->latch.total ? COMCH_DATA_LAST : COMCH_DATA_PART;
			result = send_part(task, &packet, segment->addr + offset);
			packet.offset += packet.len;
		}
	}
	return result == DOCA_SUCCESS ? wait_until_filled(task) : result;
}

static void fill_in(struct doca_comch_producer_task_send *task, size_t data_len)
{
	struct comch_slot *slot = slot_of(task);

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

static doca_error_t copy_straight(struct doca_comch_producer_task_send *task)
{
	const struct comch_slot *slot = slot_of(task);
	pid_t peer = connection_of(task)->peer;
	doca_error_t result = DOCA_SUCCESS;

	if (task->latch.total > atomic_load(&slot->room))
		return DOCA_ERROR_IO_FAILED;
	if (peer == getpid())
		copy_within(&task->latch, (uint8_t *)(uintptr_t)slot->addr);
	else
		result = copy_across(peer, &task->latch, slot);
	if (result == DOCA_SUCCESS && task->base.fault.corrupt)
		copy_damaged_byte(task, slot->addr);
	return result;
}

doca_error_t comch_copy_directly(struct doca_comch_producer_task_send *task)
{
	struct comch_slot *slot = slot_of(task);
	doca_error_t result;

	if (task->latch.total == 0)
		return DOCA_SUCCESS;
	if (task->latch.total > atomic_load(&slot->room))
		return DOCA_ERROR_IO_FAILED;
	if (sd_quirk_is_on(SD_QUIRK_NO_DIRECT_COPY))
		return DOCA_ERROR_NOT_PERMITTED;
	/* Said before the room is looked at: see revoke.c. */
	atomic_store(&slot->state, COMCH_SLOT_COPYING);
	result = copy_straight(task);
	if (result == DOCA_ERROR_NOT_PERMITTED)
		atomic_store(&slot->state, COMCH_SLOT_POSTED);
	return result;
}

doca_error_t comch_copy(struct doca_comch_producer_task_send *task)
{
	doca_error_t result = comch_copy_directly(task);

	return result == DOCA_ERROR_NOT_PERMITTED ? copy_by_socket(task) : result;
}

void comch_settle(struct doca_comch_producer_task_send *task, enum comch_slot_state state, size_t data_len)
{
	static const struct comch_data_packet doorbell = { .kind = COMCH_DATA_DOORBELL };
	struct comch_ring *ring = task->remote->ring;

	task->is_settled = 1;
	pthread_mutex_lock(&task->remote->lock);
	fill_in(task, data_len);
	atomic_store(&slot_of(task)->state, state);
	pthread_mutex_unlock(&task->remote->lock);
	/* When the socket is full of data, the other side looks at the slots anyway once it has read it. A returned buffer has to be
	 * posted again even if the consumer's program, which polls, is just waiting for the producer's. */
	if ((atomic_exchange(&ring->doorbell, 1) == 0 || state == COMCH_SLOT_RETURNED) &&
	    send(task->remote->data_fd, &doorbell, sizeof(doorbell), MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
		return;
}
