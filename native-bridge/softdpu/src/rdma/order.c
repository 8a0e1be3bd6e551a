/* Order of the tasks of a connection. See sd_rdma.h. */
#include "sd_config.h"
#include "sd_list.h"
#include "sd_rdma.h"

enum then { FAIL, EXECUTE, WAIT };

/* The lock must be held. */
static enum then enter(struct doca_rdma_connection *connection, struct rdma_task *task)
{
	if (task->is_late || (connection->state != RDMA_CONNECTED && connection->state != RDMA_CONNECTING))
		return FAIL;
	if (connection->current != NULL || connection->waiting.head != NULL || connection->state == RDMA_CONNECTING ||
	    !rdma_flight_admits(connection, task)) {
		SD_APPEND(connection->waiting.head, connection->waiting.tail, task, next);
		return WAIT;
	}
	connection->current = task;
	return EXECUTE;
}

void rdma_connection_submit(struct rdma_task *task)
{
	enum then then;

	if (sd_config()->null_device) {
		sd_task_queue(&task->base);
		return;
	}
	pthread_mutex_lock(&rdma_lock);
	then = enter(task->connection, task);
	pthread_mutex_unlock(&rdma_lock);
	if (then == EXECUTE) {
		sd_task_queue(&task->base);
	} else if (then == FAIL) {
		task->base.status = DOCA_ERROR_IO_FAILED;
		sd_task_ended(&task->base);
	}
}

void rdma_connection_next(struct doca_rdma_connection *connection)
{
	struct rdma_socket *socket = &connection->socket;

	if (connection->current != NULL)
		return;
	if (socket->sending == RDMA_IS_READY) {
		socket->sending = RDMA_SENDING;
		connection->current = socket->unanswered.head;
	} else if (connection->waiting.head != NULL && rdma_flight_admits(connection, connection->waiting.head)) {
		connection->current = rdma_queue_take(&connection->waiting);
	}
	if (connection->current != NULL)
		rdma_proceed(connection->current);
}

void rdma_connection_executed(struct rdma_task *task, doca_error_t result)
{
	struct doca_rdma_connection *connection = task->connection;

	pthread_mutex_lock(&rdma_lock);
	if (result != DOCA_SUCCESS)
		rdma_connection_end_locked(connection);
	connection->current = NULL;
	rdma_connection_next(connection);
	pthread_mutex_unlock(&rdma_lock);
}
