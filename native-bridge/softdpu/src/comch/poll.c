/*
 * Selects the thread that reads a connection's socket. By default, this is the service thread. While the program polls its
 * engine, the service thread hands over each connection on which data arrives. The program's thread then reads that connection
 * itself during progress, without a wake-up between threads. Before the program sleeps, it returns all connections. The service
 * thread always handles the end of a peer.
 *
 * In inline execution the service thread never reads; it only wakes a sleeping program. The seed determines the order of reads.
 */
#include <poll.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "sd_comch.h"
#include "sd_config.h"
#include "sd_log.h"

enum { ONE_THREAD_EVENTS = EPOLLIN | EPOLLONESHOT };

doca_error_t comch_poll_open(struct comch_control *control)
{
	control->is_inline = sd_config()->execution == SOFTDPU_EXECUTION_INLINE;
	return control->is_inline ? DOCA_SUCCESS : sd_sources_open(control->ctx.pe);
}

static struct doca_comch_connection *connection_of(struct sd_source *source)
{
	return (struct doca_comch_connection *)((char *)source - offsetof(struct doca_comch_connection, source));
}

static uint8_t read_some(struct doca_comch_connection *connection, uint32_t budget)
{
	enum comch_received received = comch_receive(connection, budget);

	if (received == COMCH_RECEIVED_END)
		comch_connection_lose(connection);
	return received != COMCH_RECEIVED_NOTHING;
}

static void source_ready(struct sd_source *source, uint32_t budget)
{
	read_some(connection_of(source), budget);
}

static void take_back(struct sd_source *source)
{
	struct doca_comch_connection *connection = connection_of(source);

	pthread_mutex_lock(&connection->lock);
	comch_poll_withdraw(connection);
	comch_rearm(connection);
	pthread_mutex_unlock(&connection->lock);
}

uint8_t comch_poll_offer(struct doca_comch_connection *connection)
{
	if (connection->state >= COMCH_LOST || connection->fd < 0) /* no later call would withdraw the source */
		return 0;
	connection->source.fd = connection->fd;
	connection->source.ready = source_ready;
	connection->source.take_back = take_back;
	connection->is_polled = sd_source_offer(connection->control->ctx.pe, &connection->source);
	if (connection->is_polled)
		comch_rearm(connection);
	return connection->is_polled;
}

void comch_poll_withdraw(struct doca_comch_connection *connection)
{
	if (!connection->is_polled || connection->control->is_inline)
		return;
	sd_source_withdraw(connection->control->ctx.pe, &connection->source);
	connection->is_polled = 0;
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
	if (chosen != NULL && read_some(chosen, budget))
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
	uint32_t events = ONE_THREAD_EVENTS | (connection->out_head != NULL ? EPOLLOUT : 0);

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
