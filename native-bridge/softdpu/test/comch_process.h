/*
 * Tests with several processes: the test program starts itself again with a role as its argument. A child reports by single
 * bytes on a pipe. A child ends when its parent's pipe closes, so no child remains after a test that fails.
 */
#ifndef COMCH_PROCESS_H
#define COMCH_PROCESS_H

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "comch_data.h"
#include "sd_service.h"

struct child {
	pid_t pid;
	int from, to;		/* pipes */
};

/* In a child: descriptors 3 (to the parent) and 4 (from it). */
enum { CHILD_OUT = 3, CHILD_IN = 4 };

/*
 * Time limit for noticing the death of a peer, in time of the service thread: NOTICE_MS, then NOTICE_TURNS turns. Each turn
 * handles the events that are present. A busy machine delays the events and the limit alike.
 */
enum { NOTICE_MS = 100, NOTICE_TURNS = 8 };

struct notice {
	struct sd_job job;
	int turns;
	_Atomic uint8_t is_over;
};

RIG void notice_turn(struct sd_job *job)
{
	struct notice *notice = (struct notice *)job;

	if (notice->turns++ < NOTICE_TURNS)
		sd_service_schedule(job, 0, notice_turn);
	else
		notice->is_over = 1;
}

RIG void notice_begin(struct notice *notice)
{
	memset(notice, 0, sizeof(*notice));
	CHECK_OK(sd_service_acquire());
	sd_service_schedule(&notice->job, NOTICE_MS * 1000000, notice_turn);
}

RIG void notice_end(struct notice *notice)
{
	sd_service_cancel(&notice->job);
	sd_service_release();
}

/* Returns whether ctx (or NULL) has tasks on hardware threads; the report of a peer's end waits for them. */
RIG uint8_t notice_must_wait(const struct doca_ctx *ctx)
{
	size_t count = 0;

	if (ctx != NULL)
		CHECK_OK(doca_ctx_get_num_inflight_tasks(ctx, &count));
	return count > 0;
}

/* A peer is dead. Progresses the side until the condition holds; the test fails if it does not hold within the time limit. */
#define NOTICE_UNTIL(side, ctx, condition)                                                                        \
	do {                                                                                                      \
		struct notice notice;                                                                             \
		notice_begin(&notice);                                                                            \
		SIDE_PROGRESS_UNTIL(side, NULL, (condition) || (notice.is_over && !notice_must_wait(ctx)));       \
		while (!(condition) && side_progress(side))                                                       \
			;                                                                                         \
		CHECK(condition);                                                                                 \
		notice_end(&notice);                                                                              \
	} while (0)

RIG struct child child_start(const char *role, const char *argument)
{
	struct child child;
	int up[2], down[2];

	CHECK(pipe2(up, O_CLOEXEC) == 0 && pipe2(down, O_CLOEXEC) == 0);
	child.pid = fork();
	CHECK(child.pid >= 0);
	if (child.pid == 0) {
		char *arguments[] = { (char *)(uintptr_t)"child", (char *)(uintptr_t)role, (char *)(uintptr_t)argument, NULL };
		int out = fcntl(up[1], F_DUPFD, 10), in = fcntl(down[0], F_DUPFD, 10);

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		dup2(out, CHILD_OUT);
		dup2(in, CHILD_IN);
		close(out);
		close(in);
		execv("/proc/self/exe", arguments);
		_exit(127);
	}
	close(up[1]);
	close(down[0]);
	child.from = up[0];
	child.to = down[1];
	return child;
}

/* Waits for a byte of the child while the test's side progresses. */
RIG void child_await(struct child *child, char expected, struct side *side)
{
	uint64_t deadline = rig_now_ms() + RIG_LIMIT_S * 1000;
	struct pollfd pipe_fd = { .fd = child->from, .events = POLLIN };
	char byte = 0;

	while (poll(&pipe_fd, 1, side == NULL ? 100 : 0) == 0) {
		side_progress(side);
		CHECK(rig_now_ms() < deadline);
	}
	CHECK_EQ(read(child->from, &byte, 1), 1);
	CHECK_EQ(byte, expected);
}

RIG void child_send(struct child *child, char byte)
{
	CHECK_EQ(write(child->to, &byte, 1), 1);
}

RIG void child_close(struct child *child, int expected_status, struct side *side)
{
	uint64_t deadline = rig_now_ms() + RIG_LIMIT_S * 1000;
	int status;
	pid_t pid;

	while ((pid = waitpid(child->pid, &status, WNOHANG)) == 0) {
		if (!side_progress(side))
			sched_yield();
		CHECK(rig_now_ms() < deadline);
	}
	CHECK_EQ(pid, child->pid);
	CHECK_EQ(status, expected_status);
	close(child->from);
	close(child->to);
}

/* Returns after the death of the process, when the kernel has closed its sockets. child_close() reaps it. */
RIG void child_kill(struct child *child)
{
	siginfo_t info;

	CHECK(kill(child->pid, SIGKILL) == 0);
	CHECK(waitid(P_PID, (id_t)child->pid, &info, WEXITED | WNOWAIT) == 0);
}

/* Sends a byte to the parent. */
RIG void report(char byte)
{
	CHECK_EQ(write(CHILD_OUT, &byte, 1), 1);
}

/* Returns whether the parent has sent a byte; ends the child if the parent has ended. */
RIG uint8_t has_byte(char *byte)
{
	struct pollfd pipe_fd = { .fd = CHILD_IN, .events = POLLIN };

	if (poll(&pipe_fd, 1, 0) <= 0)
		return 0;
	if (read(CHILD_IN, byte, 1) != 1)
		_exit(1);
	return 1;
}

#endif
