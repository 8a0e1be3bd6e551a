/* States of connections, and the order of the tasks of a connection. See sd_rdma.h. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "sd_config.h"
#include "sd_log.h"
#include "sd_rdma.h"
#include "sd_shape.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct doca_rdma_connection *all;	/* connections of the process that have not ended; under the lock */

static uint8_t is_started(const struct doca_rdma *rdma)
{
	return rdma->ctx.state == DOCA_CTX_STATE_STARTING || rdma->ctx.state == DOCA_CTX_STATE_RUNNING;
}

/* The lock must be held. */
static struct doca_rdma_connection *find(uint64_t key)
{
	struct doca_rdma_connection *connection = all;

	while (connection != NULL && connection->details.key != key)
		connection = connection->all_next;
	return connection;
}

/* The lock must be held. Returns the waiting tasks of the connection. */
static struct rdma_task *end_one(struct doca_rdma_connection *connection)
{
	struct doca_rdma_connection **place = &all;
	struct rdma_task *waiting = connection->waiting_head;

	if (connection->state == RDMA_ENDED)
		return NULL;
	while (*place != connection)
		place = &(*place)->all_next;
	*place = connection->all_next;
	connection->state = RDMA_ENDED;
	connection->peer = NULL;
	connection->waiting_head = NULL;
	return waiting;
}

static void fail_all(struct rdma_task *task)
{
	while (task != NULL) {
		struct rdma_task *next = task->next_waiting;

		task->base.status = DOCA_ERROR_IO_FAILED;
		sd_task_executed(&task->base);
		task = next;
	}
}

void rdma_connection_end(struct doca_rdma_connection *connection)
{
	struct rdma_task *waiting, *peer_waiting = NULL;

	pthread_mutex_lock(&lock);
	if (connection->peer != NULL)
		peer_waiting = end_one(connection->peer);
	waiting = end_one(connection);
	pthread_mutex_unlock(&lock);
	fail_all(waiting);
	fail_all(peer_waiting);
}

void rdma_connections_end(struct doca_rdma *rdma)
{
	for (struct doca_rdma_connection *one = rdma->connections; one != NULL; one = one->next)
		rdma_connection_end(one);
}

void rdma_connections_free(struct doca_rdma *rdma)
{
	while (rdma->connections != NULL) {
		struct doca_rdma_connection *first = rdma->connections;

		rdma->connections = first->next;
		free(first);
	}
	rdma->next_id = 0;
}

doca_error_t rdma_connection_check(struct doca_rdma_connection *connection, uint32_t permission, const struct sd_latch *remote)
{
	const struct doca_rdma_connection *peer;
	doca_error_t result = DOCA_ERROR_IO_FAILED;

	pthread_mutex_lock(&lock);
	peer = connection->peer;
	if (connection->state == RDMA_CONNECTED && (peer->rdma->permissions & permission) != 0 &&
	    (remote->count == 0 || sd_latch_remote_vhca_id(remote) == peer->rdma->vhca_id))
		result = DOCA_SUCCESS;
	pthread_mutex_unlock(&lock);
	return result;
}

void rdma_connection_submit(struct rdma_task *task)
{
	struct doca_rdma_connection *connection = task->connection;
	enum { FAIL, EXECUTE, WAIT } then = EXECUTE;

	if (sd_config()->null_device) {
		sd_task_queue(&task->base);
		return;
	}
	pthread_mutex_lock(&lock);
	if (task->is_late || connection->state != RDMA_CONNECTED) {
		then = FAIL;
	} else if (connection->is_executing) {
		then = WAIT;
		task->next_waiting = NULL;
		if (connection->waiting_head == NULL)
			connection->waiting_head = task;
		else
			connection->waiting_tail->next_waiting = task;
		connection->waiting_tail = task;
	}
	connection->is_executing |= then == EXECUTE;
	pthread_mutex_unlock(&lock);
	if (then == EXECUTE)
		sd_task_queue(&task->base);
	else if (then == FAIL) {
		task->base.status = DOCA_ERROR_IO_FAILED;
		sd_task_ended(&task->base);
	}
}

void rdma_connection_executed(struct doca_rdma_connection *connection, doca_error_t result)
{
	struct rdma_task *next;

	if (result != DOCA_SUCCESS)
		rdma_connection_end(connection);
	pthread_mutex_lock(&lock);
	next = connection->waiting_head;
	if (next != NULL)
		connection->waiting_head = next->next_waiting;
	connection->is_executing = next != NULL;
	pthread_mutex_unlock(&lock);
	if (next != NULL)
		sd_task_queue(&next->base);
}

