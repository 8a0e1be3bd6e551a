/*
 * In inline execution the service thread never reads; it only wakes a sleeping program. The seed determines the order of reads.
 */
#include <poll.h>
#include <sys/epoll.h>

#include "sd_comch.h"
#include "sd_comch_socket.h"
#include "sd_log.h"

enum { ONE_THREAD_EVENTS = EPOLLIN | EPOLLONESHOT };

doca_error_t comch_poll_open(struct comch_control *control)
{
	control->is_inline = sd_config()->execution == SOFTDPU_EXECUTION_INLINE;
	return control->is_inline ? DOCA_SUCCESS : sd_sources_open(control->ctx.pe);
}

static uint8_t has_arrived(struct doca_comch_connection *connection)
{
	struct pollfd socket = { .fd = connection->fd, .events = POLLIN };

	return connection->fd >= 0 && poll(&socket, 1, 0) > 0;
}

/* Returns the first connection, from this one on, with data to read. */
static struct doca_comch_connection *next_arrived(struct doca_comch_connection *connection)
{
	while (connection != NULL && !has_arrived(connection))
		connection = connection->next;
	return connection;
}

/*
 * Reads one randomly drawn connection; each connection keeps its order. Without data there is no draw, so the number of idle
 * polls has no influence.
 */
static void read_inline(struct comch_control *control, uint32_t budget)
{
	struct doca_comch_connection *connection, *chosen = NULL;
	uint64_t count = 0;

	for (connection = control->connections; connection != NULL; connection = connection->next) {
		pthread_mutex_lock(&connection->lock);
		comch_flush(connection);
		pthread_mutex_unlock(&connection->lock);
	}
	for (connection = next_arrived(control->connections); connection != NULL; connection = next_arrived(connection->next)) {
		/* Chooses each connection seen so far with equal probability. */
		if (++count == 1 || sd_context_draw(&control->ctx) % count == 0)
			chosen = connection;
	}
	if (chosen != NULL && comch_poll_read(chosen, budget))
		sd_context_elapse(&control->ctx);
}

uint8_t comch_control_poll(struct doca_ctx *ctx, uint32_t budget)
{
	struct comch_control *control = (struct comch_control *)ctx;

	if (control->is_inline)
		read_inline(control, budget);
	return control->is_inline; /* in threads execution the engine reads the offered connections */
}

/* Inline execution: lets the service thread wake the sleeping program when data arrives. */
static void watch_one_thread(struct doca_comch_connection *connection)
{
	uint32_t events = ONE_THREAD_EVENTS | (connection->is_output_watched ? EPOLLOUT : 0);

	if (connection->fd < 0)
		return;
	if (connection->watch.slot != 0)
		sd_service_rearm(&connection->watch, events);
	else if (sd_service_watch(&connection->watch, connection->fd, events, comch_connection_ready) != DOCA_SUCCESS)
		SD_LOG_ERROR("comch \"%s\": cannot wake the program when data arrives", connection->control->name);
}

void comch_control_rest(struct doca_ctx *ctx)
{
	struct comch_control *control = (struct comch_control *)ctx;

	for (struct doca_comch_connection *connection = control->connections; control->is_inline && connection != NULL;
	     connection = connection->next)
		watch_one_thread(connection);
}

/* Returns the time until which the fault plan delays the oldest packet of a connection. A poll then sends the packet. */
static uint64_t next_due(struct doca_comch_connection *connection)
{
	uint64_t due_ns = UINT64_MAX;

	pthread_mutex_lock(&connection->lock);
	if (connection->out_head != NULL && connection->out_head->due_ns > 0 && !connection->is_output_watched)
		due_ns = connection->out_head->due_ns;
	pthread_mutex_unlock(&connection->lock);
	return due_ns;
}

uint64_t comch_control_next_due(const struct doca_ctx *ctx)
{
	uint64_t next = UINT64_MAX;

	for (struct doca_comch_connection *connection = ((const struct comch_control *)ctx)->connections; connection != NULL;
	     connection = connection->next) {
		uint64_t due_ns = next_due(connection);

		next = due_ns < next ? due_ns : next;
	}
	return next;
}
