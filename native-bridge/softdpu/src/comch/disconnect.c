/* Disconnects of clients by a server. */
#include "sd_calls.h"
#include "sd_comch.h"
#include "sd_quirk.h"

/* Returns true if the server still keeps this ended connection. */
static uint8_t has_ended(const struct comch_control *control, const struct doca_comch_connection *connection)
{
	const struct doca_comch_connection *ended = control->ended;

	while (ended != NULL && ended != connection)
		ended = ended->next;
	return ended != NULL;
}

/* Returns true if a message waits to leave. The end of the connection replaces other packets. The lock must be held. */
static uint8_t has_unsent_message(const struct doca_comch_connection *connection)
{
	const struct comch_out *out = connection->out_head;

	while (out != NULL && out->task == NULL)
		out = out->next;
	return out != NULL;
}

static doca_error_t may_disconnect(struct doca_comch_connection *connection)
{
	doca_error_t result;

	if (connection->num_live > 0 || (sd_quirk_is_on(SD_QUIRK_IDLE_CHILD_BLOCKS) && connection->num_children > 0))
		return DOCA_ERROR_IN_USE;
	if (sd_quirk_is_on(SD_QUIRK_DISCONNECT_AGAIN) && ++connection->num_disconnects <= 3)
		return DOCA_ERROR_AGAIN;
	pthread_mutex_lock(&connection->lock);
	result = has_unsent_message(connection) ? DOCA_ERROR_AGAIN : DOCA_SUCCESS;
	pthread_mutex_unlock(&connection->lock);
	return result;
}

doca_error_t doca_comch_server_disconnect(struct doca_comch_server *comch_server, struct doca_comch_connection *connection)
{
	struct comch_control *control = (struct comch_control *)comch_server;
	doca_error_t result;

	if (sd_calls_refuse(__func__, comch_server))
		return DOCA_ERROR_BAD_STATE;
	if (comch_server == NULL || connection == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (!comch_control_has(control, connection))
		return has_ended(control, connection) ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;
	result = may_disconnect(connection);
	if (result != DOCA_SUCCESS)
		return result;
	comch_connection_close(connection);
	if (comch_control_remove(control, connection))
		comch_control_keep_ended(control, connection);
	return DOCA_SUCCESS;
}