/* Returns the number of connections that have not ended. */
static uint32_t count_open(const struct doca_rdma *rdma)
{
	uint32_t count = 0;

	pthread_mutex_lock(&lock);
	for (const struct doca_rdma_connection *one = rdma->connections; one != NULL; one = one->next)
		count += one->state != RDMA_ENDED;
	pthread_mutex_unlock(&lock);
	return count;
}

doca_error_t doca_rdma_export(struct doca_rdma *rdma, const void **local_rdma_conn_details, size_t *local_rdma_conn_details_size,
			      struct doca_rdma_connection **rdma_connection)
{
	struct doca_rdma_connection *created;

	if (rdma == NULL || local_rdma_conn_details == NULL || local_rdma_conn_details_size == NULL || rdma_connection == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (!is_started(rdma))
		return DOCA_ERROR_BAD_STATE;
	if (count_open(rdma) >= rdma->max_num_connections)
		return DOCA_ERROR_FULL;
	created = calloc(1, sizeof(*created));
	if (created == NULL)
		return DOCA_ERROR_NO_MEMORY;
	created->rdma = rdma;
	created->id = rdma->next_id++;
	created->state = RDMA_EXPORTED;
	rdma_details_write(&created->details, rdma->transport_type);
	created->next = rdma->connections;
	rdma->connections = created;
	pthread_mutex_lock(&lock);
	created->all_next = all;
	all = created;
	pthread_mutex_unlock(&lock);
	*local_rdma_conn_details = &created->details;
	*local_rdma_conn_details_size = sizeof(created->details);
	*rdma_connection = created;
	return DOCA_SUCCESS;
}

/* The lock must be held. */
static doca_error_t join(struct doca_rdma_connection *connection, struct doca_rdma_connection *peer)
{
	if (connection->state == RDMA_CONNECTED)
		return DOCA_ERROR_BAD_STATE;
	if (connection->state == RDMA_ENDED || peer == NULL || peer == connection ||
	    (connection->peer != NULL && connection->peer != peer) || (peer->peer != NULL && peer->peer != connection))
		return DOCA_ERROR_CONNECTION_ABORTED;
	connection->peer = peer;
	peer->peer = connection;
	connection->state = RDMA_CONNECTED;
	return DOCA_SUCCESS;
}

doca_error_t doca_rdma_connect(struct doca_rdma *rdma, const void *remote_rdma_conn_details, size_t remote_rdma_conn_details_size,
			       struct doca_rdma_connection *rdma_connection)
{
	struct rdma_details details;
	doca_error_t result;

	if (rdma == NULL || remote_rdma_conn_details == NULL || rdma_connection == NULL || rdma_connection->rdma != rdma)
		return DOCA_ERROR_INVALID_VALUE;
	if (!is_started(rdma))
		return DOCA_ERROR_BAD_STATE;
	if (!rdma_details_read(&details, remote_rdma_conn_details, remote_rdma_conn_details_size))
		return DOCA_ERROR_CONNECTION_ABORTED;
	if (details.pid != (uint32_t)getpid()) {
		SD_LOG_WARNING("cannot connect to a connection of process %u: the software DPU connects RDMA contexts of one process "
			       "only", details.pid);
		return DOCA_ERROR_NOT_SUPPORTED;
	}
	pthread_mutex_lock(&lock);
	result = join(rdma_connection, find(details.key));
	pthread_mutex_unlock(&lock);
	return result;
}

doca_error_t doca_rdma_connection_disconnect(struct doca_rdma_connection *rdma_connection)
{
	if (rdma_connection == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	rdma_connection_end(rdma_connection);
	return DOCA_SUCCESS;
}

SD_GETTER(doca_rdma_connection_get_id, const struct doca_rdma_connection, uint32_t, object->id)
SD_GETTER(doca_rdma_connection_get_user_data, const struct doca_rdma_connection, union doca_data, object->user_data)

doca_error_t doca_rdma_connection_set_user_data(struct doca_rdma_connection *rdma_connection,
						union doca_data connection_user_data)
{
	if (rdma_connection == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	rdma_connection->user_data = connection_user_data;
	return DOCA_SUCCESS;
}
