/*
 * Silent importers, and more importers than the limit, exhaust neither the exporter's descriptors nor its processor time: an
 * honest importer is served. An exporter without free descriptors uses little processor time, and serves again when some are
 * free.
 */
#include <sys/resource.h>
#include <time.h>

#include "../src/memory/guard.c"
#include "../src/memory/link.c"
#include "exporter.h"
#include "rendezvous.h"

enum { SILENT = 100, MAX_SILENT = 16, MAX_GREETED = 256, WAITING = 40, SPARE = 4, WATCHED_MS = 400 };
enum { LATE_MS = RIG_LIMIT_S * 1000 };

static struct exporter exporter;
static struct export_desc desc;

static int connect_link(void)
{
	char name[SD_RENDEZVOUS_NAME];
	uint64_t deadline = rig_now_ms() + LATE_MS;
	doca_error_t result;
	pid_t peer;
	int fd;

	link_name(name, desc.pid, desc.start_time, desc.cookie);
	while ((result = sd_rendezvous_connect(name, &fd, &peer)) == DOCA_ERROR_AGAIN && rig_now_ms() < deadline)
		sched_yield(); /* the backlog is full until the exporter accepts */
	CHECK_OK(result);
	return fd;
}

static uint8_t has_ended(int fd, int timeout_ms)
{
	struct pollfd socket = { .fd = fd, .events = POLLIN };
	char byte;

	return poll(&socket, 1, timeout_ms) == 1 && recv(fd, &byte, 1, MSG_DONTWAIT) <= 0;
}

/* Returns whether the exporter answers a greeting instead of closing the connection. */
static uint8_t greets(int fd)
{
	const struct link_request hello = { .magic = LINK_MAGIC, .verb = LINK_HELLO, .cookie = desc.cookie };
	struct pollfd socket = { .fd = fd, .events = POLLIN };
	struct link_reply reply;
	size_t len = 0;
	int pass_fd, board_fd = -1;
	void *pass = guard_create("pass", sizeof(struct guard_pass), &pass_fd);

	CHECK(pass != NULL);
	munmap(pass, sizeof(struct guard_pass));
	CHECK(link_send(fd, &hello, sizeof(hello), NULL, 0, pass_fd));
	close(pass_fd);
	CHECK(poll(&socket, 1, LATE_MS) == 1);
	if (link_receive(fd, &reply, sizeof(reply), NULL, &len, &board_fd) <= 0)
		return 0;
	CHECK_EQ(reply.status, DOCA_SUCCESS);
	close(board_fd);
	return 1;
}

static int count_exporters_descriptors(void)
{
	char folder[32];

	snprintf(folder, sizeof(folder), "/proc/%d/fd", (int)exporter.pid);
	return count_entries(folder);
}

static void honest_importer_is_served(void)
{
	int fd = connect_link();

	CHECK(greets(fd));
	close(fd);
}

static void silent_importers_are_bounded(void)
{
	int before = count_exporters_descriptors(), fds[SILENT];

	for (int i = 0; i < SILENT; i++)
		fds[i] = connect_link();
	honest_importer_is_served(); /* so all earlier importers were accepted */
	CHECK(count_exporters_descriptors() <= before + MAX_SILENT + 1);
	for (int i = 0; i < SILENT; i++) /* the newest at their deadline */
		CHECK(has_ended(fds[i], LATE_MS));
	for (int i = 0; i < SILENT; i++)
		close(fds[i]);
}

static void greeted_importers_are_bounded(void)
{
	int fds[MAX_GREETED + 1];
	uint64_t deadline;

	for (int i = 0; i <= MAX_GREETED; i++) {
		fds[i] = connect_link();
		CHECK_EQ(greets(fds[i]), i < MAX_GREETED);
	}
	close(fds[MAX_GREETED]);
	close(fds[0]);
	/* The exporter may accept the new importer before it frees a place. */
	deadline = rig_now_ms() + LATE_MS;
	for (uint8_t is_served = 0; !is_served; close(fds[0])) {
		CHECK(rig_now_ms() < deadline);
		fds[0] = connect_link();
		is_served = greets(fds[0]);
	}
	for (int i = 1; i < MAX_GREETED; i++)
		close(fds[i]);
}

/* Returns the milliseconds of processor time of the exporter. */
static uint64_t used_ms(void)
{
	struct timespec used;
	clockid_t clock;

	CHECK(clock_getcpuclockid(exporter.pid, &clock) == 0 && clock_gettime(clock, &used) == 0);
	return (uint64_t)used.tv_sec * 1000 + (uint64_t)used.tv_nsec / 1000000;
}

static void shortage_of_descriptors(void)
{
	struct rlimit before, few;
	int fds[WAITING];
	uint64_t used;

	CHECK(prlimit(exporter.pid, RLIMIT_NOFILE, NULL, &before) == 0);
	few.rlim_cur = (rlim_t)count_exporters_descriptors() + SPARE;
	few.rlim_max = before.rlim_max;
	CHECK(prlimit(exporter.pid, RLIMIT_NOFILE, &few, NULL) == 0);
	for (int i = 0; i < WAITING; i++)
		fds[i] = connect_link();
	used = used_ms();
	CHECK(!has_ended(fds[WAITING - 1], WATCHED_MS)); /* it waits for the accept */
	CHECK(used_ms() - used < WATCHED_MS / 4);
	for (int i = 0; i < WAITING; i++)
		close(fds[i]);
	CHECK(prlimit(exporter.pid, RLIMIT_NOFILE, &before, NULL) == 0);
	honest_importer_is_served();
}

int main(int argc, char **argv)
{
	exporter_main(argc, argv);
	exporter_folder();
	exporter_start(&exporter);
	exporter_share(&exporter, DOCA_ACCESS_FLAG_PCI_READ_WRITE);
	memcpy(&desc, exporter.desc, sizeof(desc));
	shortage_of_descriptors();
	silent_importers_are_bounded();
	greeted_importers_are_bounded();
	exporter_quit(&exporter);
	rig_check_nothing_is_left();
	exporter_remove_folder(0);
	return 0;
}
