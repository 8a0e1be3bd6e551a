/* Receives packets. An invalid packet of a peer only ends that peer's connection. */
#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sd_comch_data.h"
#include "sd_comch_socket.h"
#include "sd_log.h"

enum { MAX_FOREIGN_FDS = 16 };

/* One received packet. */
struct arrival {
	struct comch_packet packet;
	size_t len;				/* bytes after the packet's head */
	int fds[MAX_FOREIGN_FDS];
	int num_fds;
};

enum read_result { READ_PACKET, READ_NOTHING, READ_END };

static void take_fds(struct msghdr *message, struct arrival *arrival)
{
	for (struct cmsghdr *part = CMSG_FIRSTHDR(message); part != NULL; part = CMSG_NXTHDR(message, part)) {
		size_t len = part->cmsg_len - CMSG_LEN(0);

		if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS || len > sizeof(arrival->fds))
			continue;
		memcpy(arrival->fds, CMSG_DATA(part), len);
		arrival->num_fds = (int)(len / sizeof(int));
	}
}

static void drop_fds(struct arrival *arrival)
{
	for (int i = 0; i < arrival->num_fds; i++)
		close(arrival->fds[i]);
	arrival->num_fds = 0;
}

static enum read_result read_packet(int fd, uint8_t *bytes, size_t size, struct arrival *arrival)
{
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(MAX_FOREIGN_FDS * sizeof(int))];
	} control;
	struct iovec parts[2] = {
		{ .iov_base = &arrival->packet, .iov_len = sizeof(arrival->packet) },
		{ .iov_base = bytes, .iov_len = size },
	};
	struct msghdr message = { .msg_iov = parts, .msg_iovlen = 2, .msg_control = &control, .msg_controllen = sizeof(control) };
	ssize_t len;

	arrival->num_fds = 0;
	do {
		len = recvmsg(fd, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
		/*
		 * A peer that closes with unread data causes ECONNRESET. The earlier packets of that peer are still in the
		 * socket.
		 */
	} while (len < 0 && (errno == EINTR || errno == ECONNRESET));
	if (len < 0)
		return errno == EAGAIN ? READ_NOTHING : READ_END;
	take_fds(&message, arrival);
	if (len >= (ssize_t)sizeof(arrival->packet) && (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) == 0) {
		arrival->len = (size_t)len - sizeof(arrival->packet);
		return READ_PACKET;
	}
	drop_fds(arrival);
	if (len > 0)
		SD_LOG_WARNING("comch: received a packet of invalid size: the connection ends");
	return READ_END;
}

/* Continues to read after the program has freed a message. Service thread. */
static void resume(struct sd_job *job)
{
	struct doca_comch_connection *connection = SD_OWNER(job, struct doca_comch_connection, resume_job);
	enum comch_received received;

	comch_connection_ref(connection);
	received = comch_receive(connection, COMCH_PACKETS_PER_TURN);
	pthread_mutex_lock(&connection->lock);
	if (!connection->is_input_paused)
		comch_rearm(connection);
	pthread_mutex_unlock(&connection->lock);
	if (received == COMCH_RECEIVED_END)
		connection->control->side->lose(connection);
	comch_connection_unref(connection);
}

static void free_message(struct comch_message *message)
{
	struct doca_comch_connection *connection = message->base.connection;

	pthread_mutex_lock(&connection->lock);
	message->next_free = connection->free_messages;
	connection->free_messages = message;
	if (connection->is_input_paused && connection->is_attached) {
		connection->is_input_paused = 0;
		sd_service_schedule(&connection->resume_job, 0, resume);
	}
	pthread_mutex_unlock(&connection->lock);
}

static uint8_t run_message(struct sd_event *event)
{
	struct comch_message *message = (struct comch_message *)event;
	struct doca_comch_connection *connection = message->base.connection;
	struct comch_control *control = connection->control;
	uint8_t is_wanted;

	pthread_mutex_lock(&connection->lock);
	is_wanted = connection->is_attached && control->received != NULL;
	if (is_wanted) {
		connection->counters[DOCA_COMCH_COUNTER_RECV_MESSAGES]++;
		connection->counters[DOCA_COMCH_COUNTER_RECV_BYTES] += message->len;
	}
	pthread_mutex_unlock(&connection->lock);
	if (is_wanted)
		control->received((struct doca_comch_event_msg_recv *)message, message->bytes, message->len, connection);
	free_message(message);
	comch_connection_unref(connection);
	return is_wanted;
}

