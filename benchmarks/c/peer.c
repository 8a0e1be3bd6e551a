#include "channel_inside.h"

#include <stdlib.h>
#include <string.h>

#include <doca_pe.h>

#include "report.h"

struct peer *peer_add(struct channel *channel)
{
	struct peer *peer = calloc(1, sizeof(*peer) + channel->settings.role->state_bytes);

	if (peer != NULL)
		peer->late = malloc(channel->max_message);
	if (peer == NULL || peer->late == NULL) {
		report(DOCA_ERROR_NO_MEMORY, "calloc", "connection of \"%s\"", channel->settings.name);
		free(peer);
		return NULL;
	}
	peer->channel = channel;
	peer->since_ns = engine_clock_ns();
	peer->next = channel->peers;
	channel->peers = peer;
	return peer;
}

void peer_free(struct peer *peer)
{
	free(peer->late);
	free(peer);
}

void peer_open(struct peer *peer, struct doca_comch_connection *connection)
{
	peer->connection = connection;
	peer->opened = true;
	peer->touched = true;
	if (!peer->leaving)
		peer->channel->settings.role->opened(peer);
}

void *peer_state(struct peer *peer)
{
	return peer->state;
}

void *peer_shared(struct peer *peer)
{
	return peer->channel->settings.shared;
}

struct doca_comch_connection *peer_connection(struct peer *peer)
{
	return peer->connection;
}

bool peer_is_client(const struct peer *peer)
{
	return peer->channel->client != NULL;
}

bool peer_is_leaving(const struct peer *peer)
{
	return peer->leaving;
}

uint32_t peer_max_message(const struct peer *peer)
{
	return peer->channel->max_message;
}

void peer_touch(struct peer *peer)
{
	peer->touched = true;
}

void peer_complete(struct peer *peer)
{
	peer->complete = true;
}

void peer_leave(struct peer *peer)
{
	peer->complete = true;
	peer->leaving = true;
	peer->touched = true;
}

void peer_fail(struct peer *peer)
{
	peer->failed = true;
	peer_leave(peer);
}

static doca_error_t try_to_send(struct peer *peer, const void *bytes, uint32_t len)
{
	struct channel *channel = peer->channel;
	union doca_data user_data = { .ptr = peer };
	struct doca_comch_task_send *task;
	doca_error_t result;

	if (channel->server != NULL)
		result = doca_comch_server_task_send_alloc_init(channel->server, peer->connection, bytes, len, &task);
	else
		result = doca_comch_client_task_send_alloc_init(channel->client, peer->connection, bytes, len, &task);
	if (result != DOCA_SUCCESS)
		return result;
	doca_task_set_user_data(doca_comch_task_send_as_task(task), user_data);
	result = doca_task_submit(doca_comch_task_send_as_task(task));
	if (result == DOCA_SUCCESS)
		peer->sending++;
	else
		doca_task_free(doca_comch_task_send_as_task(task));
	return result;
}

bool peer_send(struct peer *peer, const void *bytes, uint32_t len)
{
	doca_error_t result = DOCA_ERROR_AGAIN;

	if (peer->connection == NULL || peer->failed)
		return false; /* the peer is already ending */
	if (peer->late_len == 0)
		result = try_to_send(peer, bytes, len);
	if ((result == DOCA_ERROR_AGAIN || result == DOCA_ERROR_NO_MEMORY) && peer->late_len == 0 &&
	    len <= peer->channel->max_message) {
		memcpy(peer->late, bytes, len);
		peer->late_len = len;
		return true;
	}
	if (!report(result, "doca_comch_task_send", "message of %u bytes of \"%s\"", len, peer->channel->settings.name))
		peer_fail(peer);
	return result == DOCA_SUCCESS;
}

static void send_late(struct peer *peer)
{
	uint32_t len = peer->late_len;

	peer->late_len = 0;
	if (peer->connection != NULL && !peer->failed)
		peer_send(peer, peer->late, len);
}

/* Reports a peer that disconnected too early, or never connected. */
static void report_early_end(struct peer *peer)
{
	const char *name = peer->channel->settings.name;

	if (peer->complete)
		return;
	if (!peer->opened)
		report(DOCA_ERROR_NOT_CONNECTED, "doca_ctx_start", "no server \"%s\" on this function, or it refuses", name);
	else
		report(DOCA_ERROR_CONNECTION_RESET, "comch connection", "the %s of \"%s\" is gone before the end",
		       peer_is_client(peer) ? "server" : "client", name);
	peer->failed = true;
}

static void notice_time_out(struct peer *peer)
{
	const struct engine *engine = peer->channel->settings.engine;

	if (peer->touched) {
		peer->touched = false;
		peer->since_ns = engine->now_ns;
	}
	if (!engine_is_late(engine, peer->since_ns))
		return;
	report(DOCA_ERROR_TIME_OUT, "comch connection", "no headway with the %s of \"%s\" for %llu s",
	       peer_is_client(peer) ? "server" : "client", peer->channel->settings.name,
	       (unsigned long long)(engine->timeout_ns / 1000000000u));
	peer->stuck = peer->leaving;
	peer_fail(peer);
}

/* A client's connection ends with its context; a server's connection ends when its messages are sent. */
static bool disconnect(struct peer *peer)
{
	union doca_data nobody = { .ptr = NULL };
	doca_error_t result;

	if (peer->gone || peer->connection == NULL || peer_is_client(peer))
		return true;
	result = doca_comch_server_disconnect(peer->channel->server, peer->connection);
	if (result == DOCA_ERROR_AGAIN || result == DOCA_ERROR_IN_USE)
		return false;
	report(result, "doca_comch_server_disconnect", "client of \"%s\"", peer->channel->settings.name);
	if (result != DOCA_SUCCESS)
		doca_comch_connection_set_user_data(peer->connection, nobody);
	peer->connection = NULL;
	return true;
}

bool peer_turn(struct peer *peer)
{
	const struct role *role = peer->channel->settings.role;

	if (peer->late_len > 0) {
		peer->channel->eager = true;
		send_late(peer);
	}
	/* Tasks in flight may still complete the work: the result is known when none is left. */
	if (peer->gone && !peer->leaving) {
		peer->leaving = true;
		peer->touched = true;
	}
	notice_time_out(peer);
	if (!peer->leaving) {
		if (role->turn != NULL && peer->opened)
			peer->channel->eager |= role->turn(peer);
		return false;
	}
	if (!peer->closed)
		peer->closed = !peer->opened || role->closed == NULL || role->closed(peer);
	if (!peer->closed || peer->sending > 0 || (peer->late_len > 0 && peer->connection != NULL && !peer->failed) ||
	    !disconnect(peer))
		return false;
	report_early_end(peer);
	return true;
}
