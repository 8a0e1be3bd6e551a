/* Consumers of the peer, the targets of this side's producers. */
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "sd_comch_data.h"
#include "sd_comch_socket.h"

void comch_remote_unref(struct comch_remote *remote)
{
	if (atomic_fetch_sub(&remote->num_refs, 1) > 1)
		return;
	comch_ring_close(remote->ring);
	close(remote->data_fd);
	pthread_mutex_destroy(&remote->lock);
	atomic_fetch_sub(&remote->connection->num_remotes, 1);
	comch_connection_unref(remote->connection);
	free(remote);
}

/*
 * Reports a new consumer. The consumer becomes RUNNING before the callback, because programs submit to it inside the callback
 * and repeat after AGAIN. This order is safe: the peer's next events wait for the end of the callback.
 */
static uint8_t run_new(struct sd_event *event)
{
	struct comch_remote *remote = SD_OWNER(event, struct comch_remote, new_event);
	struct doca_comch_connection *connection = remote->connection;
	doca_comch_event_consumer_cb_t callback = connection->control->new_consumer;
	uint8_t is_wanted = callback != NULL && !connection->is_over;

	pthread_mutex_lock(&connection->lock);
	if (connection->state == COMCH_ESTABLISHED)
		comch_transmit_packet(connection, COMCH_CONSUMER_ACK, remote->id);
	pthread_mutex_unlock(&connection->lock);
	if (is_wanted)
		callback((struct doca_comch_event_consumer *)event, connection, remote->id);
	comch_remote_unref(remote);
	comch_connection_unref(connection);
	return is_wanted;
}

static uint8_t run_gone(struct sd_event *event)
{
	struct comch_remote *remote = SD_OWNER(event, struct comch_remote, gone_event);
	struct doca_comch_connection *connection = remote->connection;
	doca_comch_event_consumer_cb_t callback = connection->control->expired_consumer;
	uint8_t is_wanted = callback != NULL && !connection->is_over;

	if (is_wanted)
		callback((struct doca_comch_event_consumer *)event, connection, remote->id);
	comch_remote_unref(remote);
	comch_connection_unref(connection);
	return is_wanted;
}

/* Posts an event of the consumer; the event holds a reference. */
static void post(struct comch_remote *remote, struct comch_event *event, uint8_t (*run)(struct sd_event *event),
		 const _Atomic uint32_t *awaited)
{
	if (!remote->connection->is_attached)
		return;
	atomic_fetch_add(&remote->num_refs, 1);
	comch_connection_post_behind(remote->connection, event, run, awaited);
}

static struct comch_remote **place_of(struct doca_comch_connection *connection, uint32_t id)
{
	struct comch_remote **place = &connection->remotes;

	while (*place != NULL && (*place)->id != id)
		place = &(*place)->next;
	return place;
}

static struct comch_remote *open_remote(struct doca_comch_connection *connection, uint32_t id, int ring_fd, int data_fd)
{
	struct comch_remote *remote = calloc(1, sizeof(*remote));

	if (remote == NULL || comch_ring_open(ring_fd, &remote->ring, &remote->num_slots, &remote->max_imm_len) != DOCA_SUCCESS) {
		free(remote);
		return NULL;
	}
	pthread_mutex_init(&remote->lock, NULL);
	remote->num_refs = 1;
	remote->id = id;
	remote->data_fd = data_fd;
	remote->connection = connection;
	comch_connection_ref(connection);
	atomic_fetch_add(&connection->num_remotes, 1);
	return remote;
}

uint8_t comch_remote_new(struct doca_comch_connection *connection, uint32_t id, const int *fds, int num_fds)
{
	struct comch_remote *remote = NULL;

	/* A correct peer has max_consumers consumers, and max_consumers starts without an acknowledgement. Some may have gone. */
	if (connection->state == COMCH_ESTABLISHED && num_fds == 2 && id != 0 && *place_of(connection, id) == NULL &&
	    atomic_load(&connection->num_remotes) < 2 * connection->control->limits->max_consumers)
		remote = open_remote(connection, id, fds[0], fds[1]);
	close(fds[0]);
	if (remote == NULL) {
		close(fds[1]);
		return 0;
	}
	remote->next = connection->remotes;
	connection->remotes = remote;
	post(remote, &remote->new_event, run_new, NULL);
	return 1;
}

uint8_t comch_remote_gone(struct doca_comch_connection *connection, uint32_t id)
{
	struct comch_remote **place = place_of(connection, id);
	struct comch_remote *remote = *place;

	if (remote == NULL)
		return 0;
	*place = remote->next;
	post(remote, &remote->gone_event, run_gone, &remote->num_unreported);
	comch_remote_unref(remote);
	return 1;
}

struct comch_remote *comch_remote_find(struct doca_comch_connection *connection, uint32_t id)
{
	struct comch_remote *remote = *place_of(connection, id);

	if (remote != NULL)
		atomic_fetch_add(&remote->num_refs, 1);
	return remote;
}

void comch_remotes_drop(struct doca_comch_connection *connection)
{
	while (connection->remotes != NULL) {
		struct comch_remote *remote = connection->remotes;

		connection->remotes = remote->next;
		comch_remote_unref(remote);
	}
}
