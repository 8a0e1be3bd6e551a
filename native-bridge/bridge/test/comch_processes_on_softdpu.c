/*
 * Server and client in two processes, each with a bridge: an echo of every message, in order; then the client ends or is killed.
 */
#include "comch_rings.h"

#ifndef HAS_SOFTDPU
int main(void)
{
	fprintf(stderr, "the software DPU is not built alongside\n");
	return SKIPPED;
}
#else
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

enum { ROUNDS = 2000, CELLS = 4, WINDOW = 4 };

static const char name[] = "bridge processes";

static struct rings rings;
static struct control control;
static uint32_t connection, num_connected, num_disconnected, num_received, num_sent, state;
static uint8_t echoes[16][64];

static uint32_t len_of(uint32_t n)
{
	return 4 + n % 60;
}

/* Checks that every message arrives as it was sent, by number; the server sends it back. */
static void take(const struct dpubridge_record *record, const uint8_t *bytes)
{
	uint8_t *echo = echoes[num_received % 16];

	/* Only the server may lose its peer. */
	if (record->type == DPUBRIDGE_RECORD_REFUSED || record->type == DPUBRIDGE_RECORD_TASK_FAILED)
		CHECK(control.server != NULL);
	num_sent += record->type == DPUBRIDGE_RECORD_TASK_DONE;
	num_disconnected += record->type == DPUBRIDGE_RECORD_DISCONNECTED;
	if (record->type == DPUBRIDGE_RECORD_CONNECTED) {
		connection = record->states;
		num_connected++;
	} else if (record->type == DPUBRIDGE_RECORD_CONTEXT_STATE) {
		state = record->states & 0xffff;
	} else if (record->type == DPUBRIDGE_RECORD_MESSAGE) {
		CHECK_EQ(record->produced, len_of(num_received));
		CHECK_EQ(record->states, connection);
		CHECK(memcmp(bytes, &num_received, 4) == 0);
		memcpy(echo, bytes, record->produced);
		num_received++;
		if (control.server != NULL)
			control_send(&control, connection, 0, echo, record->produced);
	}
}

/* Sleeps until an event, as an engine does. */
static void turn_or_sleep(void)
{
	uint32_t received = num_received, sent = num_sent;

	rings_turn(&rings);
	if (received == num_received && sent == num_sent && rings.header->submission_tail == rings.header->submission_head)
		CHECK(dpubridge_wait(rings.bridge, 100000000ull, 100000000ull, 0, 0) >= 0);
}

/* @param rounds messages to exchange before the client disconnects; a very large number for a client that will be killed */
static void run_client(uint32_t rounds)
{
	uint64_t start = now_s();
	uint32_t n = 0;

	rings_open(&rings, CELLS, take);
	control_open_client(&control, &rings, name, 1);
	CHECK_EQ(doca_ctx_start(control.ctx), DOCA_ERROR_IN_PROGRESS);
	AWAIT(&rings, NULL, state == DOCA_CTX_STATE_RUNNING);
	connection = control_connection(&control);
	while (num_received < rounds) {
		for (; n < rounds && n < num_received + WINDOW && n < num_sent + WINDOW; n++) {
			memcpy(echoes[n % 16], &n, 4);
			control_send(&control, connection, n, echoes[n % 16], len_of(n));
		}
		turn_or_sleep();
		CHECK(now_s() - start < TIMEOUT_S);
	}
	AWAIT(&rings, NULL, num_sent == rounds);
	control_close(&control, NULL);
	rings_close(&rings);
	check_nothing_is_left();
}

static void run_server(uint8_t is_killed)
{
	uint64_t start = now_s();
	uint8_t must_kill = is_killed;
	pid_t child;
	int status;

	num_connected = num_disconnected = num_received = num_sent = 0;
	rings_open(&rings, CELLS, take);
	control_open_server(&control, &rings, name, 1);
	CHECK_EQ(doca_ctx_start(control.ctx), DOCA_SUCCESS);
	child = fork();
	CHECK(child >= 0);
	if (child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		execl("/proc/self/exe", "client", "client", is_killed ? "1000000000" : "2000", NULL);
		_exit(127);
	}
	while (num_disconnected == 0) {
		turn_or_sleep();
		if (must_kill && num_received >= ROUNDS) {
			CHECK_EQ(kill(child, SIGKILL), 0);
			must_kill = 0;
		}
		CHECK(now_s() - start < TIMEOUT_S);
	}
	CHECK_EQ(waitpid(child, &status, 0), child);
	CHECK(is_killed ? WIFSIGNALED(status) : status == 0);
	CHECK_EQ(num_connected, 1);
	CHECK(dpubridge_connection_pointer(rings.bridge, connection) == NULL);
	control_close(&control, NULL);
	rings_close(&rings);
	check_nothing_is_left();
}

int main(int argc, char **argv)
{
	char folder[64];

	if (argc > 2 && strcmp(argv[1], "client") == 0) {
		run_client((uint32_t)strtoul(argv[2], NULL, 10));
		return 0;
	}
	make_own_folder(folder);
	run_server(0);
	CHECK_EQ(num_received, ROUNDS);
	run_server(1);
	CHECK_EQ(rmdir(folder), 0);
	return 0;
}
#endif