/* Posts a message. The first free message holds the packet's bytes. The lock must be held. */
static uint8_t message_arrived(struct doca_comch_connection *connection, const struct arrival *arrival)
{
	struct comch_message *message = connection->free_messages;

	if (connection->state != COMCH_ESTABLISHED || arrival->len == 0 || arrival->len > connection->max_msg)
		return 0;
	if (!connection->is_attached)
		return 1;
	connection->free_messages = message->next_free;
	message->len = (uint32_t)arrival->len;
	comch_connection_post(connection, &message->base, run_message);
	return 1;
}

static uint8_t hello_arrived(struct doca_comch_connection *connection, const struct arrival *arrival)
{
	struct comch_hello hello;

	if (connection->control->side->greeted == NULL || connection->is_greeted || arrival->len != sizeof(hello))
		return 0;
	memcpy(&hello, connection->free_messages->bytes, sizeof(hello));
	return connection->control->side->greeted(connection, &hello);
}

/* Handles a packet. Returns 0 if the packet is invalid now. The lock must be held. */
static uint8_t handle_packet(struct doca_comch_connection *connection, struct arrival *arrival)
{
	const struct comch_side *side = connection->control->side;
	uint32_t value = arrival->packet.value;
	int num_fds = arrival->num_fds;

	if (arrival->packet.type == COMCH_CONSUMER_NEW && num_fds == COMCH_MAX_FDS) {
		arrival->num_fds = 0;
		return comch_remote_new(connection, value, arrival->fds, num_fds);
	}
	if (num_fds != 0)
		return 0;
	switch (arrival->packet.type) {
	case COMCH_HELLO:
		return hello_arrived(connection, arrival);
	case COMCH_WELCOME:
		return side->welcomed != NULL && side->welcomed(connection, value);
	case COMCH_REFUSED:
		return side->refused != NULL && side->refused(connection, value);
	case COMCH_MESSAGE:
		return message_arrived(connection, arrival);
	case COMCH_CONSUMER_ACK:
		return comch_consumer_acknowledged(connection, value);
	case COMCH_CONSUMER_GONE:
		return comch_remote_gone(connection, value);
	default:
		return 0;
	}
}

/* Handles a packet and logs an invalid one. The first free message holds the packet's bytes. The lock must be held. */
static uint8_t take_packet(struct doca_comch_connection *connection, struct arrival *arrival)
{
	uint8_t is_sound = handle_packet(connection, arrival);

	if (!is_sound)
		SD_LOG_WARNING("comch \"%s\": process %d sent an invalid packet (type %u): the connection ends",
			       connection->control->name, (int)connection->peer, arrival->packet.type);
	drop_fds(arrival);
	return is_sound;
}

/*
 * Stops reading while the receive queue is full. free_message() resumes the service thread; the program's thread empties the
 * queue before it reads again. The lock must be held.
 */
static void pause_input(struct doca_comch_connection *connection)
{
	if (connection->is_polled)
		return;
	connection->is_input_paused = 1;
	comch_rearm(connection);
}

enum comch_received comch_receive(struct doca_comch_connection *connection, uint32_t budget)
{
	const struct comch_control *control = connection->control;
	size_t size = control->max_msg_size < COMCH_MIN_PACKET ? COMCH_MIN_PACKET : control->max_msg_size;
	enum comch_received received = COMCH_RECEIVED_NOTHING;

	pthread_mutex_lock(&connection->lock);
	/* This function drops packets that arrive while this side ends the connection. */
	for (uint32_t i = 0; i < budget && received != COMCH_RECEIVED_END && connection->state < COMCH_LOST && connection->fd >= 0; i++) {
		enum read_result result;
		struct arrival arrival;

		if (connection->free_messages == NULL) {
			pause_input(connection);
			break;
		}
		result = read_packet(connection->fd, connection->free_messages->bytes, size, &arrival);
		if (result == READ_NOTHING)
			break;
		received = result == READ_PACKET && take_packet(connection, &arrival) ? COMCH_RECEIVED_SOMETHING :
											COMCH_RECEIVED_END;
	}
	pthread_mutex_unlock(&connection->lock);
	return received;
}
