/* Connections as objects: memory, references, users of the socket. */
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "sd_comch_data.h"

/* Allocates the receive queue. */
static doca_error_t create_messages(struct doca_comch_connection *connection)
{
	const struct comch_control *control = connection->control;
	size_t size = control->max_msg_size < COMCH_MIN_PACKET ? COMCH_MIN_PACKET : control->max_msg_size;
	uint32_t count = control->recv_queue_size;

	connection->messages = calloc(count, sizeof(*connection->messages));
	connection->message_bytes = malloc(count * size);
	if (connection->messages == NULL || connection->message_bytes == NULL)
		return DOCA_ERROR_NO_MEMORY;
	for (uint32_t i = 0; i < count; i++) {
		connection->messages[i].bytes = connection->message_bytes + i * size;
		connection->messages[i].next_free = connection->free_messages;
		connection->free_messages = &connection->messages[i];
	}
	return DOCA_SUCCESS;
}

struct doca_comch_connection *comch_connection_create(struct comch_control *control, int fd, pid_t peer)
{
	struct doca_comch_connection *connection = calloc(1, sizeof(*connection));

	if (connection == NULL)
		return NULL;
	connection->control = control;
	connection->num_refs = 1;
	connection->fd = fd;
	connection->peer = peer;
	connection->max_msg = control->max_msg_size;
	connection->is_attached = 1;
	connection->is_polled = control->is_inline;
	/* The two sides assign ids from 1 and from 2 in steps of 2, so ids are unique per connection. */
	connection->consumer_ids.last = control->is_server ? 0 : UINT32_MAX;
	connection->producer_ids.last = connection->consumer_ids.last;
	pthread_mutex_init(&connection->lock, NULL);
	if (create_messages(connection) != DOCA_SUCCESS) {
		connection->fd = -1;
		comch_connection_unref(connection);
		return NULL;
	}
	return connection;
}

void comch_connection_ref(struct doca_comch_connection *connection)
{
	atomic_fetch_add(&connection->num_refs, 1);
}

void comch_connection_unref(struct doca_comch_connection *connection)
{
	if (atomic_fetch_sub(&connection->num_refs, 1) > 1)
		return;
	if (connection->fd >= 0)
		close(connection->fd);
	free(connection->messages);
	free(connection->message_bytes);
	pthread_mutex_destroy(&connection->lock);
	free(connection);
}

/*
 * Ends one use of the socket. No copy may write into the peer's memory after the peer sees the end of the socket. No other
 * descriptor may get its number while the service thread watches it. The last user of an ended connection closes the socket.
 */
void comch_connection_release_socket(struct doca_comch_connection *connection)
{
	int fd = -1;

	pthread_mutex_lock(&connection->lock);
	if (--connection->num_socket_users == 0 && connection->state >= COMCH_LOST) {
		fd = connection->fd;
		connection->fd = -1;
	}
	pthread_mutex_unlock(&connection->lock);
	if (fd >= 0)
		close(fd);
}

void comch_count_child(struct doca_comch_connection *connection, int change)
{
	atomic_fetch_add(&connection->num_children, (uint32_t)change);
	atomic_fetch_add(&connection->control->num_children, (uint32_t)change);
}

void comch_count_live(struct doca_comch_connection *connection, int change)
{
	atomic_fetch_add(&connection->num_live, (uint32_t)change);
	atomic_fetch_add(&connection->control->num_live, (uint32_t)change);
}

doca_error_t comch_connection_join(struct doca_comch_connection *connection, struct comch_ids *ids, uint32_t max, uint32_t *id)
{
	doca_error_t result = DOCA_ERROR_BAD_STATE;

	pthread_mutex_lock(&connection->lock);
	if (connection->state == COMCH_ESTABLISHED)
		result = ids->count < max ? DOCA_SUCCESS : DOCA_ERROR_NO_MEMORY;
	if (result == DOCA_SUCCESS) {
		ids->count++;
		ids->last += 2;
		*id = ids->last;
	}
	pthread_mutex_unlock(&connection->lock);
	if (result != DOCA_SUCCESS)
		return result;
	comch_connection_ref(connection);
	comch_count_child(connection, 1);
	return DOCA_SUCCESS;
}

void comch_connection_leave(struct doca_comch_connection *connection, struct comch_ids *ids)
{
	pthread_mutex_lock(&connection->lock);
	ids->count--;
	pthread_mutex_unlock(&connection->lock);
	comch_count_child(connection, -1);
	comch_connection_unref(connection);
}
