/* Parts of a test that run in processes of its program, each with a setting. */
#ifndef RDMA_PARTS_H
#define RDMA_PARTS_H

#include "rdma_process.h"
#include "rendezvous.h"

#define WHOLE_TEST "--all"			/* the part of test_over_each_path() */

/* A part of a test that needs its own process. */
struct part {
	const char *name;			/* of the argument; NULL: end of a list */
	void (*run)(void);
};

/* Runs the part that the arguments name, if any. */
RIG int run_part(const struct part *parts, int argc, char **argv)
{
	const struct part *part = parts;

	while (argc > 1 && part->name != NULL && strcmp(argv[1], part->name) != 0)
		part++;
	if (argc < 2 || part->name == NULL)
		return 0;
	part->run();
	return 1;
}

/* Runs a part of this program in a process with a setting. */
RIG void run_with(const char *variable, const char *value, const char *part)
{
	pid_t pid;
	int status;

	CHECK(setenv(variable, value, 1) == 0);
	pid = fork();
	CHECK(pid >= 0);
	if (pid == 0) {
		execl("/proc/self/exe", part, part, (char *)NULL);
		_exit(1);
	}
	CHECK(waitpid(pid, &status, 0) == pid);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		fprintf(stderr, "%s=%s\n", variable, value);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	CHECK(unsetenv(variable) == 0);
}

/* Runs a part between two processes over each path. */
RIG void run_over_each_path(const char *part)
{
	run_with("SOFTDPU_RDMA_PATH", "direct", part);
	run_with("SOFTDPU_RDMA_PATH", "unix", part);
	make_own_key();
	run_with("SOFTDPU_RDMA_PATH", "tcp", part);
	remove_key("key");
	CHECK(unsetenv("SOFTDPU_RDMA_KEY") == 0);
}

/*
 * Begins the main function of a test, which runs over each path in processes of this program. Those processes, and those of responders,
 * end in this function.
 */
RIG void test_over_each_path(int argc, char **argv, void (*test)(void))
{
	const struct part parts[] = { { WHOLE_TEST, test }, { NULL, NULL } };

	responder_main(argc, argv);
	if (run_part(parts, argc, argv))
		exit(0);
	make_own_folder();
	run_over_each_path(WHOLE_TEST);
}

/* Returns whether this process has the setting for the path. */
RIG int is_path(const char *name)
{
	const char *path = getenv("SOFTDPU_RDMA_PATH");

	return path != NULL && strcmp(path, name) == 0;
}

#endif
