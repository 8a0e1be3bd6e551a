/*
 * Who reads the sockets of connections. The service thread does, until the program polls its engine: then it hands a connection over
 * as soon as something arrives on it, and the program's thread reads that one itself, from progress, without a word between threads.
 * Before the program sleeps all go back. The end of a peer is the service thread's business all the time.
 *
 * In inline execution the service thread never reads; it wakes a sleeper at most. What is read when is drawn from the seed.
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
	if (connection->state >= COMCH_LOST || connection->fd < 0) /* nobody would withdraw it any more */
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

/* The first connection from this one on, on which something has arrived. */
static struct doca_comch_connection *next_arrived(struct doca_comch_connection *connection)
{
	while (connection != NULL && !has_arrived(connection))
		connection = connection->next;
	return connection;
}

/* Which of the connections comes first is drawn; the order on each is kept. When nothing has arrived, nothing is drawn: how often a
 * program asks in vain has no influence. */
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
		/* Each of those seen so far is the chosen one with the same probability. */
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
	return control->is_inline; /* on hardware threads the engine reads the connections that were offered */
}

/* Inline execution: somebody has to wake the program when something is there. */
static void watch_one_thread(struct doca_comch_connection *connection)
{
	uint32_t events = ONE_THREAD_EVENTS | (connection->out_head != NULL ? EPOLLOUT : 0);

	if (connection->fd < 0)
		return;
	if (connection->watch.slot != 0)
		sd_service_rearm(&connection->watch, events);
	else if (sd_service_watch(&connection->watch, connection->fd, events, comch_connection_ready) != DOCA_SUCCESS)
		SD_LOG_ERROR("comch \"%s\": a sleeping program will not be woken: out of memory", connection->control->name);
}

void comch_control_rest(struct doca_ctx *ctx)
{
	struct comch_control *control = (struct comch_control *)ctx;

	for (struct doca_comch_connection *connection = control->connections; control->is_inline && connection != NULL;
	     connection = connection->next)
		watch_one_thread(connection);
}
