/* A server and a client, each on a separate bridge or both on one, and the state from their records. */
#ifndef COMCH_PAIR_H
#define COMCH_PAIR_H

#include "comch_rings.h"

#ifdef HAS_SOFTDPU
enum { SERVER_DATA = 0x5e, CLIENT_DATA = 0xc1, EXCHANGED = 500, CELLS = 4 };

/* State from the records of both sides. */
static struct {
	uint32_t num_connected, num_disconnected;
	uint32_t connection;			/* the server's handle */
	uint32_t client_connection;		/* the handle in the client's messages */
	uint32_t server_state, client_state;
	uint32_t server_next, client_next;	/* numbers of the next messages to receive */
	uint32_t num_sent[2], num_failed[2];	/* by sender: 0 server, 1 client */
	uint32_t num_refused;
	int32_t last_refusal;
	uint64_t refused[SUBMISSIONS];
	uint32_t num_new, num_expired;		/* consumers reported to the server */
	uint32_t new_consumer, expired_consumer;
} seen;

COMCH_RINGS uint32_t len_of(uint32_t number)
{
	return 4 + number * 97 % (MESSAGE - 20);
}

COMCH_RINGS void fill(uint8_t *bytes, uint32_t number)
{
	uint32_t i;

	memcpy(bytes, &number, 4);
	for (i = 4; i < len_of(number); i++)
		bytes[i] = (uint8_t)(number + i);
}

COMCH_RINGS void check_message(const struct dpubridge_record *record, const uint8_t *bytes)
{
	static uint8_t wanted[MESSAGE];
	uint32_t number = record->user_data == SERVER_DATA ? seen.server_next++ : seen.client_next++;

	CHECK_EQ(record->status, 0);
	CHECK_EQ(record->produced, len_of(number));
	fill(wanted, number);
	CHECK(memcmp(bytes, wanted, len_of(number)) == 0);
	if (record->user_data == SERVER_DATA)
		CHECK_EQ(record->states, seen.connection);
	else
		seen.client_connection = record->states;
}

COMCH_RINGS void take_unsolicited(const struct dpubridge_record *record, const uint8_t *bytes)
{
	switch (record->type) {
	case DPUBRIDGE_RECORD_CONTEXT_STATE:
		if (record->user_data == SERVER_DATA)
			seen.server_state = record->states & 0xffff;
		else
			seen.client_state = record->states & 0xffff;
		break;
	case DPUBRIDGE_RECORD_CONNECTED:
		CHECK_EQ(record->user_data, SERVER_DATA);
		CHECK_EQ(record->status, 0);
		seen.connection = record->states;
		seen.num_connected++;
		break;
	case DPUBRIDGE_RECORD_DISCONNECTED:
		CHECK_EQ(record->user_data, SERVER_DATA);
		CHECK_EQ(record->states, seen.connection);
		seen.num_disconnected++;
		break;
	case DPUBRIDGE_RECORD_CONSUMER_NEW:
		CHECK_EQ(record->user_data, SERVER_DATA);
		CHECK_EQ(record->states, seen.connection);
		seen.new_consumer = (uint32_t)record->produced;
		seen.num_new++;
		break;
	case DPUBRIDGE_RECORD_CONSUMER_EXPIRED:
		CHECK_EQ(record->states, seen.connection);
		seen.expired_consumer = (uint32_t)record->produced;
		seen.num_expired++;
		break;
	default:
		CHECK_EQ(record->type, DPUBRIDGE_RECORD_MESSAGE);
		check_message(record, bytes);
	}
}

COMCH_RINGS void take(const struct dpubridge_record *record, const uint8_t *bytes)
{
	uint32_t sender = record->kind == DPUBRIDGE_KIND_COMCH_CLIENT_SEND;

	switch (record->type) {
	case DPUBRIDGE_RECORD_TASK_DONE:
		CHECK_EQ(record->produced, 0);
		seen.num_sent[sender]++;
		break;
	case DPUBRIDGE_RECORD_TASK_FAILED:
		seen.num_failed[sender]++;
		break;
	case DPUBRIDGE_RECORD_REFUSED:
		seen.refused[seen.num_refused++ % SUBMISSIONS] = record->user_data;
		seen.last_refusal = record->status;
		break;
	default:
		take_unsolicited(record, bytes);
	}
}

