/*
 * Messages without an answer: the hardware sends the next ones before the peer has answered the oldest one. Limits of waits. See
 * sd_rdma.h and wire.h.
 */
#include "sd_list.h"
#include "sd_rdma.h"

/* Limit of the wait for a packet of the peer's service thread, or for room in the socket. */
static const uint64_t PACKET_NS = 5000000000u;

/* Returns the number of bytes that the MESSAGE packet carries: all bytes, or none. */
static uint32_t carried(const struct rdma_task *task)
{
	struct sd_cursor cursor;

	if (task->total == 0 || task->total > RDMA_PART || rdma_is_written(task))
		return 0;
	cursor = sd_latch_seek(&task->local, 0);
	return sd_cursor_left(&cursor) < task->total ? 0 : (uint32_t)task->total;
}

/* Tasks that access the peer's memory must not pass a message, and a task that fails must not fail older ones: they wait. */
uint8_t rdma_flight_admits(const struct doca_rdma_connection *connection, const struct rdma_task *task)
{
	const struct rdma_socket *socket = &connection->socket;

	if (socket->unanswered.head == NULL)
		return 1;
	return rdma_kind_of(task)->needs_receive && !rdma_is_written(task) && task->latched == DOCA_SUCCESS &&
	       socket->num_unanswered < RDMA_MAX_AHEAD && socket->num_unanswered < connection->rdma->send_queue_size &&
	       socket->carried + carried(task) <= RDMA_MAX_AHEAD_BYTES;
}

void rdma_flight_add(struct rdma_task *task)
{
	struct rdma_socket *socket = &task->connection->socket;

	task->carried = carried(task);
	task->done += task->carried;
	task->is_unanswered = 1;
	if (socket->unanswered.head == NULL)
		socket->sending = RDMA_ASKED;
	SD_APPEND(socket->unanswered.head, socket->unanswered.tail, task, next);
	socket->num_unanswered++;
	socket->carried += task->carried;
}

void rdma_flight_take(struct doca_rdma_connection *connection)
{
	struct rdma_socket *socket = &connection->socket;
	struct rdma_task *task = rdma_queue_take(&socket->unanswered);

	task->is_unanswered = 0;
	socket->num_unanswered--;
	socket->carried -= task->carried;
	socket->sending = socket->unanswered.head == NULL ? RDMA_NOTHING : RDMA_ASKED;
}

static void check_wait(struct sd_job *job);

/* A scheduled job that is not too late schedules itself again, so most waits schedule none. The lock must be held. */
static void limit_until(struct doca_rdma_connection *connection, uint64_t now, uint64_t then)
{
	connection->retry_until_ns = then;
	if (connection->socket.check_ns != 0 && connection->socket.check_ns <= then)
		return;
	connection->socket.check_ns = then;
	sd_service_schedule(&connection->retry_job, then - now, check_wait);
}

void rdma_limit_wait(struct doca_rdma_connection *connection, uint64_t limit_ns)
{
	uint64_t now = rdma_now();

	limit_until(connection, now, now + limit_ns);
}

/* Service thread. */
static void check_wait(struct sd_job *job)
{
	struct doca_rdma_connection *connection = SD_OWNER(job, struct doca_rdma_connection, retry_job);
	uint64_t now = rdma_now();

	rdma_connection_check_retries(connection);
	pthread_mutex_lock(&rdma_lock);
	connection->socket.check_ns = 0;
	if (connection->state != RDMA_ENDED && connection->retry_until_ns != UINT64_MAX && connection->retry_until_ns > now)
		limit_until(connection, now, connection->retry_until_ns);
	pthread_mutex_unlock(&rdma_lock);
}

/* A message that the peer has refused has the limit of its retries. */
void rdma_flight_limit(struct doca_rdma_connection *connection)
{
	enum rdma_sending sending = connection->socket.sending;

	if (sending == RDMA_REFUSED)
		return;
	if (connection->is_held || sending == RDMA_ASKED || sending == RDMA_WAITING)
		rdma_limit_wait(connection, PACKET_NS);
	else
		connection->retry_until_ns = UINT64_MAX;
}
