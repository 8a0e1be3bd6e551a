/*
 * Sends packets. Packets that do not fit into the socket wait in a queue, and so do those that the fault plan delays. A waiting
 * packet holds back later ones. The task pools bound the queue's length.
 */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sd_comch.h"
#include "sd_comch_socket.h"
#include "sd_device.h"
#include "sd_fault.h"
#include "sd_list.h"
#include "sd_log.h"

enum send_result { SENT, FULL, BROKEN };

static enum send_result send_packet(int fd, const struct comch_out *out)
{
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(COMCH_MAX_FDS * sizeof(int))];
	} control;
	struct iovec parts[2] = {
		{ .iov_base = (void *)(uintptr_t)&out->packet, .iov_len = sizeof(out->packet) },
		{ .iov_base = (void *)(uintptr_t)out->bytes, .iov_len = out->len },
	};
	struct msghdr message = { .msg_iov = parts, .msg_iovlen = out->len > 0 ? 2 : 1 };
	ssize_t sent;

	if (out->num_fds > 0) {
		memset(&control, 0, sizeof(control));
		message.msg_control = &control;
		message.msg_controllen = CMSG_SPACE((size_t)out->num_fds * sizeof(int));
		control.header.cmsg_level = SOL_SOCKET;
		control.header.cmsg_type = SCM_RIGHTS;
		control.header.cmsg_len = CMSG_LEN((size_t)out->num_fds * sizeof(int));
		memcpy(CMSG_DATA(&control.header), out->fds, (size_t)out->num_fds * sizeof(int));
	}
	do {
		sent = sendmsg(fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
	} while (sent < 0 && errno == EINTR);
	if (sent >= 0)
		return SENT;
	return errno == EAGAIN || errno == ENOBUFS || errno == ETOOMANYREFS ? FULL : BROKEN;
}

/* Ends a packet that was sent (SUCCESS) or dropped. */
static void finish(struct comch_out *out, doca_error_t result)
{
	for (int i = 0; i < out->num_fds; i++)
		close(out->fds[i]);
	if (out->task != NULL)
		comch_send_ended(out->task, result);
	else
		free(out);
}

static enum send_result send_one(struct doca_comch_connection *connection, struct comch_out *out)
{
	enum send_result result = connection->fd < 0 ? BROKEN : send_packet(connection->fd, out);

	if (result == SENT && out->packet.type == COMCH_MESSAGE) {
		connection->counters[DOCA_COMCH_COUNTER_SENT_MESSAGES]++;
		connection->counters[DOCA_COMCH_COUNTER_SENT_BYTES] += out->len;
	}
	if (result != FULL)
		finish(out, result == SENT ? DOCA_SUCCESS : DOCA_ERROR_CONNECTION_RESET);
	return result;
}

void comch_rearm(struct doca_comch_connection *connection)
{
	/* epoll always reports the end of a peer. While no thread reads, ONESHOT limits this to one report. */
	uint32_t events = connection->is_input_paused ? EPOLLONESHOT : connection->is_polled ? 0 : EPOLLIN;

	if (connection->control->is_inline || (connection->is_input_paused && connection->has_hung_up))
		return;
	sd_service_rearm(&connection->watch, events | (connection->is_output_watched ? EPOLLOUT : 0));
}

static void watch_output(struct doca_comch_connection *connection, uint8_t wanted)
{
	if (connection->is_output_watched == wanted)
		return;
	connection->is_output_watched = wanted;
	comch_rearm(connection);
}

/* Ends the connection: both sides read the packets that have arrived, then the end of the socket. The lock must be held. */
static void cut(struct doca_comch_connection *connection)
{
	if (connection->fd >= 0)
		shutdown(connection->fd, SHUT_RDWR);
}

/* Holds a packet back. Inline execution has no other thread that could wake the program for it. */
static void hold(struct doca_comch_connection *connection, struct comch_out *out, uint64_t delay_ns)
{
	out->due_ns = sd_clock_now() + delay_ns;
	sd_fault_count_delay();
	if (connection->control->is_inline && sd_clock_jumps())
		sd_context_wake(&connection->control->ctx);
}

