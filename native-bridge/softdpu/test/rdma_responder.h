/*
 * The responder of an RDMA test: a context with memory, an event and connections, which obeys orders, one at a time. The
 * responder may be another process: the test program, started again, which blocks without progress between the orders. See
 * rdma_process.h.
 */
#ifndef RDMA_RESPONDER_H
#define RDMA_RESPONDER_H

#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "flat.h"
#include "rdma.h"

enum { RESPONDER_SOCKET = 3, RESPONDER_LIMIT_MS = RIG_LIMIT_S * 1000, RESPONDER_ROOM = 4096 };

enum responder_order {
	RESPONDER_EXPORT,			/* exports a connection; details, map, event and address are the answer */
	RESPONDER_CONNECT,			/* connects it to the given details */
	RESPONDER_POST,				/* posts receive tasks with room for len bytes each, from the given offset on */
	RESPONDER_RECEIVE,			/* progresses until count tasks were received; the last message is the answer */
	RESPONDER_SEND,				/* sends len bytes from the given offset, and waits */
	RESPONDER_EXCHANGE,			/* sends count messages of len bytes from the given offset, and waits for as many */
	RESPONDER_FILL,				/* fills the memory from the seed */
	RESPONDER_CHECK,			/* counts the bytes in [offset, offset + len) that differ from the seed's */
	RESPONDER_WAIT_EVENT,			/* blocks until the event is greater than count */
	RESPONDER_STOP_MAP,
	RESPONDER_EXPORT_MAP_AGAIN,		/* stops, starts and exports the map: it has another key */
	RESPONDER_GET_EVENT,			/* counts the value of the event */
	RESPONDER_STOP_EVENT,			/* destroys the event */
	RESPONDER_DISCONNECT,
	RESPONDER_STOP,				/* stops the context, and answers the number of failed receive tasks */
	RESPONDER_BEGIN_FLAT,			/* records the resources of the process */
	RESPONDER_CHECK_FLAT,			/* checks that it has no more */
	RESPONDER_CLOSE,			/* closes everything; the next export opens it again */
	RESPONDER_QUIT,
	RESPONDER_RETURN,			/* ends responder_obey_in_callback(); the answer is that of the first export */
};

struct responder_message {
	enum responder_order order;
	uint64_t count, offset, len, seed;
	doca_error_t result;
	size_t details_len, map_len, event_len;
	uint8_t details[256], map[256], event[256];
	enum doca_rdma_opcode opcode;
	uint32_t immediate;
	uint64_t addr;
	uint32_t map_permissions, context_permissions;
	enum doca_rdma_transport_type transport;
	uint8_t is_by_last;			/* RESPONDER_RECEIVE: the receive task names the last exported connection */
};

RIG uint8_t responder_byte(size_t i, uint64_t seed)
{
	return (uint8_t)((i * 31 + seed) ^ (i >> 8));
}

RIG void responder_receive_message(int socket, struct responder_message *message)
{
	struct pollfd wait = { .fd = socket, .events = POLLIN };

	CHECK(poll(&wait, 1, RESPONDER_LIMIT_MS) == 1);
	CHECK(recv(socket, message, sizeof(*message), 0) == sizeof(*message));
}

struct responder_state {
	struct rdma_pair pair;
	struct rdma_side *side;
	struct doca_rdma_connection *connection;
	struct doca_buf *rooms[RDMA_TASKS];
	int num_rooms;
	struct flat before;
	struct responder_message *opening;	/* the order that opens everything */
};

/* State callback of the context; NULL: none. */
RIG doca_ctx_state_changed_callback_t responder_state_changed;

RIG void responder_export_map(struct responder_state *state, struct responder_message *message)
{
	const void *desc;

	CHECK_OK(doca_mmap_export_rdma(state->side->map, state->side->dev, &desc, &message->map_len));
	memcpy(message->map, desc, message->map_len);
}