struct pair {
	struct rings first, second;
	struct rings *server_rings, *client_rings;
	struct control server, client;
	uint32_t client_connection;
};

COMCH_RINGS void connect_client(struct pair *pair)
{
	uint32_t none, num_connected = seen.num_connected;

	CHECK_EQ(dpubridge_comch_connection(pair->client_rings->bridge, pair->client.handle, &none), DOCA_ERROR_BAD_STATE);
	CHECK_EQ(doca_ctx_start(pair->client.ctx), DOCA_ERROR_IN_PROGRESS);
	AWAIT(pair->server_rings, pair->client_rings,
	      seen.client_state == DOCA_CTX_STATE_RUNNING && seen.num_connected > num_connected);
	pair->client_connection = control_connection(&pair->client);
	CHECK_EQ(control_connection(&pair->client), pair->client_connection);
	CHECK(dpubridge_connection_pointer(pair->client_rings->bridge, pair->client_connection) != NULL);
	CHECK(dpubridge_connection_pointer(pair->server_rings->bridge, seen.connection) != NULL);
}

COMCH_RINGS void open_pair(struct pair *pair, uint8_t is_shared)
{
	memset(&seen, 0, sizeof(seen));
	rings_open(&pair->first, CELLS, take);
	pair->server_rings = pair->client_rings = &pair->first;
	if (!is_shared) {
		rings_open(&pair->second, CELLS, take);
		pair->client_rings = &pair->second;
	}
	control_open_server(&pair->server, pair->server_rings, "bridge", SERVER_DATA);
	control_open_client(&pair->client, pair->client_rings, "bridge", CLIENT_DATA);
	CHECK_EQ(doca_ctx_start(pair->server.ctx), DOCA_SUCCESS);
	connect_client(pair);
}

COMCH_RINGS void close_pair(struct pair *pair)
{
	control_close(&pair->client, pair->server_rings);
	control_close(&pair->server, NULL);
	CHECK(dpubridge_connection_pointer(pair->client_rings->bridge, pair->client_connection) == NULL);
	CHECK(dpubridge_connection_pointer(pair->server_rings->bridge, seen.connection) == NULL);
	rings_close(&pair->first);
	if (pair->client_rings == &pair->second)
		rings_close(&pair->second);
	check_nothing_is_left();
}

/* Offers more sends than there are tasks. The refused ones are the last, in order; the next turn offers them again. */
COMCH_RINGS void offer(struct control *control, uint32_t connection, uint32_t *next)
{
	static uint8_t bytes[2][SUBMISSIONS][MESSAGE];
	uint32_t sender = control->client != NULL, before = seen.num_refused, accepted, i;

	for (i = 0; i < 12 && *next + i < EXCHANGED; i++) {
		uint8_t *message = bytes[sender][(*next + i) % SUBMISSIONS];

		fill(message, *next + i);
		control_send(control, connection, *next + i, message, len_of(*next + i));
	}
	rings_turn(control->rings);
	accepted = i - (seen.num_refused - before);
	for (i = 0; before + i < seen.num_refused; i++)
		CHECK_EQ(seen.refused[(before + i) % SUBMISSIONS], *next + accepted + i);
	CHECK(i == 0 || seen.last_refusal == DOCA_ERROR_NO_MEMORY);
	*next += accepted;
}

COMCH_RINGS void exchange(struct pair *pair)
{
	uint64_t start = now_s();
	uint32_t from_server = 0, from_client = 0;

	while (seen.server_next < EXCHANGED || seen.client_next < EXCHANGED) {
		offer(&pair->server, seen.connection, &from_server);
		offer(&pair->client, pair->client_connection, &from_client);
		CHECK(now_s() - start < TIMEOUT_S);
	}
	AWAIT(pair->server_rings, pair->client_rings, seen.num_sent[0] == EXCHANGED && seen.num_sent[1] == EXCHANGED);
	CHECK(seen.num_refused > 0);
	CHECK_EQ(seen.num_failed[0] + seen.num_failed[1], 0);
	CHECK_EQ(seen.client_connection, pair->client_connection);
}

#endif

#endif