/* Applies the faults of the link to a packet. The cause of a refusal is never late: its connection ends at once. */
static void cross_link(struct doca_comch_connection *connection, struct comch_out *out)
{
	struct sd_fault fault = { 0 };

	out->due_ns = 0;
	sd_fault_draw_link(SD_FAULT_COMCH_LINK, &fault);
	if (fault.is_link_down)
		cut(connection);
	else if (fault.delay_ns > 0 && out->packet.type != COMCH_REFUSED)
		hold(connection, out, fault.delay_ns);
}

void comch_transmit(struct doca_comch_connection *connection, struct comch_out *out)
{
	if (connection->owes_welcome) {
		connection->owes_welcome = 0;
		comch_transmit_packet(connection, COMCH_WELCOME, connection->max_msg);
	}
	cross_link(connection, out);
	SD_APPEND(connection->out_head, connection->out_tail, out, next);
	if (connection->out_head == out)
		comch_flush(connection);
}

struct comch_out *comch_packet_create(uint32_t type, uint32_t value, size_t len)
{
	doca_error_t result;
	struct comch_out *out = sd_fault_calloc("alloc-packet", sizeof(*out) + len, &result);

	if (out == NULL)
		return NULL;
	out->packet.type = type;
	out->packet.value = value;
	out->bytes = out + 1;
	out->len = (uint32_t)len;
	return out;
}

void comch_transmit_packet(struct doca_comch_connection *connection, uint32_t type, uint32_t value)
{
	struct comch_out *out = comch_packet_create(type, value, 0);

	if (out != NULL) {
		comch_transmit(connection, out);
		return;
	}
	SD_LOG_ERROR("comch \"%s\": no memory for a packet (type %u) to process %d: the connection ends", connection->control->name,
		     type, (int)connection->peer);
	cut(connection); /* the lock forbids a direct end here */
}

uint8_t comch_transmit_consumer(struct doca_comch_connection *connection, uint32_t id, const int *fds)
{
	struct comch_out *out = comch_packet_create(COMCH_CONSUMER_NEW, id, 0);

	if (out == NULL)
		return 0;
	out->num_fds = COMCH_MAX_FDS;
	memcpy(out->fds, fds, sizeof(out->fds));
	comch_transmit(connection, out);
	return 1;
}

/* Sends the packets that were delayed until now. Service thread. */
static void send_delayed(struct sd_job *job)
{
	struct doca_comch_connection *connection = SD_OWNER(job, struct doca_comch_connection, delay_job);

	pthread_mutex_lock(&connection->lock);
	comch_flush(connection);
	pthread_mutex_unlock(&connection->lock);
}

/* Returns true if the oldest packet is delayed. Threads execution: then the service thread sends it later. */
static uint8_t is_delayed(struct doca_comch_connection *connection)
{
	uint64_t due_ns = connection->out_head->due_ns, now_ns = due_ns > 0 ? sd_clock_now() : 0;

	if (due_ns > now_ns && !connection->control->is_inline)
		sd_service_schedule(&connection->delay_job, due_ns - now_ns, send_delayed);
	return due_ns > now_ns;
}

void comch_flush(struct doca_comch_connection *connection)
{
	enum send_result result = SENT;

	while (connection->out_head != NULL && result != FULL && !is_delayed(connection)) {
		struct comch_out *out = connection->out_head;
		struct comch_out *next = out->next;

		result = send_one(connection, out);
		if (result != FULL)
			connection->out_head = next;
	}
	watch_output(connection, result == FULL);
}

void comch_drop_output(struct doca_comch_connection *connection, doca_error_t result)
{
	struct comch_out *out = connection->out_head;

	connection->out_head = NULL;
	while (out != NULL) {
		struct comch_out *next = out->next;

		finish(out, result);
		out = next;
	}
}
