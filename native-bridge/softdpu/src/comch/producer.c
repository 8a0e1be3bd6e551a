/* The context of producers. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "sd_calls.h"
#include "sd_comch_data.h"
#include "sd_fault.h"
#include "sd_shape.h"

static doca_error_t start(struct doca_ctx *ctx)
{
	struct doca_comch_connection *connection = ((struct doca_comch_producer *)ctx)->connection;
	doca_error_t result;

	pthread_mutex_lock(&connection->lock);
	result = connection->state == COMCH_ESTABLISHED ? DOCA_SUCCESS : DOCA_ERROR_NOT_CONNECTED;
	pthread_mutex_unlock(&connection->lock);
	if (result == DOCA_SUCCESS)
		comch_count_live(connection, 1);
	atomic_store(&((struct doca_comch_producer *)ctx)->deadline_ms, 0);
	return result;
}

static void stop(struct doca_ctx *ctx)
{
	comch_copy_limit((struct doca_comch_producer *)ctx);
}

static void stopped(struct doca_ctx *ctx)
{
	comch_count_live(((struct doca_comch_producer *)ctx)->connection, -1);
}

static const struct sd_context_ops producer_ops = {
	.name = "comch producer",
	.start = start,
	.stop = stop,
	.stopped = stopped,
};

doca_error_t doca_comch_producer_create(struct doca_comch_connection *comch_connection, struct doca_comch_producer **producer)
{
	struct doca_comch_producer *created;
	doca_error_t result;

	if (comch_connection == NULL || producer == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	created = sd_fault_calloc("alloc-context", sizeof(*created), &result);
	if (created == NULL)
		return result;
	result = comch_connection_join(comch_connection, &comch_connection->producer_ids,
				       comch_connection->control->limits->max_producers, &created->id);
	if (result != DOCA_SUCCESS) {
		free(created);
		return result;
	}
	created->connection = comch_connection;
	sd_context_init(&created->ctx, &producer_ops, comch_connection->control->ctx.dev);
	*producer = created;
	return DOCA_SUCCESS;
}

doca_error_t doca_comch_producer_destroy(struct doca_comch_producer *producer)
{
	struct doca_comch_connection *connection;
	doca_error_t result;

	if (sd_calls_refuse(__func__, producer))
		return DOCA_ERROR_BAD_STATE;
	if (producer == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	connection = producer->connection;
	result = sd_context_fini(&producer->ctx);
	if (result != DOCA_SUCCESS)
		return result;
	comch_connection_leave(connection, &connection->producer_ids);
	free(producer);
	return DOCA_SUCCESS;
}

SD_PART(doca_comch_producer_as_ctx, struct doca_comch_producer, struct doca_ctx, ctx)
SD_GETTER(doca_comch_producer_get_id, const struct doca_comch_producer, uint32_t, object->id)
