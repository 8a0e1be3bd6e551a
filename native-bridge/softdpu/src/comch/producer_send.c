/* Tasks that fill a buffer of the peer's consumer. */
#include <stdatomic.h>

#include "sd_comch_data.h"
#include "sd_config.h"
#include "sd_quirk.h"

enum { MAX_SHORT_COPY = 16 << 10, MAX_POLLED_COPY = 1 << 20 };

/* Finds the consumer of the task and takes a reference to it. */
static doca_error_t find_consumer(struct doca_comch_producer_task_send *task)
{
	struct doca_comch_connection *connection = ((struct doca_comch_producer *)task->base.ctx)->connection;
	doca_error_t result = DOCA_SUCCESS;

	pthread_mutex_lock(&connection->lock);
	if (connection->state != COMCH_ESTABLISHED || connection->has_hung_up)
		result = DOCA_ERROR_CONNECTION_RESET;
	else
		task->remote = comch_remote_find(connection, task->consumer_id);
	pthread_mutex_unlock(&connection->lock);
	if (result == DOCA_SUCCESS && task->remote == NULL)
		result = DOCA_ERROR_NOT_CONNECTED;
	return result;
}

static doca_error_t check_imm(const struct doca_comch_producer_task_send *task)
{
	if (task->is_imm_too_long || task->imm_len > task->remote->max_imm_len)
		return DOCA_ERROR_INVALID_VALUE;
	return task->buf != NULL || task->imm_len > 0 ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;
}

static doca_error_t latch_source(struct doca_comch_producer_task_send *task)
{
	const struct doca_comch_producer *producer = (const struct doca_comch_producer *)task->base.ctx;
	const struct sd_comch_limits *limits = producer->connection->control->limits;
	doca_error_t result;

	if (task->buf == NULL)
		return DOCA_SUCCESS;
	result = sd_latch_source(&task->latch, task->buf, producer->ctx.dev);
	if (result != DOCA_SUCCESS)
		return result == DOCA_ERROR_NO_MEMORY ? result : DOCA_ERROR_IO_FAILED;
	if (task->latch.count <= limits->max_buf_list_len && task->latch.total <= limits->max_buf_size &&
	    (task->latch.total > 0 || task->imm_len > 0))
		return DOCA_SUCCESS;
	sd_latch_release(&task->latch);
	return DOCA_ERROR_IO_FAILED;
}

/* Quirk Q5: refuses the first attempt to claim each buffer. */
static uint8_t refuses(struct comch_remote *remote)
{
	uint64_t next = atomic_load(&remote->ring->claimed) + 1;

	return sd_quirk_is_on(SD_QUIRK_NO_CREDIT) && atomic_exchange(&remote->refused, next) != next;
}

static void release(struct doca_comch_producer_task_send *task)
{
	sd_latch_release(&task->latch);
	if (task->remote != NULL)
		comch_remote_unref(task->remote);
	task->remote = NULL;
}

static doca_error_t claim(struct doca_comch_producer_task_send *task)
{
	doca_error_t result = check_imm(task);

	if (result != DOCA_SUCCESS)
		return result;
	if (atomic_load(&task->remote->ring->claimed) & COMCH_RING_CLOSED)
		return DOCA_ERROR_NOT_CONNECTED; /* the consumer is stopping; its CONSUMER_GONE packet follows */
	if (!comch_ring_has_credit(task->remote->ring) || refuses(task->remote))
		return DOCA_ERROR_AGAIN;
	result = latch_source(task);
	if (result != DOCA_SUCCESS)
		return result;
	return comch_ring_claim(task->remote->ring, &task->sequence) ? DOCA_SUCCESS : DOCA_ERROR_AGAIN;
}

static doca_error_t latch(struct doca_task *base)
{
	struct doca_comch_producer_task_send *task = (struct doca_comch_producer_task_send *)base;
	doca_error_t result = find_consumer(task);

	task->is_settled = 1; /* the task has no claim yet */
	task->is_unreported = 0;
	task->is_staged = 0;
	if (result == DOCA_SUCCESS)
		result = claim(task);
	if (result == DOCA_SUCCESS)
		task->is_settled = 0;
	else
		release(task);
	return result;
}

static doca_error_t validate(struct doca_task *base)
{
	struct doca_comch_producer_task_send *task = (struct doca_comch_producer_task_send *)base;
	doca_error_t result = find_consumer(task);

	if (result == DOCA_SUCCESS)
		result = check_imm(task);
	if (result == DOCA_SUCCESS)
		result = latch_source(task);
	release(task);
	return result == DOCA_SUCCESS ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;
}

/* Returns 0 if the connection is ending: then no copy may begin. A copy in progress keeps the socket open. */
static uint8_t begin_copying(struct doca_comch_connection *connection)
{
	uint8_t may_copy;

	pthread_mutex_lock(&connection->lock);
	may_copy = connection->state == COMCH_ESTABLISHED;
	connection->num_socket_users += may_copy;
	pthread_mutex_unlock(&connection->lock);
	return may_copy;
}

