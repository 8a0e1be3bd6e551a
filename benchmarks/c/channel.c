#include "channel_inside.h"

#include <stdlib.h>

#include <doca_ctx.h>
#include <doca_pe.h>

#include "report.h"

/* Maximum number of messages in flight: a server serves many clients, a client sends one message at a time. */
enum { SERVER_SENDS = 1024, CLIENT_SENDS = 16 };

static const char *side_of(const struct channel *channel)
{
	return channel->server != NULL ? "server" : "client";
}

static struct channel *new_channel(const struct channel_settings *settings)
{
	struct channel *channel = calloc(1, sizeof(*channel));

	if (channel == NULL)
		report(DOCA_ERROR_NO_MEMORY, "calloc", "\"%s\"", settings->name);
	else
		channel->settings = *settings;
	return channel;
}

static bool connect_engine(struct channel *channel)
{
	return report(doca_pe_connect_ctx(channel->settings.engine->pe, channel->ctx), "doca_pe_connect_ctx", "%s \"%s\"",
		      side_of(channel), channel->settings.name);
}

struct channel *channel_serve(const struct channel_settings *settings)
{
	struct channel *channel = new_channel(settings);

	if (channel == NULL)
		return NULL;
	if (report(doca_comch_server_create(settings->dev, settings->rep, settings->name, &channel->server),
		   "doca_comch_server_create", "server \"%s\"", settings->name)) {
		channel->ctx = doca_comch_server_as_ctx(channel->server);
		if (connect_engine(channel) && channel_register(channel, SERVER_SENDS) &&
		    report(doca_comch_server_get_max_msg_size(channel->server, &channel->max_message),
			   "doca_comch_server_get_max_msg_size", "server \"%s\"", settings->name) &&
		    report(doca_ctx_start(channel->ctx), "doca_ctx_start", "server \"%s\"", settings->name))
			return channel;
	}
	channel_close(channel);
	return NULL;
}

static bool start_client(struct channel *channel)
{
	doca_error_t result = doca_ctx_start(channel->ctx);

	return result == DOCA_ERROR_IN_PROGRESS ||
	       report(result, "doca_ctx_start", "client of \"%s\"", channel->settings.name);
}

struct channel *channel_connect(const struct channel_settings *settings)
{
	struct channel *channel = new_channel(settings);

	if (channel == NULL)
		return NULL;
	if (report(doca_comch_client_create(settings->dev, settings->name, &channel->client), "doca_comch_client_create",
		   "client of \"%s\"", settings->name)) {
		channel->ctx = doca_comch_client_as_ctx(channel->client);
		if (connect_engine(channel) && channel_register(channel, CLIENT_SENDS) &&
		    report(doca_comch_client_get_max_msg_size(channel->client, &channel->max_message),
			   "doca_comch_client_get_max_msg_size", "client of \"%s\"", settings->name) &&
		    peer_add(channel) != NULL && start_client(channel))
			return channel;
	}
	channel_close(channel);
	return NULL;
}

void channel_end(struct channel *channel)
{
	struct peer *peer;

	if (channel->ending_since_ns == 0)
		channel->ending_since_ns = engine_clock_ns();
	for (peer = channel->peers; peer != NULL; peer = peer->next)
		if (!peer->leaving)
			peer_leave(peer);
}

/* Runs one turn of each peer. Returns whether all remaining peers are stuck. */
static bool turn_peers(struct channel *channel)
{
	struct peer **at = &channel->peers;
	bool over = true;

	channel->eager = false;
	while (*at != NULL) {
		struct peer *peer = *at;
		bool was_stuck = peer->stuck;
		bool ends = !was_stuck && peer_turn(peer);

		over = over && (ends || peer->stuck);
		if (!was_stuck && (ends || peer->stuck)) {
			channel->ended++;
			channel->failed += peer->failed;
		}
		/* A client's peer stays, for the events of its context. */
		if (ends && channel->server != NULL) {
			*at = peer->next;
			peer_free(peer);
			continue;
		}
		peer->stuck = peer->stuck || ends;
		at = &peer->next;
	}
	return over;
}

bool channel_turn(struct channel *channel)
{
	const struct engine *engine = channel->settings.engine;

	if (!turn_peers(channel))
		return false;
	if (channel->ending_since_ns == 0) {
		if (channel->server != NULL)
			return false;
		channel->ending_since_ns = engine_clock_ns();
	}
	if (engine_stops(channel->ctx))
		return true;
	if (!engine_is_late(engine, channel->ending_since_ns))
		return false;
	channel->broken = !report(DOCA_ERROR_TIME_OUT, "doca_ctx_stop", "%s \"%s\"", side_of(channel), channel->settings.name);
	return true;
}

bool channel_is_eager(const struct channel *channel)
{
	return channel->eager;
}

uint64_t channel_ended(const struct channel *channel)
{
	return channel->ended;
}

uint64_t channel_failed(const struct channel *channel)
{
	return channel->failed;
}

bool channel_close(struct channel *channel)
{
	bool clean = !channel->broken && (channel->server != NULL || channel->failed == 0);
	doca_error_t result = DOCA_SUCCESS;

	if (channel->server != NULL)
		result = doca_comch_server_destroy(channel->server);
	else if (channel->client != NULL)
		result = doca_comch_client_destroy(channel->client);
	clean = report(result, "destroy", "%s \"%s\"", side_of(channel), channel->settings.name) && clean;
	while (channel->peers != NULL) {
		struct peer *next = channel->peers->next;

		peer_free(channel->peers);
		channel->peers = next;
	}
	free(channel);
	return clean;
}
