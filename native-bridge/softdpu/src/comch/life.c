/* Life of connections: events of the socket, deadline, end. */
#include <stddef.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "sd_comch_data.h"
#include "sd_comch_socket.h"
#include "sd_log.h"

static uint8_t run_lost(struct sd_event *event)
{
	struct doca_comch_connection *connection = ((struct comch_event *)event)->connection;
	uint8_t is_noticeable = 0;

	if (!connection->is_over)
		is_noticeable = connection->control->side->lost(connection);
	comch_connection_unref(connection);
	return is_noticeable;
}

/* Ends the posted receives of all consumers of this side: no producer will fill them. The lock must be held. */
static void reset_consumers(struct doca_comch_connection *connection)
{
	for (struct doca_comch_consumer *consumer = connection->consumers; consumer != NULL; consumer = consumer->next)
		comch_consumer_reset(consumer);
}

/* Disconnects the consumers and producers of this side from the peer. The lock must be held. */
static void cut_off(struct doca_comch_connection *connection)
{
	reset_consumers(connection);
	comch_remotes_drop(connection);
}

void comch_connection_lose(struct doca_comch_connection *connection)
{
	pthread_mutex_lock(&connection->lock);
	if (connection->state == COMCH_LOST || connection->state == COMCH_CLOSED) {
		pthread_mutex_unlock(&connection->lock);
		return;
	}
	connection->state = COMCH_LOST;
	comch_drop_output(connection, DOCA_ERROR_CONNECTION_RESET);
	cut_off(connection);
	comch_poll_withdraw(connection);
	connection->num_socket_users++;
	/*
	 * No thread can see the loss before this function has removed the watch. The lost event may release the last other
	 * reference.
	 */
	comch_connection_ref(connection);
	comch_connection_post_behind(connection, &connection->lost_event, run_lost, &connection->num_unreported);
	pthread_mutex_unlock(&connection->lock);
	sd_service_unwatch(&connection->watch);
	sd_service_cancel(&connection->resume_job);
	sd_service_cancel(&connection->deadline_job);
	sd_service_cancel(&connection->delay_job);
	comch_connection_release_socket(connection);
	comch_connection_unref(connection);
}

void comch_connection_close(struct doca_comch_connection *connection)
{
	pthread_mutex_lock(&connection->lock);
	connection->is_attached = 0;
	if (connection->state != COMCH_LOST)
		connection->state = COMCH_CLOSED;
	connection->num_socket_users++;
	comch_drop_output(connection, DOCA_ERROR_IO_FAILED);
	comch_poll_withdraw(connection);
	pthread_mutex_unlock(&connection->lock);
	/* Without the lock, because the service thread may be waiting for it. */
	sd_service_unwatch(&connection->watch);
	sd_service_cancel(&connection->resume_job);
	sd_service_cancel(&connection->deadline_job);
	sd_service_cancel(&connection->delay_job);
	pthread_mutex_lock(&connection->lock);
	cut_off(connection);
	connection->state = COMCH_CLOSED;
	pthread_mutex_unlock(&connection->lock);
	comch_connection_release_socket(connection);
}

/*
 * Handles events while the receive queue is full: detects the peer's end now and leaves its packets for later. The lock must be
 * held.
 */
static void ready_while_paused(struct doca_comch_connection *connection, uint32_t events)
{
	if (events & (EPOLLHUP | EPOLLERR)) {
		connection->has_hung_up = 1;
		reset_consumers(connection); /* producers check has_hung_up; unread packets may name the peer's consumers */
	}
	comch_flush(connection);
	comch_rearm(connection);
}

/* Returns true if the service thread must read the socket. The lock must be held. */
static uint8_t is_to_be_read(struct doca_comch_connection *connection, uint32_t events)
{
	if (connection->is_input_paused) {
		ready_while_paused(connection, events);
		return 0;
	}
	if (events & EPOLLOUT)
		comch_flush(connection); /* a later read detects a send failure, so earlier packets still count */
	if (events & (EPOLLHUP | EPOLLERR)) {
		comch_poll_withdraw(connection); /* the service thread handles a peer's end at once */
		return 1;
	}
	return (events & EPOLLIN) != 0 && !comch_poll_offer(connection);
}

static void serve(struct doca_comch_connection *connection, uint32_t events)
{
	uint8_t is_ours;

	pthread_mutex_lock(&connection->lock);
	is_ours = is_to_be_read(connection, events);
	pthread_mutex_unlock(&connection->lock);
	if (is_ours && comch_receive(connection, COMCH_PACKETS_PER_TURN) == COMCH_RECEIVED_END)
		comch_connection_lose(connection);
}

void comch_connection_ready(struct sd_watch *watch, uint32_t events)
{
	struct doca_comch_connection *connection = SD_OWNER(watch, struct doca_comch_connection, watch);

	comch_connection_ref(connection);
	if (connection->control->is_inline)
		sd_context_wake(&connection->control->ctx);
	else
		serve(connection, events);
	comch_connection_unref(connection);
}

doca_error_t comch_connection_watch(struct doca_comch_connection *connection)
{
	if (connection->control->is_inline)
		return DOCA_SUCCESS; /* the program's thread polls the socket */
	return sd_service_watch(&connection->watch, connection->fd, EPOLLIN, comch_connection_ready);
}

/* Inline execution with both sides in this process: real time must not influence the run. The lock must be held. */
static uint8_t has_deadline(const struct doca_comch_connection *connection)
{
	return !connection->control->is_inline || connection->peer != getpid();
}

static void report_late(const struct doca_comch_connection *connection, uint8_t is_accepted)
{
	const char *name = connection->control->name;

	if (is_accepted)
		SD_LOG_WARNING("comch \"%s\": process %d did not answer in time: the connection ends", name,
			       (int)connection->peer);
	else
		SD_LOG_WARNING("comch \"%s\": the backlog of the server stayed full: the connection ends (try again later)", name);
}

static void run_deadline(struct sd_job *job)
{
	struct doca_comch_connection *connection = SD_OWNER(job, struct doca_comch_connection, deadline_job);
	uint8_t is_late, is_accepted;

	pthread_mutex_lock(&connection->lock);
	is_accepted = connection->fd >= 0;
	is_late = connection->state == COMCH_GREETING && !connection->is_greeted && has_deadline(connection);
	if (is_late)
		connection->failure = DOCA_ERROR_TIME_OUT;
	pthread_mutex_unlock(&connection->lock);
	if (!is_late)
		return;
	report_late(connection, is_accepted);
	comch_connection_lose(connection);
}

void comch_connection_expect(struct doca_comch_connection *connection, uint64_t delay_ns)
{
	sd_service_schedule(&connection->deadline_job, delay_ns, run_deadline);
}