RIG void responder_open(struct responder_state *state, struct responder_message *message)
{
	const uint8_t *data;

	state->side = &state->pair.responder;
	rdma_side_open(state->side, "81:00.0", message->map_permissions);
	CHECK_OK(doca_rdma_set_permissions(state->side->rdma, message->context_permissions));
	CHECK_OK(doca_rdma_set_transport_type(state->side->rdma, message->transport));
	responder_export_map(state, message);
	CHECK_OK(doca_sync_event_create(&state->pair.event));
	CHECK_OK(doca_sync_event_add_publisher_location_remote_net(state->pair.event));
	CHECK_OK(doca_sync_event_add_subscriber_location_cpu(state->pair.event, state->side->dev));
	CHECK_OK(doca_sync_event_start(state->pair.event));
	CHECK_OK(doca_sync_event_export_to_remote_net(state->pair.event, &data, &message->event_len));
	memcpy(message->event, data, message->event_len);
	message->addr = (uintptr_t)state->side->memory;
	state->opening = message;
	if (responder_state_changed != NULL)
		CHECK_OK(doca_ctx_set_state_changed_cb(state->side->ctx, responder_state_changed));
	CHECK_OK(doca_ctx_start(state->side->ctx));
}

RIG void responder_export(struct responder_state *state, struct responder_message *message)
{
	const void *details;

	if (state->side == NULL)
		responder_open(state, message);
	CHECK_OK(doca_rdma_export(state->side->rdma, &details, &message->details_len, &state->connection));
	CHECK(message->details_len <= sizeof(message->details));
	memcpy(message->details, details, message->details_len);
}

RIG void responder_post(struct responder_state *state, const struct responder_message *message)
{
	for (uint64_t i = 0; i < message->count; i++) {
		struct doca_buf *room = NULL;

		if (message->len > 0) {
			CHECK(state->num_rooms < RDMA_TASKS);
			room = rdma_room(state->side, message->offset + i * message->len, message->len);
			state->rooms[state->num_rooms++] = room;
		}
		rdma_post(state->side, room, i);
	}
}

RIG void responder_send(struct responder_state *state, struct responder_message *message)
{
	struct rdma_pair pair = { .requester = *state->side };
	struct doca_buf *buf;
	int ended = state->side->completed + state->side->failed;

	CHECK_OK(doca_buf_inventory_buf_get_by_data(state->side->inventory, state->side->map,
						    state->side->memory + message->offset, message->len, &buf));
	rdma_submit(&pair, RDMA_SEND, state->connection, buf, NULL, 0);
	RIG_PROGRESS_UNTIL(state->side->pe, state->side->completed + state->side->failed > ended);
	message->result = state->side->last_status;
	rig_drop(buf);
}

/* Sends many messages from one side, and progresses until as many have arrived. */
RIG void responder_exchange(struct rdma_side *side, struct doca_rdma_connection *connection,
			    const struct responder_message *message)
{
	struct doca_buf *bufs[RDMA_TASKS];
	struct rdma_pair pair;
	int ended = side->completed + side->failed + (int)message->count, received = side->received + (int)message->count;

	for (uint64_t i = 0; i < message->count; i++) {
		CHECK_OK(doca_buf_inventory_buf_get_by_data(side->inventory, side->map,
							    side->memory + message->offset + i * message->len, message->len,
							    &bufs[i]));
		pair.requester = *side;
		rdma_submit(&pair, RDMA_SEND, connection, bufs[i], NULL, i);
	}
	RIG_PROGRESS_UNTIL(side->pe, side->completed + side->failed == ended && side->received == received);
	for (uint64_t i = 0; i < message->count; i++)
		rig_drop(bufs[i]);
}

/*
 * The other process orders the accesses of its device and of this program, by means that a sanitizer cannot see. The kernel
 * therefore copies between the memory and a buffer.
 */
RIG void responder_copy(const struct responder_state *state, uint8_t *bytes, size_t offset, size_t len, int is_write)
{
	struct iovec here = { bytes, len }, there = { state->side->memory + offset, len };

	CHECK_EQ((is_write ? process_vm_writev : process_vm_readv)(getpid(), &here, 1, &there, 1, 0), (ssize_t)len);
}

RIG void responder_fill(const struct responder_state *state, uint64_t seed)
{
	uint8_t *bytes = malloc(RDMA_MEMORY);

	CHECK(bytes != NULL);
	for (size_t i = 0; i < RDMA_MEMORY; i++)
		bytes[i] = responder_byte(i, seed);
	responder_copy(state, bytes, 0, RDMA_MEMORY, 1);
	free(bytes);
}

RIG void responder_check(const struct responder_state *state, struct responder_message *message)
{
	uint8_t *bytes = malloc(message->len);

	CHECK(bytes != NULL);
	responder_copy(state, bytes, message->offset, message->len, 0);
	message->count = 0;
	for (uint64_t i = 0; i < message->len; i++)
		message->count += bytes[i] != responder_byte(message->offset + i, message->seed);
	free(bytes);
}

