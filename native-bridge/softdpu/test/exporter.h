/*
 * A second process that exports memory and executes orders: the test program, started again with fork() and exec(). The
 * exported range is between canaries, and the canaries are between inaccessible pages.
 *
 * A test's main() begins with exporter_main(argc, argv), which does not return in the second process.
 */
#ifndef EXPORTER_H
#define EXPORTER_H

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dma.h"

#ifndef EXPORTER_LEN
#define EXPORTER_LEN 100000 /* length of the range in bytes */
#endif

enum { EXPORTER_CANARY = 64, EXPORTER_SOCKET = 3, EXPORTER_LIMIT_MS = RIG_LIMIT_S * 1000 };

enum exporter_order {
	EXPORTER_EXPORT,		/* exports with permissions; the answer is the description */
	EXPORTER_FILL,			/* fills the whole range from this seed */
	EXPORTER_CHECK,			/* answers the number of bytes that differ from the seed's; checks the canaries */
	EXPORTER_STOP,			/* stops the map; then overwrites the range from the seed, last byte first */
	EXPORTER_DESTROY,		/* destroys the map, and unmaps the memory */
	EXPORTER_QUIT,
	EXPORTER_EXEC,			/* executes another program, with other memory at the same address; accepts QUIT */
};

struct exporter_message {
	enum exporter_order order;
	uint32_t permissions;
	uint64_t seed;
	uint64_t count;
	uint64_t addr;
	size_t desc_len;
	uint8_t desc[256];
};

struct exporter {
	pid_t pid;
	int socket;
	uint8_t *addr;			/* of the range, in the second process */
	uint8_t desc[256];
	size_t desc_len;
};

RIG void exporter_receive(int socket, struct exporter_message *message)
{
	struct pollfd wait = { .fd = socket, .events = POLLIN };

	CHECK(poll(&wait, 1, EXPORTER_LIMIT_MS) == 1);
	CHECK(recv(socket, message, sizeof(*message), 0) == sizeof(*message));
}

RIG uint8_t exporter_byte(size_t i, uint64_t seed)
{
	return (uint8_t)((i * 31 + seed) ^ (i >> 8));
}

/* --- the second process --- */

struct exporter_state {
	struct doca_dev *dev;
	struct doca_mmap *map;
	uint8_t *area;			/* canary, range, canary */
};

RIG void exporter_export(struct exporter_state *state, struct exporter_message *message)
{
	const void *desc;

	state->area = dma_guarded(EXPORTER_LEN + 2 * EXPORTER_CANARY, 1);
	memset(state->area, 0xca, EXPORTER_LEN + 2 * EXPORTER_CANARY);
	CHECK_OK(doca_mmap_create(&state->map));
	CHECK_OK(doca_mmap_set_memrange(state->map, state->area + EXPORTER_CANARY, EXPORTER_LEN));
	CHECK_OK(doca_mmap_set_permissions(state->map, message->permissions));
	CHECK_OK(doca_mmap_add_dev(state->map, state->dev));
	CHECK_OK(doca_mmap_start(state->map));
	CHECK_OK(doca_mmap_export_pci(state->map, state->dev, &desc, &message->desc_len));
	CHECK(message->desc_len <= sizeof(message->desc));
	memcpy(message->desc, desc, message->desc_len);
	message->addr = (uintptr_t)state->area + EXPORTER_CANARY;
}

RIG void exporter_check(const struct exporter_state *state, struct exporter_message *message)
{
	message->count = 0;
	for (size_t i = 0; i < EXPORTER_LEN; i++)
		message->count += state->area[EXPORTER_CANARY + i] != exporter_byte(i, message->seed);
	for (size_t i = 0; i < EXPORTER_CANARY; i++)
		CHECK(state->area[i] == 0xca && state->area[EXPORTER_CANARY + EXPORTER_LEN + i] == 0xca);
}

RIG void exporter_destroy(struct exporter_state *state)
{
	if (state->map == NULL)
		return;
	CHECK_OK(doca_mmap_destroy(state->map));
	dma_unguard(state->area, EXPORTER_LEN + 2 * EXPORTER_CANARY);
	state->map = NULL;
}

RIG void exporter_exec(const struct exporter_state *state)
{
	char addr[32];

	snprintf(addr, sizeof(addr), "%llu", (unsigned long long)(uintptr_t)(state->area + EXPORTER_CANARY));
	execl("/proc/self/exe", "exporter", "--other", addr, (char *)NULL);
	CHECK(!"exec");
}

RIG void exporter_obey(struct exporter_state *state, struct exporter_message *message)
{
	switch (message->order) {
	case EXPORTER_EXPORT:
		exporter_export(state, message);
		break;
	case EXPORTER_STOP:
		CHECK_OK(doca_mmap_stop(state->map));
		for (size_t i = EXPORTER_LEN; i-- > 0;)
			state->area[EXPORTER_CANARY + i] = exporter_byte(i, message->seed);
		break;
	case EXPORTER_FILL:
		dma_fill(state->area + EXPORTER_CANARY, EXPORTER_LEN, message->seed);
		break;
	case EXPORTER_CHECK:
		exporter_check(state, message);
		break;
	case EXPORTER_DESTROY:
	case EXPORTER_QUIT:
		exporter_destroy(state);
		break;
	case EXPORTER_EXEC:
		exporter_exec(state);
	}
}

/*
 * Runs after exec(): the process exists, the exporter does not. Importers must not access the memory that is now at its
 * address.
 */
