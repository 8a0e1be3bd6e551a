/*
 * What the parts of a channel share: channel.c is its life, peer.c that of a connection, peer_event.c what the library calls.
 */
#ifndef CHANNEL_INSIDE_H
#define CHANNEL_INSIDE_H

#include <stdalign.h>

#include "channel.h"

struct peer {
	struct channel *channel;
	struct peer *next;
	struct doca_comch_connection *connection; /* NULL: not connected yet, or gone */
	uint64_t since_ns;			  /* begin of the time-out */
	uint32_t sending;			  /* messages in flight */
	uint32_t late_len;			  /* of a message that waits for room; 0: none */
	uint8_t *late;				  /* max_message bytes */
	bool touched;
	bool opened;
	bool complete; /* the other side may leave */
	bool leaving;
	bool gone; /* the other side has left */
	bool failed;
	bool closed; /* the role has nothing left */
	bool stuck;  /* it will not end by itself; that of the context ends it */
	alignas(max_align_t) uint8_t state[];
};

struct channel {
	struct channel_settings settings;
	struct doca_comch_server *server; /* one of both */
	struct doca_comch_client *client;
	struct doca_ctx *ctx;
	struct peer *peers;
	uint32_t max_message;
	uint64_t ended;
	uint64_t failed;
	uint64_t ending_since_ns; /* 0: not ending */
	bool eager;
	bool broken; /* something of the channel itself failed, and was printed */
};

/** A connection of the channel's, at the head of its list. NULL: no memory; printed. */
struct peer *peer_add(struct channel *channel);
/** The connection is there. */
void peer_open(struct peer *peer, struct doca_comch_connection *connection);
/** One turn. Returns whether nothing is left of it, so that it may be freed. */
bool peer_turn(struct peer *peer);
void peer_free(struct peer *peer);

/** Register for everything, with num_sends messages in flight at most. False on failure; printed. */
bool channel_register(struct channel *channel, uint32_t num_sends);

#endif
