/*
 * Connections over comch: a server with many, or a client with one. A role defines the actions of one end of a connection. The
 * channel handles the differences between servers and clients.
 *
 *	channel_serve() or channel_connect() -> (engine_progress(), channel_turn()) until channel_turn() returns true -> channel_close()
 *
 * One thread, that of the engine. Progress calls the role's opened, received and consumer; channel_turn() calls turn and closed.
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

/** Callbacks of one end of a connection. All except opened may be NULL. */
struct role {
	size_t state_bytes; /* memory of the role for each connection, initially zero */
	/** The connection is established. */
	void (*opened)(struct peer *peer);
	/** A message arrived; bytes are valid until this function returns. */
	void (*received)(struct peer *peer, const uint8_t *bytes, uint32_t len);
	/** The peer has created a consumer. */
	void (*consumer)(struct peer *peer, uint32_t id);
	/** Called once per channel_turn(). Returns whether the role must retry an operation soon. */
	bool (*turn)(struct peer *peer);
	/**
	 * The connection is ending, or has ended. Releases the role's resources on it in steps: called again until it returns
	 * true.
	 */
	bool (*closed)(struct peer *peer);
};

struct channel_settings {
	struct engine *engine;
	struct doca_dev *dev;
	struct doca_dev_rep *rep; /* for servers */
	const char *name;	  /* name of the service */
	const struct role *role;
	void *shared; /* state shared by all connections */
};

/** Starts a server. On failure prints an error and returns NULL. */
struct channel *channel_serve(const struct channel_settings *settings);
/** Starts a client, which then connects. On failure prints an error and returns NULL. */
struct channel *channel_connect(const struct channel_settings *settings);
/**
 * Runs one turn. Returns whether the channel has ended: the client has disconnected, or channel_end() was called and all is
 * closed.
 */
bool channel_turn(struct channel *channel);
/** Returns whether a role needs its next turn soon. */
bool channel_is_eager(const struct channel *channel);
/** Ends all connections, and then the channel. */
void channel_end(struct channel *channel);
/** Returns the number of ended connections, and of the failed ones among them. */
uint64_t channel_ended(const struct channel *channel);
uint64_t channel_failed(const struct channel *channel);
/** Frees the channel. On failure prints an error and returns false; also returns false if a client's connection failed. */
bool channel_close(struct channel *channel);

/** Returns the role's memory. */
void *peer_state(struct peer *peer);
/** Returns the state shared by all connections of the channel. */
void *peer_shared(struct peer *peer);
struct doca_comch_connection *peer_connection(struct peer *peer);
bool peer_is_client(const struct peer *peer);
bool peer_is_leaving(const struct peer *peer);
/** Returns the maximum message size in bytes. */
uint32_t peer_max_message(const struct peer *peer);

/**
 * Sends a message, in a later turn if the device has no room now. Returns false if the message cannot be sent; the peer has then
 * failed.
 */
bool peer_send(struct peer *peer, const void *bytes, uint32_t len);
/** Reports progress: the time-out starts again. */
void peer_touch(struct peer *peer);
/** Reports that all work is done, and that the peer may disconnect. */
void peer_complete(struct peer *peer);
/** Disconnects because all work is done. */
void peer_leave(struct peer *peer);
/** Disconnects after an error, which was printed. */
void peer_fail(struct peer *peer);

#endif
