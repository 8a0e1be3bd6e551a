/* Execution of the tasks of connections, part by part. Hardware threads. See sd_rdma.h. */
#include "sd_config.h"
#include "sd_device.h"
#include "sd_list.h"
#include "sd_rdma.h"

/* Service thread. */
static void retries_are_over(struct sd_job *job)
{
	rdma_connection_check_retries(SD_OWNER(job, struct doca_rdma_connection, retry_job));
}

/* Lets a task wait for a receive task of the peer. The lock must be held. */
static doca_error_t park(struct doca_rdma_connection *connection)
{
	struct doca_rdma *rdma = connection->rdma;
	uint64_t limit_ns = (uint64_t)rdma->rnr_retry_count * RDMA_RETRY_NS;

	if (rdma->rnr_retry_count == 0)
		return DOCA_ERROR_IO_FAILED;
	connection->is_parked = 1;
	rdma->num_parked++;
	rdma_list_append(&connection->peer->rdma->starved, connection, RDMA_STARVED);
	connection->retry_until_ns = UINT64_MAX;
	if (rdma->rnr_retry_count == RDMA_NO_RETRY_LIMIT)
		return DOCA_ERROR_IN_PROGRESS;
	connection->retry_until_ns = sd_clock_now() + limit_ns;
	if (sd_config()->execution == SOFTDPU_EXECUTION_INLINE)
		sd_context_visit(&rdma->ctx); /* this is the program's thread */
	else
		sd_service_schedule(&connection->retry_job, limit_ns, retries_are_over);
	return DOCA_ERROR_IN_PROGRESS;
}

/* IN_PROGRESS: the task waits. The lock must be held. */
static doca_error_t find_receive(struct rdma_task *task)
{
	struct doca_rdma_connection *connection = task->connection;

	if (task->receive == NULL)
		task->receive = rdma_receive_take(connection->peer->rdma);
	if (task->receive == NULL)
		return park(connection);
	if (rdma_is_written(task) || task->total <= task->receive->local.total)
		return DOCA_SUCCESS;
	rdma_receive_end(task->receive, connection->peer, NULL, DOCA_ERROR_IO_FAILED); /* too small */
	task->receive = NULL;
	return DOCA_ERROR_IO_FAILED;
}

static doca_error_t begin_part(struct rdma_task *task)
{
	doca_error_t result;

	pthread_mutex_lock(&rdma_lock);
	result = rdma_check(task);
	if (result == DOCA_SUCCESS && rdma_kind_of(task)->needs_receive && !rdma_has_socket(task->connection))
		result = find_receive(task);
	task->connection->is_moving = result == DOCA_SUCCESS;
	if (task->remote.count > 0)
		sd_latch_set_via(&task->remote, task->connection->socket.peer_key);
	pthread_mutex_unlock(&rdma_lock);
	return result;
}

/* The message is complete, or has failed. The lock must be held. */
static void end_receive(struct rdma_task *task, doca_error_t result)
{
	const struct rdma_message message = {
		.opcode = rdma_kind_of(task)->opcode,
		.immediate = task->immediate,
		.total = task->total,
	};
	struct rdma_task *receive = task->receive;

	task->receive = NULL;
	if (receive == NULL)
		return;
	if (result != DOCA_SUCCESS && task->done == 0)
		rdma_receive_return(receive);
	else
		rdma_receive_end(receive, task->connection->peer, &message, result);
}

/*
 * Returns AGAIN if parts are left. A connection may end during the part: the peer may have seen the last part, and have disconnected.
 * That part counts all the same, unless the peer still needs a message.
 */
static doca_error_t end_part(struct rdma_task *task, doca_error_t moved)
{
	struct doca_rdma_connection *connection = task->connection;
	uint8_t is_complete = task->done == task->total && !rdma_kind_of(task)->needs_receive;
	doca_error_t result = moved;

	pthread_mutex_lock(&rdma_lock);
	connection->is_moving = 0;
	if (connection->state != RDMA_CONNECTED && !is_complete)
		result = DOCA_ERROR_IO_FAILED;
	if (result == DOCA_SUCCESS && task->done < task->total)
		result = DOCA_ERROR_AGAIN;
	else
		end_receive(task, result);
	pthread_mutex_unlock(&rdma_lock);
	return result;
}

/*
 * Fault "corrupt" of a message: the data is damaged before the peer's receive task completes. message.c damages data that a
 * socket carries.
 */
static void damage(struct rdma_task *task)
{
	if (!task->base.fault.corrupt || !rdma_kind_of(task)->needs_receive)
		return;
	if (task->total > 0 && task->done == task->total)
		sd_latch_flip_bit(rdma_is_written(task) ? &task->remote : &task->receive->local, task->total / 2);
}

/* AGAIN: parts are left; IN_PROGRESS: the task waits, and another thread may continue it already. */
static doca_error_t move_part(struct rdma_task *task)
{
	size_t left = task->total - task->done, len = left < RDMA_PART ? left : RDMA_PART;
	doca_error_t result = begin_part(task);

	if (result != DOCA_SUCCESS)
		return result;
	result = rdma_kind_of(task)->move(task, len);
	if (result == DOCA_SUCCESS) {
		task->done += len;
		damage(task);
	}
	return end_part(task, result);
}

/* Result: as move_part(). */
static doca_error_t run(struct rdma_task *task)
{
	uint8_t sends = rdma_kind_of(task)->needs_receive && rdma_has_socket(task->connection);
	doca_error_t result;

	if (sends && (!rdma_is_written(task) || task->done == task->total))
		return rdma_message_execute(task);
	do {
		result = move_part(task);
	} while (result == DOCA_ERROR_AGAIN && !sd_task_delays_others(&task->base));
	return sends && result == DOCA_SUCCESS ? rdma_message_execute(task) : result;
}

doca_error_t rdma_execute(struct doca_task *base, void *unit)
{
	struct rdma_task *task = (struct rdma_task *)base;
	doca_error_t result = task->latched == DOCA_SUCCESS ? run(task) : DOCA_ERROR_IO_FAILED;

	(void)unit;
	if (result == DOCA_ERROR_AGAIN) {
		sd_task_queue(base);
		return DOCA_ERROR_IN_PROGRESS;
	}
	if (result != DOCA_ERROR_IN_PROGRESS)
		rdma_connection_executed(task, result);
	return result;
}
