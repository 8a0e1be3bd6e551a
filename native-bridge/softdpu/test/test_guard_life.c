/*
 * The sign of life of an exporting process ends with its service thread: when the process is killed, and before another program
 * runs in its place.
 */
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "../src/memory/guard.c" /* not exported by the library */
#include "../src/memory/guard_life.c"
#include "check.h"

enum { LIMIT_S = 20 };

static struct guard_board *board;
static int sockets[2];				/* of the parent and of the child, closed by exec() */

static void *serve(void *unused)
{
	guard_live(board);
	guard_live(board); /* has no effect */
	if (send(sockets[1], "x", 1, 0) != 1)
		_exit(1);
	for (;;)
		pause();
	return unused;
}

/* The main thread runs the other program after a byte of the parent. */
static void run_child(void)
{
	pthread_t thread;
	char byte;

	alarm(LIMIT_S);
	close(sockets[0]);
	if (pthread_create(&thread, NULL, serve, NULL) != 0 || recv(sockets[1], &byte, 1, 0) != 1)
		_exit(1);
	execl("/proc/self/exe", "test_guard_life", "sleep", NULL);
	_exit(1);
}

/* Returns the child's sign of life. */
static uint32_t start_child(pid_t *child)
{
	uint32_t life;
	char byte;

	CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) == 0);
	*child = fork();
	CHECK(*child >= 0);
	if (*child == 0)
		run_child();
	close(sockets[1]);
	CHECK(recv(sockets[0], &byte, 1, 0) == 1);
	life = guard_life(board);
	if (life == 0)
		SKIP("the kernel marks no words of threads that end");
	CHECK(guard_lives(board, life));
	return life;
}

static void expect_end(uint32_t life)
{
	CHECK(!guard_lives(board, life));
	CHECK_EQ(guard_life(board), 0);
}

static void end_child(pid_t child)
{
	CHECK(kill(child, SIGKILL) == 0);
	CHECK(waitpid(child, NULL, 0) == child);
	close(sockets[0]);
}

static void killed(void)
{
	pid_t child;
	uint32_t life = start_child(&child);

	end_child(child);
	expect_end(life);
}

static void runs_another_program(void)
{
	pid_t child;
	uint32_t life = start_child(&child);
	char byte;

	CHECK(send(sockets[0], "x", 1, 0) == 1);
	CHECK_EQ(recv(sockets[0], &byte, 1, 0), 0); /* exec() has closed the socket; the process still exists */
	CHECK(kill(child, 0) == 0);
	expect_end(life);
	end_child(child);
}

int main(int argc, char **argv)
{
	int fd;

	if (argc > 1 && strcmp(argv[1], "sleep") == 0) {
		alarm(LIMIT_S);
		pause();
	}
	board = guard_create("test-board", sizeof(*board), &fd);
	CHECK(board != NULL);
	CHECK_EQ(guard_life(board), 0);
	killed();
	runs_another_program();
	munmap(board, sizeof(*board));
	close(fd);
	return 0;
}