RIG void exporter_be_other(const char *addr)
{
	uintptr_t begin = (uintptr_t)strtoull(addr, NULL, 10), first = begin / 4096 * 4096, past = begin + EXPORTER_LEN;
	size_t len = (past - first + 4095) / 4096 * 4096;
	uint8_t *memory = mmap((void *)first, len, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	struct exporter_message message;

	CHECK(memory == (void *)first);
	memset(memory, 0x5a, len);
	memset(&message, 0, sizeof(message));
	CHECK(send(EXPORTER_SOCKET, &message, sizeof(message), 0) == sizeof(message));
	exporter_receive(EXPORTER_SOCKET, &message);
	for (size_t i = 0; i < len; i++)
		CHECK(memory[i] == 0x5a);
	exit(0);
}

RIG void exporter_main(int argc, char **argv)
{
	struct exporter_state state = { 0 };
	struct exporter_message message;

	if (argc < 2)
		return;
	if (strcmp(argv[1], "--other") == 0)
		exporter_be_other(argv[2]);
	CHECK(strcmp(argv[1], "--export") == 0);
	state.dev = rig_open_device("81:00.0");
	do {
		exporter_receive(EXPORTER_SOCKET, &message);
		exporter_obey(&state, &message);
		if (message.order == EXPORTER_QUIT) {
			CHECK_OK(doca_dev_close(state.dev));
			rig_check_nothing_is_left();
		}
		CHECK(send(EXPORTER_SOCKET, &message, sizeof(message), MSG_NOSIGNAL) == sizeof(message));
	} while (message.order != EXPORTER_QUIT);
	exit(0);
}

/* --- the test's own process --- */

RIG void exporter_send(struct exporter *exporter, enum exporter_order order, uint64_t seed)
{
	struct exporter_message message = { .order = order, .seed = seed };

	CHECK(send(exporter->socket, &message, sizeof(message), MSG_NOSIGNAL) == sizeof(message));
}

RIG struct exporter_message exporter_call(struct exporter *exporter, struct exporter_message message)
{
	CHECK(send(exporter->socket, &message, sizeof(message), MSG_NOSIGNAL) == sizeof(message));
	exporter_receive(exporter->socket, &message);
	return message;
}

RIG uint64_t exporter_command(struct exporter *exporter, enum exporter_order order, uint64_t seed)
{
	return exporter_call(exporter, (struct exporter_message){ .order = order, .seed = seed }).count;
}

RIG void exporter_start(struct exporter *exporter)
{
	int pair[2];

	memset(exporter, 0, sizeof(*exporter));
	CHECK(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) == 0);
	exporter->pid = fork();
	CHECK(exporter->pid >= 0);
	if (exporter->pid == 0) {
		if (pair[1] == EXPORTER_SOCKET)
			fcntl(pair[1], F_SETFD, 0);
		else
			dup2(pair[1], EXPORTER_SOCKET);
		execl("/proc/self/exe", "exporter", "--export", (char *)NULL);
		_exit(1);
	}
	close(pair[1]);
	exporter->socket = pair[0];
}

RIG void exporter_share(struct exporter *exporter, uint32_t permissions)
{
	struct exporter_message message = { .order = EXPORTER_EXPORT, .permissions = permissions };

	message = exporter_call(exporter, message);
	exporter->addr = (uint8_t *)(uintptr_t)message.addr;
	exporter->desc_len = message.desc_len;
	memcpy(exporter->desc, message.desc, sizeof(message.desc));
}

/* Waits, with a time limit, for the end of the process; returns its wait status. */
RIG int exporter_reap(struct exporter *exporter)
{
	uint64_t deadline = rig_now_ms() + EXPORTER_LIMIT_MS;
	int status;

	while (waitpid(exporter->pid, &status, WNOHANG) != exporter->pid) {
		CHECK(rig_now_ms() < deadline);
		sched_yield();
	}
	close(exporter->socket);
	return status;
}

RIG void exporter_kill(struct exporter *exporter)
{
	CHECK(kill(exporter->pid, SIGKILL) == 0);
	CHECK(WIFSIGNALED(exporter_reap(exporter)));
}

RIG void exporter_quit(struct exporter *exporter)
{
	int status;

	exporter_command(exporter, EXPORTER_QUIT, 0);
	status = exporter_reap(exporter);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* Creates a rendezvous folder for the test; call it before the first use of the library. */
RIG void exporter_folder(void)
{
	static char folder[] = "/tmp/softdpu-test-XXXXXX";

	if (getenv("SOFTDPU_TEST_FOLDER") != NULL)
		return;
	CHECK(mkdtemp(folder) != NULL);
	CHECK(setenv("SOFTDPU_DIR", folder, 1) == 0 && setenv("SOFTDPU_TEST_FOLDER", folder, 1) == 0);
}

/* Removes the folder. Files of killed processes are removed too; without killed processes it must be empty. */
RIG void exporter_remove_folder(int may_have_leftovers)
{
	const char *folder = getenv("SOFTDPU_TEST_FOLDER");
	char command[128];

	if (may_have_leftovers) {
		snprintf(command, sizeof(command), "rm -f %s/*", folder);
		CHECK(system(command) == 0);
	}
	CHECK(rmdir(folder) == 0);
}

/* Runs the test again in a new process without process_vm system calls; returns if this is that process. */
RIG void exporter_again_without_process_vm(char **argv)
{
	if (getenv("SOFTDPU_NO_PROCESS_VM") != NULL)
		return;
	unsetenv("SOFTDPU_TEST_FOLDER");
	CHECK(setenv("SOFTDPU_NO_PROCESS_VM", "1", 1) == 0);
	execv("/proc/self/exe", argv);
	CHECK(!"exec");
}

#endif
