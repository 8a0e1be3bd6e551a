/* Public functions of consumers. */
#include <stdlib.h>

#include "mmap.h"
#include "sd_calls.h"
#include "sd_comch_data.h"
#include "sd_fault.h"
#include "sd_shape.h"

static doca_error_t check_map(const struct doca_mmap *map)
{
	if (!map->started)
		return DOCA_ERROR_BAD_STATE;
	return map->permissions & DOCA_ACCESS_FLAG_PCI_READ_WRITE ? DOCA_SUCCESS : DOCA_ERROR_NOT_PERMITTED;
}

doca_error_t doca_comch_consumer_create(struct doca_comch_connection *comch_connection, struct doca_mmap *buf_mmap,
					struct doca_comch_consumer **consumer)
{
	struct doca_comch_consumer *created;
	doca_error_t result;

	if (comch_connection == NULL || buf_mmap == NULL || consumer == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	result = check_map(buf_mmap);
	if (result != DOCA_SUCCESS)
		return result;
	created = sd_fault_calloc("alloc-context", sizeof(*created), &result);
	if (created == NULL)
		return result;
	result = comch_connection_join(comch_connection, &comch_connection->consumer_ids,
				       comch_connection->control->limits->max_consumers, &created->id);
	if (result != DOCA_SUCCESS) {
		free(created);
		return result;
	}
	created->connection = comch_connection;
	created->map = buf_mmap;
	created->max_imm_len = comch_connection->control->limits->max_imm_len;
	pthread_mutex_init(&created->lock, NULL);
	sd_context_init(&created->ctx, &comch_consumer_ops, comch_connection->control->ctx.dev);
	*consumer = created;
	return DOCA_SUCCESS;
}

doca_error_t doca_comch_consumer_destroy(struct doca_comch_consumer *consumer)
{
	struct doca_comch_connection *connection;
	doca_error_t result;

	if (sd_calls_refuse(__func__, consumer))
		return DOCA_ERROR_BAD_STATE;
	if (consumer == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	connection = consumer->connection;
	result = sd_context_fini(&consumer->ctx);
	if (result != DOCA_SUCCESS)
		return result;
	comch_connection_leave(connection, &connection->consumer_ids);
	pthread_mutex_destroy(&consumer->lock);
	free(consumer);
	return DOCA_SUCCESS;
}

SD_PART(doca_comch_consumer_as_ctx, struct doca_comch_consumer, struct doca_ctx, ctx)
SD_GETTER(doca_comch_consumer_get_id, const struct doca_comch_consumer, uint32_t, object->id)

doca_error_t doca_comch_consumer_set_imm_data_len(struct doca_comch_consumer *consumer, uint32_t imm_data_len)
{
	if (consumer == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (sd_context_require_idle(&consumer->ctx) != DOCA_SUCCESS)
		return DOCA_ERROR_BAD_STATE;
	if (imm_data_len > consumer->connection->control->limits->max_imm_len)
		return DOCA_ERROR_INVALID_VALUE;
	consumer->max_imm_len = imm_data_len;
	return DOCA_SUCCESS;
}

SD_GETTER(doca_comch_consumer_get_imm_data_len, const struct doca_comch_consumer, uint32_t, object->max_imm_len)
