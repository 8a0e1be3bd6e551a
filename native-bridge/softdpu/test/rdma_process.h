/*
 * A second process with an RDMA context, the responder: the test program, started again. It obeys orders, one at a time; between
 * them it blocks without progress. The test's process is the requester. rdma.h has the rest.
 *
 * A test's main() begins with responder_main(argc, argv), which does not return in the second process.
 */
#ifndef RDMA_PROCESS_H
#define RDMA_PROCESS_H

#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rdma.h"

enum { RESPONDER_SOCKET = 3, RESPONDER_LIMIT_MS = 20000, RESPONDER_ROOM = 4096 };

enum responder_order {
	RESPONDER_EXPORT,			/* exports a connection; details, map, event and address are the answer */
	RESPONDER_CONNECT,			/* connects it to the given details */
	RESPONDER_POST,				/* posts receive tasks with room for len bytes each, from the given offset on */
	RESPONDER_RECEIVE,			/* progresses until count tasks were received; the last message is the answer */
	RESPONDER_SEND,				/* sends len bytes from the given offset, and waits */
	RESPONDER_FILL,				/* fills the memory from the seed */
	RESPONDER_CHECK,			/* counts the bytes in [offset, offset + len) that differ from the seed's */
	RESPONDER_WAIT_EVENT,			/* blocks until the event is greater than count */
	RESPONDER_STOP_MAP,
	RESPONDER_DISCONNECT,
	RESPONDER_STOP,				/* stops the context, and answers the number of failed receive tasks */
	RESPONDER_QUIT,
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
};

struct responder {
	pid_t pid;
	int socket;
	struct responder_message answer;
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

/* --- the second process --- */

struct responder_state {
	struct rdma_pair pair;
	struct rdma_side *side;
	struct doca_rdma_connection *connection;
	struct doca_buf *rooms[RDMA_TASKS];
	int num_rooms;
};

RIG void responder_open(struct responder_state *state, struct responder_message *message)
{
	const void *desc;
	const uint8_t *data;

	state->side = &state->pair.responder;
	rdma_side_open(state->side, "81:00.0", message->map_permissions);
	CHECK_OK(doca_rdma_set_permissions(state->side->rdma, message->context_permissions));
	CHECK_OK(doca_ctx_start(state->side->ctx));
	CHECK_OK(doca_mmap_export_rdma(state->side->map, state->side->dev, &desc, &message->map_len));
	memcpy(message->map, desc, message->map_len);
	CHECK_OK(doca_sync_event_create(&state->pair.event));
	CHECK_OK(doca_sync_event_add_publisher_location_remote_net(state->pair.event));
	CHECK_OK(doca_sync_event_add_subscriber_location_cpu(state->pair.event, state->side->dev));
	CHECK_OK(doca_sync_event_start(state->pair.event));
	CHECK_OK(doca_sync_event_export_to_remote_net(state->pair.event, &data, &message->event_len));
	memcpy(message->event, data, message->event_len);
	message->addr = (uintptr_t)state->side->memory;
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

/*
 * The other process orders the accesses of its device and of this program, by means that a sanitizer cannot see. The kernel
 * therefore copies between the memory and a buffer.
 */
RIG void responder_copy(const struct responder_state *state, uint8_t *bytes, int is_write)
{
	struct iovec here = { bytes, RDMA_MEMORY }, there = { state->side->memory, RDMA_MEMORY };

	CHECK_EQ((is_write ? process_vm_writev : process_vm_readv)(getpid(), &here, 1, &there, 1, 0), RDMA_MEMORY);
}

RIG void responder_fill(const struct responder_state *state, uint64_t seed)
{
	static uint8_t bytes[RDMA_MEMORY];

	for (size_t i = 0; i < RDMA_MEMORY; i++)
		bytes[i] = responder_byte(i, seed);
	responder_copy(state, bytes, 1);
}

RIG void responder_check(const struct responder_state *state, struct responder_message *message)
{
	static uint8_t bytes[RDMA_MEMORY];

	responder_copy(state, bytes, 0);
	message->count = 0;
	for (uint64_t i = message->offset; i < message->offset + message->len; i++)
		message->count += bytes[i] != responder_byte(i, message->seed);
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
		break;
	case RESPONDER_SEND:
		responder_send(state, message);
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
	case RESPONDER_DISCONNECT:
		message->result = doca_rdma_connection_disconnect(state->connection);
		break;
	case RESPONDER_STOP:
		rdma_side_stop(state->side);
		message->count = (uint64_t)state->side->unreceived;
		break;
	case RESPONDER_QUIT:
		rdma_side_stop(state->side);
		rdma_event_close(&state->pair);
		for (int i = 0; i < state->num_rooms; i++)
			rig_drop(state->rooms[i]);
		rdma_side_close(state->side);
		rig_check_nothing_is_left();
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
		CHECK(send(RESPONDER_SOCKET, &message, sizeof(message), MSG_NOSIGNAL) == sizeof(message));
	} while (message.order != RESPONDER_QUIT);
	exit(0);
}

/* --- the test's process --- */

RIG void responder_start(struct responder *responder)
{
	int sockets[2];

	CHECK(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, sockets) == 0);
	responder->pid = fork();
	CHECK(responder->pid >= 0);
	if (responder->pid == 0) {
		close(sockets[0]);
		if (sockets[1] != RESPONDER_SOCKET)
			dup2(sockets[1], RESPONDER_SOCKET);
		execl("/proc/self/exe", "responder", "--responder", (char *)NULL);
		_exit(1);
	}
	close(sockets[1]);
	responder->socket = sockets[0];
}

