/*
 * A requester is stopped (SIGSTOP) between the check of an access and the copy. The responder cannot stop its map until the
 * requester has continued or has ended. Then no access reaches the memory.
 */
#include <stdatomic.h>
#include <sys/syscall.h>

#include "rdma_tasks.h"

enum { LEN = 4096, SEED = 3 };

static atomic_int must_stop;

/* Replaces the function of libc, also for the library: stops the process once before the copy. */
ssize_t process_vm_writev(pid_t pid, const struct iovec *here, unsigned long num_here, const struct iovec *there,
			  unsigned long num_there, unsigned long flags)
{
	if (atomic_exchange(&must_stop, 0))
		CHECK(raise(SIGSTOP) == 0); /* to this thread: another one would stop the process later */
	return syscall(SYS_process_vm_writev, pid, here, num_here, there, num_there, flags);
}

/*
 * The process of the requester: this program, started again with two descriptors. Its second write stops it. The third one
 * follows when the map is stopped, and fails.
 */
static void requester_main(int argc, char **argv)
{
	uint8_t byte;
	int go_on;

	if (argc < 4 || strcmp(argv[1], "--requester") != 0)
		return;
	responder.socket = atoi(argv[2]);
	go_on = atoi(argv[3]);
	rdma_side_open(&pair.requester, "03:00.0", 0);
	CHECK_OK(doca_ctx_start(pair.requester.ctx));
	responder_connect(&pair, &responder, RDMA_ALL, RDMA_ALL, REQUESTER_FIRST);
	fill(SEED);
	CHECK_OK(run_one(RDMA_WRITE, 0, LEN));
	atomic_store(&must_stop, 1);
	CHECK_OK(run_one(RDMA_WRITE, LEN, LEN));
	CHECK(read(go_on, &byte, 1) == 1);
	CHECK_ERROR(run_one(RDMA_WRITE, 0, LEN), DOCA_ERROR_IO_FAILED);
	responder_close_pair(&pair);
	exit(0);
}

static doca_error_t stop_map(void)
{
	return RESPONDER_DO(&responder, .order = RESPONDER_STOP_MAP)->result;
}

static pid_t start_requester(int pipe_ends[2])
{
	int status;
	pid_t pid;

	CHECK(pipe(pipe_ends) == 0);
	pid = fork();
	CHECK(pid >= 0);
	if (pid == 0) {
		char socket[16], go_on[16];

		snprintf(socket, sizeof(socket), "%d", responder.socket);
		snprintf(go_on, sizeof(go_on), "%d", pipe_ends[0]);
		execl("/proc/self/exe", "requester", "--requester", socket, go_on, (char *)NULL);
		_exit(1);
	}
	CHECK(waitpid(pid, &status, WUNTRACED) == pid);
	CHECK(WIFSTOPPED(status));
	return pid;
}

/* The map cannot be stopped now, however often the responder tries. */
static void check_held(void)
{
	for (int i = 0; i < 2; i++)
		CHECK_ERROR(stop_map(), DOCA_ERROR_NOT_PERMITTED);
	check_responder(0, LEN, SEED);
}

/* After the stop of the map, its memory belongs to the responder alone. */
static void check_withdrawn(void)
{
	CHECK_OK(stop_map());
	(void)RESPONDER_DO(&responder, .order = RESPONDER_FILL, .seed = SEED + 1);
}

static void part(uint8_t is_killed)
{
	int ends[2], status;
	pid_t pid;

	responder_start(&responder);
	pid = start_requester(ends);
	check_held();
	CHECK(kill(pid, is_killed ? SIGKILL : SIGCONT) == 0);
	if (is_killed) {
		CHECK(waitpid(pid, &status, 0) == pid && WIFSIGNALED(status));
		check_withdrawn();
	} else {
		const uint64_t deadline = rig_now_ms() + RESPONDER_LIMIT_MS;

		while (stop_map() != DOCA_SUCCESS)
			CHECK(rig_now_ms() < deadline);
		check_responder(0, 2 * LEN, SEED); /* the write that was held */
		(void)RESPONDER_DO(&responder, .order = RESPONDER_FILL, .seed = SEED + 1);
		CHECK(write(ends[1], "!", 1) == 1);
		CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0);
	}
	check_responder(0, RDMA_MEMORY, SEED + 1);
	responder_quit(&responder);
	CHECK(close(ends[0]) == 0 && close(ends[1]) == 0);
}

int main(int argc, char **argv)
{
	responder_main(argc, argv);
	requester_main(argc, argv);
	make_own_folder();
	CHECK(setenv("SOFTDPU_RDMA_PATH", "direct", 1) == 0);
	part(0);
	part(1);
	remove_own_folder_and_files();
	return 0;
}
