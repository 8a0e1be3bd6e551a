/* Properties of connections. */
#include <string.h>

#include "sd_comch.h"
#include "sd_shape.h"

doca_error_t doca_comch_connection_update_info(struct doca_comch_connection *comch_connection)
{
	doca_error_t result = DOCA_SUCCESS;

	if (comch_connection == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	pthread_mutex_lock(&comch_connection->lock);
	if (comch_connection->state == COMCH_GREETING)
		result = DOCA_ERROR_CONNECTION_INPROGRESS;
	else if (comch_connection->state != COMCH_ESTABLISHED)
		result = DOCA_ERROR_CONNECTION_ABORTED;
	else
		memcpy(comch_connection->noted, comch_connection->counters, sizeof(comch_connection->noted));
	pthread_mutex_unlock(&comch_connection->lock);
	return result;
}

doca_error_t doca_comch_connection_get_counter(const struct doca_comch_connection *comch_connection,
					       enum doca_comch_counter counter_type, uint64_t *counter_value)
{
	if (comch_connection == NULL || counter_value == NULL || counter_type < DOCA_COMCH_COUNTER_SENT_MESSAGES ||
	    counter_type > DOCA_COMCH_COUNTER_RECV_BYTES)
		return DOCA_ERROR_INVALID_VALUE;
	*counter_value = comch_connection->noted[counter_type];
	return DOCA_SUCCESS;
}

SD_STORE(doca_comch_connection_set_user_data, struct doca_comch_connection, union doca_data, user_data)
SD_PROPERTY(doca_comch_connection_get_user_data, const struct doca_comch_connection, union doca_data, (union doca_data){ 0 },
	object->user_data)

struct doca_comch_server *doca_comch_server_get_server_ctx(const struct doca_comch_connection *connection)
{
	return connection == NULL ? NULL : connection->control->is_server ? (struct doca_comch_server *)connection->control : NULL;
}

struct doca_comch_client *doca_comch_client_get_client_ctx(const struct doca_comch_connection *connection)
{
	return connection == NULL ? NULL : connection->control->is_server ? NULL : (struct doca_comch_client *)connection->control;
}
