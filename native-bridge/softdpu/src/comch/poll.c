/*
 * Selects the thread that reads a connection's socket. By default, this is the service thread. While the program polls its
 * engine, the service thread hands over each connection on which data arrives. The program's thread then reads that connection
 * itself during progress, without a wake-up between threads. Before the program sleeps, it returns all connections. The service
 * thread always handles the end of a peer.
 */
#include <stddef.h>

#include "sd_comch.h"
#include "sd_comch_socket.h"

static struct doca_comch_connection *connection_of(struct sd_source *source)
{
	return SD_OWNER(source, struct doca_comch_connection, source);
}

uint8_t comch_poll_read(struct doca_comch_connection *connection, uint32_t budget)
{
	enum comch_received received = comch_receive(connection, budget);

	if (received == COMCH_RECEIVED_END)
		connection->control->side->lose(connection);
	return received != COMCH_RECEIVED_NOTHING;
}

static void source_ready(struct sd_source *source, uint32_t budget)
{
	comch_poll_read(connection_of(source), budget);
}

static void withdraw(struct sd_source *source)
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
	connection->source.withdraw = withdraw;
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
