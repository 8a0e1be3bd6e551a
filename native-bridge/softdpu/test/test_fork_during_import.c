/* fork() while another thread is inside an import: the child can import from the same exporter, too. */
#include <dlfcn.h>
#include <pthread.h>
#include <sys/prctl.h>

#include "exporter.h"
#include "held_poll.h"
#include "rendezvous.h"
#include "sync_event.h"

enum { CHILD_LIMIT_S = 20 };

enum moment { LIST, REQUEST, THREAD };

static const uint64_t HELD_NS = 200000000;	/* a fork that waits for the held thread takes this time */

static struct exporter exporter;
static struct exporter_message event;		/* of another exporter */
static pid_t event_exporter;
static struct doca_dev *dpu;
static _Thread_local int holds_start;

/* Replaces libc's function: a thread that reads imported events starts. */
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *argument), void *argument)
{
	int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) =
		(int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))dlsym(RTLD_NEXT, "pthread_create");

	if (holds_start) {
		holds_start = 0;
		hold_call(HELD_NS);
	}
	return create(thread, attributes, run, argument);
}

static void be_event_exporter(int socket)
{
	struct exporter_message message = { 0 };
	struct doca_sync_event *exported;
	struct doca_dev *host = rig_open_device("81:00.0");
	const uint8_t *data;

	CHECK_EQ(prctl(PR_SET_PDEATHSIG, SIGKILL), 0);
	CHECK_OK(doca_sync_event_create(&exported));
	CHECK_OK(doca_sync_event_add_publisher_location_remote_pci(exported));
	CHECK_OK(doca_sync_event_add_subscriber_location_cpu(exported, host));
	CHECK_OK(doca_sync_event_start(exported));
	CHECK_OK(doca_sync_event_export_to_remote_pci(exported, host, &data, &message.desc_len));
	memcpy(message.desc, data, message.desc_len);
	CHECK(send(socket, &message, sizeof(message), 0) == sizeof(message));
	for (;;)
		pause();
}

static void start_event_exporter(void)
{
	int pair[2];

	CHECK(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) == 0);
	event_exporter = fork();
	CHECK(event_exporter >= 0);
	if (event_exporter == 0)
		be_event_exporter(pair[1]);
	exporter_receive(pair[0], &event);
	close(pair[0]);
	close(pair[1]);
}

static struct doca_mmap *import_map(void)
{
	struct doca_mmap *map;

	CHECK_OK(doca_mmap_create_from_export(NULL, exporter.desc, exporter.desc_len, dpu, &map));
	return map;
}

/* The first read of an imported event starts a thread. */
static void read_event(int is_held)
{
	struct doca_sync_event *imported;
	uint64_t value;

	CHECK_OK(doca_sync_event_create_from_export(dpu, event.desc, event.desc_len, &imported));
	CHECK_OK(doca_sync_event_start(imported));
	holds_start = is_held;
	CHECK_OK(doca_sync_event_get(imported, &value));
	CHECK_EQ(value, 0);
	CHECK_OK(doca_sync_event_stop(imported));
	CHECK_OK(doca_sync_event_destroy(imported));
}

static void import_in_child(enum moment moment)
{
	alarm(CHILD_LIMIT_S);
	if (moment == THREAD)
		read_event(0);
	else
		CHECK_OK(doca_mmap_destroy(import_map()));
	_exit(0);
}

static void *import_slowly(void *moment)
{
	if (*(enum moment *)moment == THREAD) {
		read_event(1);
		return NULL;
	}
	hold_poll(*(enum moment *)moment == LIST ? HELD_LIST : HELD_REQUEST, HELD_NS);
	CHECK_OK(doca_mmap_destroy(import_map()));
	return NULL;
}

static void fork_during(enum moment moment)
{
	pthread_t thread;
	int status;
	pid_t child;

	CHECK_EQ(pthread_create(&thread, NULL, import_slowly, &moment), 0);
	await_held_poll();
	child = fork();
	CHECK(child >= 0);
	if (child == 0)
		import_in_child(moment);
	release_poll();
	CHECK_EQ(pthread_join(thread, NULL), 0);
	CHECK_EQ(waitpid(child, &status, 0), child);
	CHECK_EQ(status, 0);
	while (sem_trywait(&poll_may_continue) == 0)
		;
}

int main(int argc, char **argv)
{
	struct doca_mmap *first;

	exporter_main(argc, argv);
#if defined(__SANITIZE_THREAD__)
	SKIP("ThreadSanitizer ends a process that starts a thread after fork()");
#elif defined(__SANITIZE_ADDRESS__)
	SKIP("another thread may hold the lock of AddressSanitizer's allocator at the fork, and the child would wait without an end");
#endif
	CHECK_EQ(sem_init(&poll_is_held, 0, 0), 0);
	CHECK_EQ(sem_init(&poll_may_continue, 0, 0), 0);
	exporter_folder();
	start_event_exporter();
	exporter_start(&exporter);
	exporter_share(&exporter, DOCA_ACCESS_FLAG_PCI_READ_ONLY);
	dpu = rig_open_device("03:00.0");
	first = import_map();
	for (enum moment moment = LIST; moment <= THREAD; moment++)
		fork_during(moment);
	CHECK_OK(doca_mmap_destroy(first));
	CHECK_OK(doca_dev_close(dpu));
	exporter_quit(&exporter);
	CHECK(kill(event_exporter, SIGKILL) == 0 && waitpid(event_exporter, NULL, 0) == event_exporter);
	rig_check_nothing_is_left();
	exporter_remove_folder(1);
	return 0;
}
