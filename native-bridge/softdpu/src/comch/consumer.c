/* The context of consumers. */
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sd_comch_data.h"
#include "sd_comch_socket.h"
#include "sd_list.h"
#include "sd_log.h"
#include "sd_quirk.h"

static uint8_t run_started(struct sd_event *event)
{
	sd_context_started(event->ctx, DOCA_SUCCESS);
	return 1;
}

/*
 * Posts the start of a consumer, once. A stopping consumer stays in its connection's list but accepts no events. The
 * connection's lock must be held.
 */
static void post_started(struct doca_comch_consumer *consumer)
{
	pthread_mutex_lock(&consumer->lock);
	if (!consumer->is_closed && !consumer->is_start_posted) {
		consumer->is_start_posted = 1;
		if (sd_quirk_is_on(SD_QUIRK_LOST_START))
			sd_context_post_lost_event(&consumer->ctx, &consumer->started_event, run_started);
		else
			sd_context_post_event(&consumer->ctx, &consumer->started_event, run_started);
	}
	pthread_mutex_unlock(&consumer->lock);
}

/* Handles the peer's acknowledgement in the control's progress. The consumer with this id may no longer exist. */
static uint8_t run_acknowledged(struct sd_event *event)
{
	struct comch_event *base = (struct comch_event *)event;
	struct doca_comch_connection *connection = base->connection;
	uint32_t id = *(const uint32_t *)(base + 1);
	struct doca_comch_consumer *consumer;

	pthread_mutex_lock(&connection->lock);
	for (consumer = connection->consumers; consumer != NULL && consumer->id != id; consumer = consumer->next)
		;
	if (consumer != NULL)
		post_started(consumer);
	pthread_mutex_unlock(&connection->lock);
	comch_connection_unref(connection);
	free(base);
	return 0;
}

uint8_t comch_consumer_acknowledged(struct doca_comch_connection *connection, uint32_t id)
{
	struct doca_comch_consumer *consumer = connection->consumers;
	struct comch_event *event;

	if (connection->state != COMCH_ESTABLISHED)
		return 0;
	if (connection->num_unanswered > 0)
		connection->num_unanswered--;
	while (consumer != NULL && consumer->id != id)
		consumer = consumer->next;
	/* The consumer may have stopped since its announcement, and started again: each start has an acknowledgement. */
	if (consumer == NULL || consumer->is_acknowledged)
		return 1;
	event = calloc(1, sizeof(*event) + sizeof(id));
	if (event == NULL)
		return 0;
	if (!connection->is_attached) {
		free(event);
		return 1;
	}
	consumer->is_acknowledged = 1;
	memcpy(event + 1, &id, sizeof(id));
	comch_connection_post(connection, event, run_acknowledged);
	return 1;
}

/* Creates the ring and the data socket. On success, fds are the descriptors for the peer. */
static doca_error_t open_consumer(struct doca_comch_consumer *consumer, int *fds)
{
	uint32_t num_tasks = consumer->ctx.pools == NULL ? 1 : consumer->ctx.pools->num_tasks;
	const char *name = consumer->connection->control->name;
	int sockets[2];

	if (comch_ring_create(name, num_tasks, consumer->max_imm_len, &consumer->ring, &fds[0]) != DOCA_SUCCESS)
		return DOCA_ERROR_INITIALIZATION;
	consumer->num_slots = consumer->ring->num_slots;
	consumer->tasks = calloc(consumer->num_slots, sizeof(struct doca_comch_consumer_task_post_recv *));
	if (consumer->tasks != NULL && socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, sockets) == 0) {
		consumer->data_fd = sockets[0];
		fds[1] = sockets[1];
		return DOCA_SUCCESS;
	}
	SD_LOG_ERROR("comch \"%s\": cannot create the data socket of a consumer: %s: %s", name,
		     consumer->tasks == NULL ? "calloc" : "socketpair", strerror(errno));
	comch_ring_close(consumer->ring);
	free(consumer->tasks);
	close(fds[0]);
	return DOCA_ERROR_INITIALIZATION;
}

static void close_consumer(struct doca_comch_consumer *consumer)
{
	close(consumer->data_fd);
	comch_ring_close(consumer->ring);
	free(consumer->tasks);
	consumer->tasks = NULL;
}

/*
 * Announces the consumer to the peer. On success the peer owns the descriptors. AGAIN: the peer has too many announcements that
 * its program has not received; see comch_remote_new().
 */
static doca_error_t announce(struct doca_comch_consumer *consumer, const int *fds)
{
	struct doca_comch_connection *connection = consumer->connection;
	doca_error_t result = DOCA_ERROR_NOT_CONNECTED;

	pthread_mutex_lock(&connection->lock);
	if (connection->state == COMCH_ESTABLISHED && connection->num_unanswered >= connection->control->limits->max_consumers)
		result = DOCA_ERROR_AGAIN;
	else if (connection->state == COMCH_ESTABLISHED)
		result = comch_transmit_consumer(connection, consumer->id, fds) ? DOCA_SUCCESS : DOCA_ERROR_NO_MEMORY;
	if (result == DOCA_SUCCESS) {
		connection->num_unanswered++;
		consumer->next = connection->consumers;
		connection->consumers = consumer;
	}
	pthread_mutex_unlock(&connection->lock);
	return result;
}