/* Sends an order without waiting for its answer. */
RIG void responder_ask(struct responder *responder, const struct responder_message *order)
{
	CHECK(send(responder->socket, order, sizeof(*order), MSG_NOSIGNAL) == sizeof(*order));
}

RIG const struct responder_message *responder_answer(struct responder *responder)
{
	responder_receive_message(responder->socket, &responder->answer);
	return &responder->answer;
}

#define RESPONDER_DO(responder, ...) \
	({ \
		const struct responder_message responder_order = { __VA_ARGS__ }; \
		responder_ask(responder, &responder_order); \
		responder_answer(responder); \
	})

RIG void responder_quit(struct responder *responder)
{
	int status;

	(void)RESPONDER_DO(responder, .order = RESPONDER_QUIT);
	CHECK(waitpid(responder->pid, &status, 0) == responder->pid);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	close(responder->socket);
}

RIG void responder_kill(struct responder *responder)
{
	CHECK(kill(responder->pid, SIGKILL) == 0);
	CHECK(waitpid(responder->pid, NULL, 0) == responder->pid);
	close(responder->socket);
}

enum responder_order_of_connects { REQUESTER_ONLY, REQUESTER_FIRST, RESPONDER_FIRST };

/* Exports a connection of each process, and connects them. */
RIG void responder_connect(struct rdma_pair *pair, struct responder *responder, uint32_t map_permissions,
			   uint32_t context_permissions, enum responder_order_of_connects order)
{
	struct responder_message message = { .order = RESPONDER_CONNECT };
	const struct responder_message *answer;
	const void *details;

	CHECK_OK(doca_rdma_export(pair->requester.rdma, &details, &message.details_len, &pair->connection));
	memcpy(message.details, details, message.details_len);
	answer = RESPONDER_DO(responder, .order = RESPONDER_EXPORT, .map_permissions = map_permissions,
			      .context_permissions = context_permissions);
	if (pair->remote == NULL) {
		CHECK_OK(doca_mmap_create_from_export(NULL, answer->map, answer->map_len, pair->requester.dev, &pair->remote));
		CHECK_OK(doca_sync_event_remote_net_create_from_export(pair->requester.dev, answer->event, answer->event_len,
								       &pair->remote_event));
		pair->responder.memory = (uint8_t *)(uintptr_t)answer->addr;
	}
	if (order == RESPONDER_FIRST) {
		struct responder_message exported = *answer;

		responder_ask(responder, &message);
		CHECK_OK(responder_answer(responder)->result);
		CHECK_OK(doca_rdma_connect(pair->requester.rdma, exported.details, exported.details_len, pair->connection));
		return;
	}
	CHECK_OK(doca_rdma_connect(pair->requester.rdma, answer->details, answer->details_len, pair->connection));
	if (order == REQUESTER_ONLY)
		return;
	responder_ask(responder, &message);
	CHECK_OK(responder_answer(responder)->result);
}

/* Opens the requester with a started context, starts the responder, and connects them. */
RIG void responder_open_pair(struct rdma_pair *pair, struct responder *responder, uint32_t map_permissions,
			     uint32_t context_permissions, uint8_t rnr_retry_count)
{
	memset(pair, 0, sizeof(*pair));
	responder_start(responder);
	rdma_side_open(&pair->requester, "03:00.0", 0);
	CHECK_OK(doca_rdma_set_rnr_retry_count(pair->requester.rdma, rnr_retry_count));
	CHECK_OK(doca_ctx_start(pair->requester.ctx));
	responder_connect(pair, responder, map_permissions, context_permissions, REQUESTER_FIRST);
}

/* Closes the requester's side. */
RIG void responder_close_pair(struct rdma_pair *pair)
{
	rdma_side_stop(&pair->requester);
	CHECK_OK(doca_sync_event_remote_net_destroy(pair->remote_event));
	CHECK_OK(doca_mmap_destroy(pair->remote));
	rdma_side_close(&pair->requester);
	rig_check_nothing_is_left();
}

#endif
