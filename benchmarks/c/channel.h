/*
 * Connections over comch: a server with many, or a client with one. What an end of a connection does is a role; whether it is the
 * server's or the client's end is the channel's affair.
 *
 *	channel_serve() or channel_connect() -> (engine_progress(), channel_turn()) until channel_turn() returns true -> channel_close()
 *
 * One thread, that of the engine. Roles are called from progress (opened, received, consumer) and from channel_turn() (turn, closed).
 */
#ifndef CHANNEL_H
#define CHANNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_comch.h>
#include <doca_dev.h>

#include "engine.h"

struct channel;
struct peer;

/** What one end of a connection does. All but opened may be NULL. */
struct role {
	size_t state_bytes; /* memory of the role's own per connection, zero at first */
	/** The connection is there. */
	void (*opened)(struct peer *peer);
	/** A message, valid until this returns. */
	void (*received)(struct peer *peer, const uint8_t *bytes, uint32_t len);
	/** The other side has a consumer. */
	void (*consumer)(struct peer *peer, uint32_t id);
	/** Once per channel_turn(). Whether something is to be tried again soon. */
	bool (*turn)(struct peer *peer);
	/** The connection ends, or is gone already: one step of giving back what the role has on it, repeated until it returns true. */
	bool (*closed)(struct peer *peer);
};

struct channel_settings {
	struct engine *engine;
	struct doca_dev *dev;
	struct doca_dev_rep *rep; /* for servers */
	const char *name;	  /* of the service */
	const struct role *role;
	void *shared; /* what all connections use */
};

/** A server that runs. NULL on failure, which was printed. */
struct channel *channel_serve(const struct channel_settings *settings);
/** A client that is about to connect. NULL on failure; printed. */
struct channel *channel_connect(const struct channel_settings *settings);
/** One turn. Returns whether the channel is over: the client has left, or the server was told to end and has. */
bool channel_turn(struct channel *channel);
/** Whether a role wants its next turn soon. */
bool channel_is_eager(const struct channel *channel);
/** Let all connections end, and then the channel. */
void channel_end(struct channel *channel);
/** Connections that have ended, and those among them that failed. */
uint64_t channel_ended(const struct channel *channel);
uint64_t channel_failed(const struct channel *channel);
/** Give everything back. False when something would not go (printed) or, for a client, when its connection failed. */
bool channel_close(struct channel *channel);

/** The role's memory. */
void *peer_state(struct peer *peer);
/** What all connections of the channel use. */
void *peer_shared(struct peer *peer);
struct engine *peer_engine(struct peer *peer);
struct doca_comch_connection *peer_connection(struct peer *peer);
bool peer_is_client(const struct peer *peer);
bool peer_is_leaving(const struct peer *peer);
/** Largest message in bytes. */
uint32_t peer_max_message(const struct peer *peer);

/** Send a message; when the device has no room for it now, it goes in a later turn. False when it cannot be sent; the peer has failed. */
bool peer_send(struct peer *peer, const void *bytes, uint32_t len);
/** Something was achieved: the time-out begins anew. */
void peer_touch(struct peer *peer);
/** All is done, the other side may leave. */
void peer_complete(struct peer *peer);
/** All is done, leave. */
void peer_leave(struct peer *peer);
/** Leave, since something failed that was printed. */
void peer_fail(struct peer *peer);

#endif
