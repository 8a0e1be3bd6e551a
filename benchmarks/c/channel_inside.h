/*
 * Internals of a channel: channel.c handles the channel's life, peer.c a connection's life, peer_event.c the library's callbacks.
 */
#ifndef CHANNEL_INSIDE_H
#define CHANNEL_INSIDE_H

#include <stdalign.h>

#include "channel.h"

struct peer {
	struct channel *channel;
	struct peer *next;
	struct doca_comch_connection *connection; /* NULL: not connected yet, or disconnected */
	uint64_t since_ns;			  /* begin of the time-out */
	uint32_t sending;			  /* messages in flight */
	uint32_t late_len;			  /* length of a message that waits for room; 0: none */
	uint8_t *late;				  /* max_message bytes */
	bool touched;
	bool opened;
	bool complete; /* the other side may disconnect */
	bool leaving;
	bool gone; /* the other side has disconnected */
	bool failed;
	bool closed; /* the role has released everything */
	bool stuck;  /* only the end of the context can end it */
	alignas(max_align_t) uint8_t state[];
};

struct channel {
	struct channel_settings settings;
	struct doca_comch_server *server; /* NULL for a client */
	struct doca_comch_client *client;
	struct doca_ctx *ctx;
	struct peer *peers;
	uint32_t max_message;
	uint64_t ended;
	uint64_t failed;
	uint64_t ending_since_ns; /* 0: not ending */
	bool eager;
	bool broken; /* the channel itself failed; the error was printed */
};

/** Adds a connection at the head of the channel's list. Without memory prints an error and returns NULL. */
struct peer *peer_add(struct channel *channel);
/** Notes that the connection is established. */
void peer_open(struct peer *peer, struct doca_comch_connection *connection);
/** Runs one turn. Returns whether all its resources are released, so that it may be freed. */
bool peer_turn(struct peer *peer);
void peer_free(struct peer *peer);

/** Registers all callbacks, with at most num_sends messages in flight. On failure prints an error and returns false. */
bool channel_register(struct channel *channel, uint32_t num_sends);

#endif
