/* End of connections. See sd_rdma.h. */
#include "sd_device.h"
#include "sd_rdma.h"

static void fail_waiting(struct doca_rdma_connection *connection)
{
	struct rdma_task *task;

	while ((task = rdma_queue_take(&connection->waiting)) != NULL)
		rdma_end_task(task, DOCA_ERROR_IO_FAILED);
}

/* All but the current task. */
static void fail_unanswered(struct doca_rdma_connection *connection)
{
	struct rdma_socket *socket = &connection->socket;
	struct rdma_task *task;

	while ((task = rdma_queue_take(&socket->unanswered)) != NULL) {
		task->is_unanswered = 0;
		if (task != connection->current)
			rdma_end_task(task, DOCA_ERROR_IO_FAILED);
	}
	socket->num_unanswered = socket->carried = 0;
	socket->sending = RDMA_NOTHING;
}

/* A thread that moves a part, or the device, ends the current task later. This function takes the receive task from it. */
static void stop_current(struct doca_rdma_connection *connection)
{
	struct rdma_task *task = connection->current;

	if (task == NULL || connection->is_moving)
		return;
	if (connection->is_parked || connection->is_held) {
		rdma_unpark(connection);
		connection->is_held = 0;
		connection->current = NULL;
		rdma_end_task(task, DOCA_ERROR_IO_FAILED);
	} else if (task->receive != NULL) {
		struct rdma_task *receive = task->receive;

		task->receive = NULL;
		if (task->done == 0)
			rdma_receive_return(receive);
		else
			rdma_receive_end(receive, connection->peer, NULL, DOCA_ERROR_IO_FAILED);
	}
}

struct rdma_list rdma_ended_unseen;

/* Calls the program, unless it has rejected the connection. */
static void announce(struct doca_rdma_connection *connection)
{
	if (connection->is_rejected)
		return;
	if (connection->state == RDMA_CONNECTED || (connection->peer != NULL && !connection->is_near) ||
	    connection->socket.is_welcome || connection->senders.head != NULL)
		rdma_notify(connection, RDMA_DISCONNECT_NOTICE);
	else if (connection->is_managed)
		rdma_notify(connection, RDMA_FAILURE_NOTICE);
}

/* is_unseen: the program never received the connection. */
static void leave(struct doca_rdma_connection *connection, uint8_t is_unseen)
{
	struct doca_rdma *rdma = connection->rdma;

	if (connection->target != NULL) {
		rdma_list_remove(&connection->target->senders, connection, RDMA_OF_OWNER);
	} else {
		rdma_table_remove(connection);
		rdma_list_remove(&rdma->open, connection, RDMA_OF_OWNER);
		rdma->num_open--;
	}
	rdma_list_append(is_unseen ? &rdma_ended_unseen : &rdma->ended, connection, RDMA_OF_OWNER);
	if (!is_unseen)
		rdma->num_ended++;
}

/* Appends the connection to the list, if it ends now. */
static void end_one(struct doca_rdma_connection *connection, struct rdma_list *ended)
{
	uint8_t is_unseen = connection->target != NULL || (connection->notices & RDMA_REQUESTED_NOTICE) != 0;

	if (connection->state == RDMA_ENDED)
		return;
	if (!is_unseen)
		announce(connection);
	connection->notices &= ~(uint32_t)RDMA_REQUESTED_NOTICE;
	if (connection->is_near && connection->state == RDMA_CONNECTING)
		connection->rdma->num_parked--;
	connection->state = RDMA_ENDED;
	if (connection->addr != NULL && connection->addr != &connection->own_addr) {
		connection->addr->num_connections--;
		connection->addr = NULL;
	}
	leave(connection, is_unseen);
	rdma_list_append(ended, connection, RDMA_ENDING);
	rdma_socket_end(connection);
	sd_memory_count_end();
	rdma_receive_drop(connection);
	fail_unanswered(connection);
	stop_current(connection);
	fail_waiting(connection);
}

static void end_pair(struct doca_rdma_connection *connection, struct rdma_list *ended)
{
	struct doca_rdma_connection *peer = connection->peer;

	end_one(connection, ended);
	connection->peer = NULL;
	if (peer == NULL)
		return;
	end_one(peer, ended);
	peer->peer = NULL;
}

/* The senders of a DC connection end with it. */
static void end_all(struct doca_rdma_connection *connection)
{
	struct rdma_list ended = { 0 };

	end_pair(connection, &ended);
	for (struct doca_rdma_connection *one = ended.head; one != NULL; one = one->next[RDMA_ENDING]) {
		while (one->senders.head != NULL)
			end_pair(one->senders.head, &ended);
	}
}

void rdma_connection_end_locked(struct doca_rdma_connection *connection)
{
	if (connection->state != RDMA_ENDED)
		connection->joined_by = 0; /* this program ends it: its connect fails */
	end_all(connection);
}

void rdma_connection_end_by_peer(struct doca_rdma_connection *connection)
{
	end_all(connection);
}

void rdma_connection_end(struct doca_rdma_connection *connection)
{
	pthread_mutex_lock(&rdma_lock);
	rdma_connection_end_locked(connection);
	pthread_mutex_unlock(&rdma_lock);
}

void rdma_connections_end(struct doca_rdma *rdma)
{
	pthread_mutex_lock(&rdma_lock);
	while (rdma->open.head != NULL)
		rdma_connection_end_locked(rdma->open.head);
	pthread_mutex_unlock(&rdma_lock);
}

/* The lock must be held. */
static void check_retries(struct doca_rdma_connection *connection)
{
	uint8_t is_waiting = connection->is_parked || connection->is_held || connection->state == RDMA_CONNECTING ||
			     connection->socket.unanswered.head != NULL;
	uint64_t now = rdma_has_socket(connection) ? rdma_now() : sd_clock_now();

	if (is_waiting && now >= connection->retry_until_ns)
		rdma_connection_end_locked(connection);
}

void rdma_connection_check_retries(struct doca_rdma_connection *connection)
{
	pthread_mutex_lock(&rdma_lock);
	check_retries(connection);
	pthread_mutex_unlock(&rdma_lock);
}

uint8_t rdma_connections_check_retries(struct doca_rdma *rdma)
{
	struct doca_rdma_connection *next;
	uint8_t is_any_parked;

	pthread_mutex_lock(&rdma_lock);
	for (struct doca_rdma_connection *one = rdma->open.head; one != NULL && rdma->num_parked > 0; one = next) {
		next = one->next[RDMA_OF_OWNER];
		check_retries(one);
	}
	is_any_parked = rdma->num_parked > 0;
	pthread_mutex_unlock(&rdma_lock);
	return is_any_parked;
}

uint64_t rdma_connections_next_due(const struct doca_rdma *rdma)
{
	uint64_t next = UINT64_MAX;

	pthread_mutex_lock(&rdma_lock);
	for (struct doca_rdma_connection *one = rdma->num_parked > 0 ? rdma->open.head : NULL; one != NULL;
	     one = one->next[RDMA_OF_OWNER]) {
		uint8_t is_waiting = one->is_parked || (one->is_near && one->state == RDMA_CONNECTING);

		if (is_waiting && one->retry_until_ns < next)
			next = one->retry_until_ns;
	}
	pthread_mutex_unlock(&rdma_lock);
	return next;
}