/* Counts the send before the peer can see its result: see order.c. */
static void count_unreported(struct doca_comch_producer_task_send *task, struct doca_comch_connection *connection)
{
	if (task->base.ctx->pe != connection->control->ctx.pe)
		return;
	task->is_unreported = 1;
	atomic_fetch_add(&task->remote->num_unreported, 1);
	atomic_fetch_add(&connection->num_unreported, 1);
}

static void report(struct doca_comch_producer_task_send *task)
{
	if (!task->is_unreported)
		return;
	task->is_unreported = 0;
	atomic_fetch_sub(&task->remote->num_unreported, 1);
	atomic_fetch_sub(&task->remote->connection->num_unreported, 1);
	comch_connection_release(task->remote->connection);
}

static doca_error_t carry_out(struct doca_task *base, doca_error_t (*copy)(struct doca_comch_producer_task_send *task))
{
	struct doca_comch_producer_task_send *task = (struct doca_comch_producer_task_send *)base;
	struct doca_comch_connection *connection = ((struct doca_comch_producer *)base->ctx)->connection;
	doca_error_t result;

	if (!begin_copying(connection))
		return DOCA_ERROR_CONNECTION_RESET;
	result = copy(task);
	if (result != DOCA_ERROR_NOT_PERMITTED)
		count_unreported(task, connection);
	if (result == DOCA_SUCCESS)
		comch_settle(task, task->is_staged ? COMCH_SLOT_STAGED : COMCH_SLOT_DONE, task->latch.total);
	else if (result != DOCA_ERROR_NOT_PERMITTED)
		comch_settle(task, COMCH_SLOT_FAILED, 0);
	comch_connection_release_socket(connection);
	return result;
}

static doca_error_t execute(struct doca_task *base, void *unit)
{
	(void)unit;
	return carry_out(base, comch_copy);
}

/*
 * A hand-over to a hardware thread costs more than a short copy. For a longer copy, it pays off only beside other work:
 * another copy of this producer, or a program that does not poll. The program's thread never makes a copy that may
 * wait.
 */
static uint8_t is_quick(const struct doca_task *base)
{
	const struct doca_comch_producer_task_send *task = (const struct doca_comch_producer_task_send *)base;
	size_t longest = base->ctx->num_inflight == 1 && sd_context_is_polled(base->ctx) ? MAX_POLLED_COPY : MAX_SHORT_COPY;

	return task->latch.total <= longest && base->fault.delay_ns == 0 && !sd_config()->null_device &&
	       sd_config()->execution == SOFTDPU_EXECUTION_THREADS;
}

static uint8_t is_held_up(const struct doca_task *base)
{
	const struct doca_comch_producer_task_send *task = (const struct doca_comch_producer_task_send *)base;

	return comch_copy_waits(task) && sd_peer_holds_up(&((const struct doca_comch_producer *)base->ctx)->connection->device_peer);
}

static void begin(struct doca_task *base)
{
	doca_error_t result = is_quick(base) ? carry_out(base, comch_copy_quickly) : DOCA_ERROR_NOT_PERMITTED;

	if (result == DOCA_ERROR_NOT_PERMITTED) {
		sd_task_queue(base);
		return;
	}
	base->status = result;
	sd_task_ended(base);
}

/* Returns an unwritten claimed buffer to its consumer. On a null device, a successful send marks the buffer as filled. */
static void complete(struct doca_task *base)
{
	struct doca_comch_producer_task_send *task = (struct doca_comch_producer_task_send *)base;

	if (!task->is_settled)
		comch_settle(task, base->status == DOCA_SUCCESS ? COMCH_SLOT_DONE : COMCH_SLOT_RETURNED, 0);
	report(task);
	release(task);
}

static const struct sd_task_operation comch_producer_send = {
	.name = "comch-producer-send",
	.task_size = sizeof(struct doca_comch_producer_task_send),
	.validate = validate,
	.latch = latch,
	.begin = begin,
	.execute = execute,
	.is_held_up = is_held_up,
	.complete = complete,
};

SD_TASK_SET_CONF(doca_comch_producer_task_send, struct doca_comch_producer, &comch_producer_send,
	object->connection->control->limits->max_data_tasks)

doca_error_t doca_comch_producer_task_send_alloc_init(struct doca_comch_producer *producer, const struct doca_buf *buf,
						      uint8_t *imm_data, uint32_t imm_data_len, uint32_t consumer_id,
						      struct doca_comch_producer_task_send **task)
{
	union doca_data none = { 0 };
	doca_error_t result;

	if (producer == NULL || task == NULL || (buf == NULL && imm_data_len == 0) || (imm_data == NULL && imm_data_len > 0) ||
	    imm_data_len > producer->connection->control->limits->max_imm_len)
		return DOCA_ERROR_INVALID_VALUE;
	result = sd_task_alloc(&producer->ctx, &comch_producer_send, none, (struct doca_task **)task);
	if (result != DOCA_SUCCESS)
		return result;
	(*task)->buf = buf;
	(*task)->consumer_id = consumer_id;
	doca_comch_producer_task_send_set_imm_data(*task, imm_data, imm_data_len);
	return DOCA_SUCCESS;
}