RIG void responder_close(struct responder_state *state)
{
	if (state->side == NULL)
		return;
	rdma_side_stop(state->side);
	rdma_event_close(&state->pair);
	for (int i = 0; i < state->num_rooms; i++)
		rig_drop(state->rooms[i]);
	rdma_side_close(state->side);
	memset(state, 0, sizeof(*state));
}

RIG void responder_obey(struct responder_state *state, struct responder_message *message)
{
	message->result = DOCA_SUCCESS;
	switch (message->order) {
	case RESPONDER_EXPORT:
		responder_export(state, message);
		break;
	case RESPONDER_CONNECT:
		message->result = doca_rdma_connect(state->side->rdma, message->details, message->details_len, state->connection);
		break;
	case RESPONDER_POST:
		responder_post(state, message);
		break;
	case RESPONDER_RECEIVE:
		RIG_PROGRESS_UNTIL(state->side->pe, state->side->received >= (int)message->count);
		message->opcode = state->side->message.opcode;
		message->immediate = state->side->message.immediate;
		message->len = state->side->message.len;
		message->is_by_last = state->side->message.connection == state->connection;
		break;
	case RESPONDER_SEND:
		responder_send(state, message);
		break;
	case RESPONDER_EXCHANGE:
		responder_exchange(state->side, state->connection, message);
		break;
	case RESPONDER_FILL:
		responder_fill(state, message->seed);
		break;
	case RESPONDER_CHECK:
		responder_check(state, message);
		break;
	case RESPONDER_WAIT_EVENT:
		CHECK_OK(doca_sync_event_wait_gt(state->pair.event, message->count, UINT64_MAX));
		break;
	case RESPONDER_STOP_MAP:
		message->result = doca_mmap_stop(state->side->map);
		break;
	case RESPONDER_EXPORT_MAP_AGAIN:
		CHECK_OK(doca_mmap_stop(state->side->map));
		CHECK_OK(doca_mmap_start(state->side->map));
		responder_export_map(state, message);
		break;
	case RESPONDER_GET_EVENT:
		CHECK_OK(doca_sync_event_get(state->pair.event, &message->count));
		break;
	case RESPONDER_STOP_EVENT:
		rdma_event_close(&state->pair);
		break;
	case RESPONDER_DISCONNECT:
		message->result = doca_rdma_connection_disconnect(state->connection);
		break;
	case RESPONDER_STOP:
		rdma_side_stop(state->side);
		message->count = (uint64_t)state->side->unreceived;
		break;
	case RESPONDER_BEGIN_FLAT:
		state->before = flat_now();
		break;
	case RESPONDER_CHECK_FLAT:
		RIG_PROGRESS_UNTIL(state->side->pe, count_descriptors() <= state->before.descriptors);
		flat_check(state->before);
		break;
	case RESPONDER_CLOSE:
	case RESPONDER_QUIT:
		responder_close(state);
		break;
	case RESPONDER_RETURN:
		CHECK(0); /* no callback runs */
	}
}

RIG void responder_send_answer(const struct responder_message *message)
{
	CHECK(send(RESPONDER_SOCKET, message, sizeof(*message), MSG_NOSIGNAL) == sizeof(*message));
}

/* The state callback of a context that starts obeys orders, as the samples do that block there. */
RIG void responder_obey_in_callback(struct rdma_side *side)
{
	struct responder_state *state = (struct responder_state *)((uint8_t *)side - offsetof(struct responder_state, pair.responder));
	struct responder_message message = *state->opening;

	while (message.order != RESPONDER_RETURN) {
		responder_obey(state, &message);
		responder_send_answer(&message);
		responder_receive_message(RESPONDER_SOCKET, &message);
	}
}

RIG void responder_main(int argc, char **argv)
{
	static struct responder_state state;
	struct responder_message message;

	if (argc < 2 || strcmp(argv[1], "--responder") != 0)
		return;
	do {
		responder_receive_message(RESPONDER_SOCKET, &message);
		responder_obey(&state, &message);
		responder_send_answer(&message);
	} while (message.order != RESPONDER_QUIT);
	rig_check_nothing_is_left();
	exit(0);
}

#endif
