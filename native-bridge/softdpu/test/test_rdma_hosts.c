/*
 * Two hosts: the requester and the responder run in two network namespaces that a veth pair joins, and have different rendezvous
 * folders. All tasks work by TCP; a link that goes down fails the tasks of its connections. Skipped where the system permits no
 * namespaces.
 */
#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>

#include "rdma_tasks.h"

enum { SKIP = 77 };

static char folders[2][64];			/* of the requester and of the responder */

static void skip(const char *why)
{
	printf("skipped: %s\n", why);
	exit(SKIP);
}

static int write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), is_written = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	if (fd >= 0)
		close(fd);
	return is_written;
}

/* Without root rights, a namespace of users grants those for its network. */
static void enter_host(void)
{
	char map[64];

	snprintf(map, sizeof(map), "0 %u 1", (unsigned int)getuid());
	if (getuid() == 0 && unshare(CLONE_NEWNET) == 0)
		return;
	if (unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0 || !write_text("/proc/self/setgroups", "deny") ||
	    !write_text("/proc/self/uid_map", map))
		skip("no namespaces of users and networks");
}

static int run(const char *command)
{
	return system(command) == 0;
}

/* Starts the other host, and joins it to this one. */
static void join_hosts(void)
{
	int ready[2];
	char byte, command[256], path[64], number[16];
	int other_host;
	pid_t pid;

	CHECK(pipe(ready) == 0);
	pid = fork();
	CHECK(pid >= 0);
	if (pid == 0) {
		if (prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && unshare(CLONE_NEWNET) == 0 && write(ready[1], "", 1) == 1)
			pause();
		_exit(1);
	}
	close(ready[1]);
	if (read(ready[0], &byte, 1) != 1)
		skip("no second namespace of networks");
	close(ready[0]);
	snprintf(path, sizeof(path), "/proc/%d/ns/net", (int)pid);
	other_host = open(path, O_RDONLY); /* the parts inherit it */
	CHECK(other_host >= 0);
	snprintf(number, sizeof(number), "%d", other_host);
	CHECK(setenv("OTHER_HOST", number, 1) == 0);
	snprintf(command, sizeof(command), "ip link add left type veth peer name right netns %d 2>/dev/null", (int)pid);
	if (!run(command))
		skip("no veth pairs, or no program ip");
	CHECK(kill(pid, SIGKILL) == 0 && waitpid(pid, NULL, 0) == pid);
	CHECK(run("ip address add 192.0.2.201/24 dev left && ip link set left up"));
}

/* In the process of the responder, before it starts. */
static void move_responder(void)
{
	if (setns(atoi(getenv("OTHER_HOST")), CLONE_NEWNET) != 0 || setenv("SOFTDPU_DIR", getenv("OTHER_FOLDER"), 1) != 0 ||
	    setenv("SOFTDPU_RDMA_ADDRESS", "192.0.2.202", 1) != 0 ||
	    !run("ip address add 192.0.2.202/24 dev right 2>/dev/null; ip link set right up"))
		_exit(1);
}

static void make_folders(void)
{
	make_own_folder();
	strcpy(folders[1], own_folder);
	make_own_folder();
	strcpy(folders[0], own_folder);
	make_own_key();
	CHECK(setenv("SOFTDPU_RDMA_ADDRESS", "192.0.2.201", 1) == 0 && setenv("OTHER_FOLDER", folders[1], 1) == 0);
}

static void remove_folders(void)
{
	remove_key("key");
	remove_own_folder();
	strcpy(own_folder, folders[1]);
	remove_own_folder();
}

/* A message on its way fails, then the next connect. */
static void link_goes_down(void)
{
	struct doca_buf *local;

	responder_open_pair(&pair, &responder, RDMA_ALL, RDMA_ALL, 7);
	CHECK_OK(run_one(RDMA_WRITE, 0, 8));
	local = rdma_local(&pair, 0, 64, 1);
	CHECK(run("ip link set left down"));
	rdma_submit(&pair, RDMA_WRITE, pair.connection, local, NULL, 0);
	rdma_submit(&pair, RDMA_SEND, pair.connection, local, NULL, 1);
	rdma_wait(&pair, 3);
	CHECK_EQ(pair.requester.failed, 2);
	CHECK_ERROR(pair.requester.last_status, DOCA_ERROR_IO_FAILED);
	rig_drop(local);
	responder_quit(&responder);
	responder_close_pair(&pair);
}

/* The settings are read once, so each part has its process. */
static const struct part parts[] = {
	{ "--all-tasks", all_tasks },
	{ "--link-goes-down", link_goes_down },
	{ NULL, NULL },
};

int main(int argc, char **argv)
{
	responder_main(argc, argv);
	responder_enter = move_responder;
	if (run_part(parts, argc, argv))
		return 0;
	enter_host();
	join_hosts();
	make_folders();
	for (const struct part *part = parts; part->name != NULL; part++)
		run_with("SOFTDPU_RDMA_PATH", "auto", part->name);
	remove_folders();
	return 0;
}