static doca_error_t watch_and_announce(struct doca_comch_consumer *consumer, const int *fds)
{
	doca_error_t result = sd_service_watch(&consumer->watch, consumer->data_fd, EPOLLIN | EPOLLRDHUP, comch_consumer_ready);

	if (result == DOCA_SUCCESS) {
		result = announce(consumer, fds);
		if (result == DOCA_SUCCESS)
			return DOCA_SUCCESS;
		sd_service_unwatch(&consumer->watch);
	} else {
		result = DOCA_ERROR_INITIALIZATION;
	}
	close(fds[0]);
	close(fds[1]);
	return result;
}

static doca_error_t start(struct doca_ctx *ctx)
{
	struct doca_comch_consumer *consumer = (struct doca_comch_consumer *)ctx;
	doca_error_t result;
	int fds[COMCH_MAX_FDS];

	consumer->posted = 0;
	consumer->taken = 0;
	consumer->is_closed = 0;
	consumer->is_reset = 0;
	consumer->is_acknowledged = 0;
	consumer->is_start_posted = 0;
	consumer->is_polled = 0;
	consumer->num_vain = 0;
	result = sd_service_acquire();
	if (result != DOCA_SUCCESS)
		return result;
	result = open_consumer(consumer, fds);
	if (result == DOCA_SUCCESS) {
		result = watch_and_announce(consumer, fds);
		if (result != DOCA_SUCCESS)
			close_consumer(consumer);
	}
	if (result != DOCA_SUCCESS) {
		sd_service_release();
		return result;
	}
	comch_count_live(consumer->connection, 1);
	return DOCA_ERROR_IN_PROGRESS;
}

static void leave_connection(struct doca_comch_consumer *consumer)
{
	struct doca_comch_connection *connection = consumer->connection;

	pthread_mutex_lock(&connection->lock);
	SD_REMOVE(connection->consumers, consumer, next);
	pthread_mutex_unlock(&connection->lock);
}

/* A producer may be writing into claimed buffers. Each one ends filled, revoked (revoke.c), or with the connection. */
static void stop(struct doca_ctx *ctx)
{
	struct doca_comch_consumer *consumer = (struct doca_comch_consumer *)ctx;
	struct doca_comch_connection *connection = consumer->connection;
	uint64_t claimed;

	pthread_mutex_lock(&connection->lock);
	pthread_mutex_lock(&consumer->lock);
	consumer->is_closed = 1;
	claimed = atomic_fetch_or(&consumer->ring->claimed, COMCH_RING_CLOSED) & ~COMCH_RING_CLOSED;
	comch_consumer_flush(consumer, claimed, DOCA_ERROR_IO_FAILED);
	comch_consumer_expect(consumer);
	pthread_mutex_unlock(&consumer->lock);
	if (connection->state == COMCH_ESTABLISHED)
		comch_transmit_packet(connection, COMCH_CONSUMER_GONE, consumer->id);
	pthread_mutex_unlock(&connection->lock);
}

/* Quirk Q3: runs in the turn after the consumer has become IDLE. */
static uint8_t run_settled(struct sd_event *event)
{
	struct comch_event *base = (struct comch_event *)event;

	atomic_fetch_sub(&base->connection->control->num_settling, 1);
	comch_connection_unref(base->connection);
	free(base);
	return 0;
}

static void settle(struct doca_comch_connection *connection)
{
	struct comch_event *event = calloc(1, sizeof(*event));

	pthread_mutex_lock(&connection->lock);
	if (event != NULL && connection->is_attached && !connection->control->is_server) {
		atomic_fetch_add(&connection->control->num_settling, 1);
		comch_connection_post(connection, event, run_settled);
		event = NULL;
	}
	pthread_mutex_unlock(&connection->lock);
	free(event);
}

static void stopped(struct doca_ctx *ctx)
{
	struct doca_comch_consumer *consumer = (struct doca_comch_consumer *)ctx;

	leave_connection(consumer);
	sd_service_unwatch(&consumer->watch);
	sd_service_cancel(&consumer->revoke_job);
	close_consumer(consumer);
	if (sd_quirk_is_on(SD_QUIRK_STOP_ONE_TURN_LATER))
		settle(consumer->connection);
	comch_count_live(consumer->connection, -1);
	sd_service_release();
}

const struct sd_context_ops comch_consumer_ops = {
	.name = "comch consumer",
	.start = start,
	.stop = stop,
	.stopped = stopped,
	.poll = comch_consumer_poll,
	.rest = comch_consumer_rest,
};
