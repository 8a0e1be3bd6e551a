/* Sends data through the data socket of a consumer, if the kernel forbids writes into the other process. Hardware threads. */
#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "sd_comch_data.h"

enum { POLL_INTERVAL_MS = 10, STOP_LIMIT_MS = 100 };

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

void comch_copy_limit(struct doca_comch_producer *producer)
{
	atomic_store(&producer->deadline_ms, now_ms() + STOP_LIMIT_MS);
}

/*
 * Returns SUCCESS while the thread may wait for the peer. CONNECTION_RESET: the peer has ended; IO_FAILED: the producer stops,
 * or another process needs the thread.
 */
static doca_error_t may_wait(const struct doca_comch_producer_task_send *task)
{
	struct doca_comch_producer *producer = (struct doca_comch_producer *)task->base.ctx;
	struct doca_comch_connection *connection = producer->connection;
	uint64_t deadline_ms = atomic_load(&producer->deadline_ms);
	uint8_t is_there;

	pthread_mutex_lock(&connection->lock);
	is_there = connection->state == COMCH_ESTABLISHED && !connection->has_hung_up;
	pthread_mutex_unlock(&connection->lock);
	if (!is_there)
		return DOCA_ERROR_CONNECTION_RESET;
	if (sd_peer_is_overdue())
		return DOCA_ERROR_IO_FAILED;
	return deadline_ms == 0 || now_ms() < deadline_ms ? DOCA_SUCCESS : DOCA_ERROR_IO_FAILED;
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
		poll(&socket, 1, POLL_INTERVAL_MS); /* the peer's service thread keeps reading */
	}
	return DOCA_SUCCESS;
}

/* Waits until the peer has copied the last part into the buffer. */
static doca_error_t wait_until_filled(struct doca_comch_producer_task_send *task)
{
	static const struct timespec interval = { .tv_nsec = POLL_INTERVAL_MS * 1000000L };
	struct comch_slot *slot = comch_slot_of(task);

	while (atomic_load(&slot->state) == COMCH_SLOT_POSTED) {
		doca_error_t result = may_wait(task);

		if (result != DOCA_SUCCESS)
			return result;
		syscall(SYS_futex, &slot->state, FUTEX_WAIT, COMCH_SLOT_POSTED, &interval, NULL, 0);
	}
	/* In any other state the consumer has revoked its buffer. */
	return atomic_load(&slot->state) == COMCH_SLOT_FILLED ? DOCA_SUCCESS : DOCA_ERROR_IO_FAILED;
}

doca_error_t comch_copy_by_socket(struct doca_comch_producer_task_send *task)
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
