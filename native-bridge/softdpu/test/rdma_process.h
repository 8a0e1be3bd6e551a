/*
 * The responder of rdma_responder.h, in a second process or in this one. The test's process is the requester.
 *
 * A test's main() begins with responder_main(argc, argv), which does not return in the second process.
 */
#ifndef RDMA_PROCESS_H
#define RDMA_PROCESS_H

#include <signal.h>
#include <sys/wait.h>

#include "rdma_responder.h"

struct responder {
	pid_t pid;
	int socket;
	struct responder_state *here;		/* of a responder in this process, else NULL */
	struct responder_message answer;
};

/* Prepares the process of the responder; NULL: nothing to do. */
RIG void (*responder_enter)(void);

RIG void responder_start_here(struct responder *responder)
{
	static struct responder_state state;

	memset(&state, 0, sizeof(state));
	*responder = (struct responder){ .here = &state };
}

RIG void responder_start(struct responder *responder)
{
	int sockets[2];

	responder->here = NULL;
	CHECK(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, sockets) == 0);
	responder->pid = fork();
	CHECK(responder->pid >= 0);
	if (responder->pid == 0) {
		if (responder_enter != NULL)
			responder_enter();
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
	if (responder->here != NULL) {
		responder->answer = *order;
		responder_obey(responder->here, &responder->answer);
		return;
	}
	CHECK(send(responder->socket, order, sizeof(*order), MSG_NOSIGNAL) == sizeof(*order));
}

RIG const struct responder_message *responder_answer(struct responder *responder)
{
	if (responder->here == NULL)
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
	if (responder->here != NULL)
		return;
	CHECK(waitpid(responder->pid, &status, 0) == responder->pid);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	close(responder->socket);
}

/* Sends SIGSTOP or SIGKILL to the process. Returns when none of its threads runs; the process can still be waited for. */
RIG void responder_signal(const struct responder *responder, int stop_or_kill)
{
	siginfo_t info;

	CHECK(kill(responder->pid, stop_or_kill) == 0);
	CHECK(waitid(P_PID, (id_t)responder->pid, &info, (stop_or_kill == SIGSTOP ? WSTOPPED : WEXITED) | WNOWAIT) == 0);
}

RIG void responder_kill(struct responder *responder)
{
	CHECK(kill(responder->pid, SIGKILL) == 0);
	CHECK(waitpid(responder->pid, NULL, 0) == responder->pid);
	close(responder->socket);
}

enum responder_order_of_connects { REQUESTER_ONLY, REQUESTER_FIRST, RESPONDER_FIRST };

/* Imports the memory and the event of the responder. */
RIG void responder_import(struct rdma_pair *pair, const struct responder_message *exported)
{
	CHECK_OK(doca_mmap_create_from_export(NULL, exported->map, exported->map_len, pair->requester.dev, &pair->remote));
	CHECK_OK(doca_sync_event_remote_net_create_from_export(pair->requester.dev, exported->event, exported->event_len,
							       &pair->remote_event));
	pair->responder.memory = (uint8_t *)(uintptr_t)exported->addr;
}

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
	if (pair->remote == NULL)
		responder_import(pair, answer);
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
