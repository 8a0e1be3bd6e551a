/* Common part of servers and clients. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "sd_comch.h"
#include "sd_comch_socket.h"
#include "sd_list.h"
#include "sd_quirk.h"

doca_error_t comch_control_init(struct comch_control *control, const struct comch_side *side, const struct sd_context_ops *ops,
				struct doca_dev *dev, const char *name)
{
	const struct sd_comch_limits *limits = &sd_devinfo_profile(doca_dev_as_devinfo(dev))->comch;
	size_t len = strnlen(name, limits->max_name_len);

	if (len == 0 || len >= limits->max_name_len || len >= COMCH_NAME)
		return DOCA_ERROR_INVALID_VALUE;
	memcpy(control->name, name, len);
	control->side = side;
	control->limits = limits;
	control->max_msg_size = limits->max_msg_size;
	control->recv_queue_size = COMCH_DEFAULT_RECV_QUEUE;
	pthread_mutex_init(&control->lock, NULL);
	sd_context_init(&control->ctx, ops, dev);
	return DOCA_SUCCESS;
}

static void forget_ended(struct comch_control *control, uint32_t keep)
{
	while (control->num_ended > keep) {
		struct doca_comch_connection *connection = control->ended;

		control->ended = connection->next;
		control->num_ended--;
		comch_connection_unref(connection);
	}
}

doca_error_t comch_control_destroy(struct comch_control *control)
{
	doca_error_t result;

	if (atomic_load(&control->num_children) > 0)
		return DOCA_ERROR_IN_USE;
	result = sd_context_fini(&control->ctx);
	if (result != DOCA_SUCCESS)
		return result;
	forget_ended(control, 0);
	pthread_mutex_destroy(&control->lock);
	free(control);
	return DOCA_SUCCESS;
}

doca_error_t comch_control_open(struct comch_control *control)
{
	const struct sd_task_pool *pool = control->ctx.pools;
	doca_error_t result;

	if (pool != NULL) {
		control->messages = malloc((size_t)pool->num_tasks * control->max_msg_size);
		if (control->messages == NULL)
			return DOCA_ERROR_INITIALIZATION;
	}
	result = comch_poll_open(control);
	if (result == DOCA_SUCCESS)
		result = sd_service_acquire();
	if (result != DOCA_SUCCESS) {
		free(control->messages);
		control->messages = NULL;
	}
	return result;
}

void comch_control_close(struct doca_ctx *ctx)
{
	struct comch_control *control = (struct comch_control *)ctx;

	sd_service_release();
	free(control->messages);
	control->messages = NULL;
}

doca_error_t comch_control_may_stop(const struct doca_ctx *ctx)
{
	const struct comch_control *control = (const struct comch_control *)ctx;

	if (atomic_load(&control->num_live) > 0 || atomic_load(&control->num_settling) > 0)
		return DOCA_ERROR_IN_USE;
	if (sd_quirk_is_on(SD_QUIRK_IDLE_CHILD_BLOCKS) && atomic_load(&control->num_children) > 0)
		return DOCA_ERROR_IN_USE;
	return DOCA_SUCCESS;
}

doca_error_t comch_control_add(struct comch_control *control, struct doca_comch_connection *connection)
{
	doca_error_t result = DOCA_ERROR_NO_MEMORY;

	pthread_mutex_lock(&control->lock);
	if (control->num_connections < sd_config_max_clients(control->limits)) {
		connection->next = control->connections;
		control->connections = connection;
		control->num_connections++;
		result = DOCA_SUCCESS;
	}
	pthread_mutex_unlock(&control->lock);
	return result;
}

/* Returns the pointer that refers to the connection, or NULL. The lock must be held. */
static struct doca_comch_connection **find(struct comch_control *control, const struct doca_comch_connection *connection)
{
	struct doca_comch_connection **place = &control->connections;

	while (*place != NULL && *place != connection)
		place = &(*place)->next;
	return *place == NULL ? NULL : place;
}

uint8_t comch_control_remove(struct comch_control *control, const struct doca_comch_connection *connection)
{
	struct doca_comch_connection **place;

	pthread_mutex_lock(&control->lock);
	place = find(control, connection);
	if (place != NULL) {
		*place = connection->next;
		control->num_connections--;
	}
	pthread_mutex_unlock(&control->lock);
	return place != NULL;
}

uint8_t comch_control_has(struct comch_control *control, struct doca_comch_connection *connection)
{
	struct doca_comch_connection **place;

	pthread_mutex_lock(&control->lock);
	place = find(control, connection);
	if (place != NULL) { /* a recently used connection is likely to be used again: move it to the front */
		*place = connection->next;
		connection->next = control->connections;
		control->connections = connection;
	}
	pthread_mutex_unlock(&control->lock);
	return place != NULL;
}

void comch_control_keep_ended(struct comch_control *control, struct doca_comch_connection *connection)
{
	connection->is_over = 1;
	SD_APPEND(control->ended, control->ended_tail, connection, next);
	control->num_ended++;
	forget_ended(control, COMCH_MAX_ENDED);
}

static uint8_t run_ended(struct sd_event *event)
{
	(void)event;
	return 0; /* the pending event has delayed IDLE until the next turn */
}

void comch_control_stop(struct doca_ctx *ctx)
{
	struct comch_control *control = (struct comch_control *)ctx;
	struct doca_comch_connection *connections, *next;

	pthread_mutex_lock(&control->lock);
	connections = control->connections;
	control->connections = NULL;
	control->num_connections = 0;
	pthread_mutex_unlock(&control->lock);
	for (struct doca_comch_connection *connection = connections; connection != NULL; connection = next) {
		next = connection->next;
		comch_connection_close(connection);
		comch_control_keep_ended(control, connection);
	}
	if (connections != NULL)
		sd_context_post_event(ctx, &control->ended_event, run_ended);
}

void comch_control_die(struct doca_ctx *ctx)
{
	struct doca_comch_connection *connection = ((struct comch_control *)ctx)->connections;

	/* Only events of this thread remove connections. */
	for (; connection != NULL; connection = connection->next)
		comch_connection_lose(connection);
}
