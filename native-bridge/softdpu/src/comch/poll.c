/*
 * Who reads the sockets of connections. The service thread does, until the program polls its engine: then it hands a connection over
 * as soon as something arrives on it, and the program's thread reads that one itself, from progress, without a word between threads.
 * Before the program sleeps all go back. The end of a peer is the service thread's business all the time.
 *
 * In inline execution the service thread never reads; it wakes a sleeper at most. What is read when is drawn from the seed.
 */
#include <poll.h>
#include <stdatomic.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "sd_comch.h"
#include "sd_config.h"
#include "sd_log.h"

enum { CONNECTIONS_PER_POLL = 16, ONE_THREAD_EVENTS = EPOLLIN | EPOLLONESHOT };

uint8_t comch_poll_open(struct comch_control *control)
{
	control->is_inline = sd_config()->execution == SOFTDPU_EXECUTION_INLINE;
	control->is_polling = 0;
	control->poll_fd = -1;
	if (control->is_server && !control->is_inline)
		control->poll_fd = epoll_create1(EPOLL_CLOEXEC);
	return !control->is_server || control->is_inline || control->poll_fd >= 0;
}

void comch_poll_close(struct comch_control *control)
{
	if (control->poll_fd >= 0)
		close(control->poll_fd);
	control->poll_fd = -1;
}

/* The poll lock must be held. */
static void add(struct comch_control *control, struct doca_comch_connection *connection)
{
	struct epoll_event event = { .events = EPOLLIN, .data.ptr = connection };

	/* A client has one connection at most: it needs nobody to tell which one is ready. */
	if (control->poll_fd >= 0 && epoll_ctl(control->poll_fd, EPOLL_CTL_ADD, connection->fd, &event) != 0)
		return;
	connection->is_polled = 1;
	connection->polled_next = control->polled;
	control->polled = connection;
	atomic_fetch_add(&control->num_polled, 1);
}

uint8_t comch_poll_offer(struct doca_comch_connection *connection)
{
	struct comch_control *control = connection->control;

	pthread_mutex_lock(&control->poll_lock);
	if (control->is_polling && !connection->is_polled && connection->fd >= 0)
		add(control, connection);
	pthread_mutex_unlock(&control->poll_lock);
	if (connection->is_polled)
		comch_rearm(connection);
	return connection->is_polled;
}

void comch_poll_withdraw(struct doca_comch_connection *connection)
{
	struct comch_control *control = connection->control;
	struct doca_comch_connection **place = &control->polled;

	if (!connection->is_polled || control->is_inline)
		return;
	pthread_mutex_lock(&control->poll_lock);
	while (*place != connection)
		place = &(*place)->polled_next;
	*place = connection->polled_next;
	atomic_fetch_sub(&control->num_polled, 1);
	if (control->poll_fd >= 0)
		epoll_ctl(control->poll_fd, EPOLL_CTL_DEL, connection->fd, NULL);
	pthread_mutex_unlock(&control->poll_lock);
	connection->is_polled = 0;
}

static uint8_t read_some(struct doca_comch_connection *connection, uint32_t budget)
{
	enum comch_received received = comch_receive(connection, budget);

	if (received == COMCH_RECEIVED_END)
		comch_connection_lose(connection);
	return received != COMCH_RECEIVED_NOTHING;
}

/* The first of the handed-over connections, with a reference. */
static struct doca_comch_connection *first_polled(struct comch_control *control)
{
	struct doca_comch_connection *connection;

	pthread_mutex_lock(&control->poll_lock);
	connection = control->polled;
	if (connection != NULL)
		comch_connection_ref(connection);
	pthread_mutex_unlock(&control->poll_lock);
	return connection;
}

static void read_ready(struct comch_control *control, uint32_t budget)
{
	struct epoll_event events[CONNECTIONS_PER_POLL];
	int count = epoll_wait(control->poll_fd, events, CONNECTIONS_PER_POLL, 0);

	/* Whichever end meanwhile: the control's list has them until this thread takes them out. */
	for (int i = 0; i < count; i++)
		read_some(events[i].data.ptr, budget);
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

void comch_control_poll(struct doca_ctx *ctx, uint32_t budget)
{
	struct comch_control *control = (struct comch_control *)ctx;
	struct doca_comch_connection *connection;

	if (control->is_inline) {
		read_inline(control, budget);
		return;
	}
	if (!control->is_polling) {
		pthread_mutex_lock(&control->poll_lock);
		control->is_polling = 1;
		pthread_mutex_unlock(&control->poll_lock);
	}
	if (atomic_load(&control->num_polled) > 1) {
		read_ready(control, budget);
	} else if (atomic_load(&control->num_polled) == 1 && (connection = first_polled(control)) != NULL) {
		read_some(connection, budget);
		comch_connection_unref(connection);
	}
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
	struct doca_comch_connection *connection;

	if (control->is_inline) {
		for (connection = control->connections; connection != NULL; connection = connection->next)
			watch_one_thread(connection);
		return;
	}
	pthread_mutex_lock(&control->poll_lock);
	control->is_polling = 0;
	pthread_mutex_unlock(&control->poll_lock);
	while ((connection = first_polled(control)) != NULL) {
		pthread_mutex_lock(&connection->lock);
		comch_poll_withdraw(connection);
		comch_rearm(connection);
		pthread_mutex_unlock(&connection->lock);
		comch_connection_unref(connection);
	}
}
