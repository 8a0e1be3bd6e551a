/*
 * A system call that fails in the software DPU: one line in the log names the affected object, the call and the cause. The failed
 * function returns an error, and its next call succeeds.
 */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "comch_data.h"
#include "doca_log.h"
#include "sd_service.h"

enum { IDLE_CALLS = 100 /* more than an engine needs before it polls */ };

static const char *_Atomic failing;	/* the call that fails; NULL: none */
static _Atomic int reason;
static _Atomic uint8_t is_lasting;	/* all later calls fail too */

static uint8_t fails(const char *call)
{
	const char *chosen = failing;

	if (chosen == NULL || strcmp(call, chosen) != 0)
		return 0;
	if (!is_lasting)
		failing = NULL;
	errno = reason;
	return 1;
}

/* Replaces a function of libc. */
#define CALL(call, parameters, ...)                                                  \
	int call parameters                                                          \
	{                                                                            \
		int(*next) parameters = dlsym(RTLD_NEXT, #call);                     \
                                                                                     \
		return fails(#call) ? -1 : next(__VA_ARGS__);                        \
	}

CALL(epoll_create1, (int flags), flags)
CALL(eventfd, (unsigned int count, int flags), count, flags)
CALL(memfd_create, (const char *name, unsigned int flags), name, flags)
CALL(ftruncate, (int fd, off_t len), fd, len)
CALL(socketpair, (int domain, int type, int protocol, int fds[2]), domain, type, protocol, fds)
CALL(socket, (int domain, int type, int protocol), domain, type, protocol)
CALL(accept4, (int fd, __SOCKADDR_ARG address, socklen_t *len, int flags), fd, address, len, flags)

/* Fails for new descriptors only. */
int epoll_ctl(int epoll_fd, int operation, int fd, struct epoll_event *event)
{
	int (*next)(int, int, int, struct epoll_event *) = dlsym(RTLD_NEXT, "epoll_ctl");

	return operation == EPOLL_CTL_ADD && fails("epoll_ctl") ? -1 : next(epoll_fd, operation, fd, event);
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *wanted[3];	/* the object, the call and the cause */
static int num_lines, num_matches;
static char line[1024];

static void flush(char *text)
{
	uint8_t is_match = 1;

	pthread_mutex_lock(&lock);
	for (int i = 0; i < 3; i++)
		is_match &= wanted[i] != NULL && strstr(text, wanted[i]) != NULL;
	num_lines++;
	num_matches += is_match;
	pthread_mutex_unlock(&lock);
	if (!is_match)
		fputs(text, stderr);
}

static void fail_call(const char *object, const char *call, int error)
{
	pthread_mutex_lock(&lock);
	num_lines = num_matches = 0;
	wanted[0] = object;
	wanted[1] = call;
	wanted[2] = strerror(error);
	pthread_mutex_unlock(&lock);
	reason = error;
	is_lasting = 0;
	failing = call;
}

static void check_one_line(void)
{
	CHECK(failing == NULL || is_lasting);
	failing = NULL;
	pthread_mutex_lock(&lock);
	CHECK_EQ(num_lines, 1);
	CHECK_EQ(num_matches, 1);
	pthread_mutex_unlock(&lock);
}

static void engine(void)
{
	struct doca_pe *pe;

	fail_call("progress engine", "eventfd", EMFILE);
	CHECK_ERROR(doca_pe_create(&pe), DOCA_ERROR_NO_MEMORY);
	check_one_line();
	CHECK_OK(doca_pe_create(&pe));
	CHECK_OK(doca_pe_destroy(pe));
}

static struct side server, client;

static void descriptors_of_service(const char *call)
{
	CHECK_OK(softdpu_set_execution(SOFTDPU_EXECUTION_INLINE)); /* the engine needs no descriptor */
	side_create_server(&server, "calls");
	fail_call("service thread", call, ENFILE);
	CHECK_ERROR(doca_ctx_start(server.ctx), DOCA_ERROR_INITIALIZATION);
	check_one_line();
	CHECK_OK(doca_ctx_start(server.ctx));
	side_close(&server, NULL);
	CHECK_OK(softdpu_set_execution(SOFTDPU_EXECUTION_THREADS));
}

static void sources_of_engine(void)
{
	side_create_server(&server, "calls");
	fail_call("progress engine", "epoll_create1", EMFILE);
	CHECK_ERROR(doca_ctx_start(server.ctx), DOCA_ERROR_INITIALIZATION);
	check_one_line();
	CHECK_OK(doca_ctx_start(server.ctx));
}

static void socket_of_client(void)
{
	side_create_client(&client, "calls");
	fail_call(".calls.", "socket", EMFILE);
	CHECK_ERROR(doca_ctx_start(client.ctx), DOCA_ERROR_IN_PROGRESS);
	SIDE_PROGRESS_UNTIL(&server, &client, side_state(&client) == DOCA_CTX_STATE_IDLE);
	CHECK_ERROR(softdpu_comch_client_get_failure(client.client), DOCA_ERROR_OPERATING_SYSTEM);
	check_one_line();
}

/* The server tries again every 10 ms, and logs the shortage once. */
static void shortage_of_server(void)
{
	uint64_t end;

	fail_call(".calls.", "accept4", EMFILE);
	is_lasting = 1;
	client.num_states = 0;
	CHECK_ERROR(doca_ctx_start(client.ctx), DOCA_ERROR_IN_PROGRESS);
	for (end = rig_now_ms() + 100; rig_now_ms() < end;) {
		side_progress(&server);
		side_progress(&client);
	}
	check_one_line();
	SIDE_PROGRESS_UNTIL(&server, &client, side_state(&client) == DOCA_CTX_STATE_RUNNING);
}

/* The engine polls again after a sleep, and may not read its socket: the service thread reads. The log names that once. */
static void sources_of_polling_engine(void)
{
	for (int i = 0; i < 2; i++) {
		int received = server.num_received;

		CHECK_OK(doca_pe_request_notification(server.pe));
		for (int j = 0; j < IDLE_CALLS; j++)
			(void)doca_pe_progress(server.pe);
		if (i == 0)
			fail_call("progress engine", "epoll_ctl", ENOSPC);
		is_lasting = 1;
		CHECK_OK(side_send(&client, "text", 4));
		SIDE_PROGRESS_UNTIL(&server, &client, server.num_received > received);
	}
	check_one_line();
}

/* The program has closed a descriptor of the library. */
static void closed_descriptor(void)
{
	struct sd_watch watch = { 0 };
	int fd = eventfd(0, 0);

	CHECK_OK(sd_service_acquire());
	CHECK(fd >= 0);
	CHECK_OK(sd_service_watch(&watch, fd, 0, NULL));
	close(fd);
	fail_call("service thread", "epoll_ctl", EBADF);
	failing = NULL;
	for (int i = 0; i < 3; i++)
		sd_service_rearm(&watch, EPOLLIN);
	check_one_line();
	sd_service_unwatch(&watch);
	sd_service_release();
}

static void start_of_consumer(const char *call, int error)
{
	struct data consumer;

	data_create_consumer(&consumer, &client, client.pe);
	fail_call("comch \"calls\"", call, error);
	CHECK_ERROR(doca_ctx_start(consumer.ctx), DOCA_ERROR_INITIALIZATION);
	check_one_line();
	data_start_consumer(&consumer, &server, &client);
	data_stop(&consumer, &server, &client);
	data_close(&consumer);
}

static void export_of_memory(const char *call)
{
	static uint8_t memory[4096];
	struct doca_dev *dev = rig_open_device("03:00.0");
	struct doca_mmap *map;
	const void *desc;
	size_t len;

	CHECK_OK(doca_mmap_create(&map));
	CHECK_OK(doca_mmap_set_memrange(map, memory, sizeof(memory)));
	CHECK_OK(doca_mmap_add_dev(map, dev));
	CHECK_OK(doca_mmap_set_permissions(map, DOCA_ACCESS_FLAG_PCI_READ_WRITE));
	CHECK_OK(doca_mmap_start(map));
	fail_call("exports", call, ENFILE);
	CHECK(doca_mmap_export_pci(map, dev, &desc, &len) != DOCA_SUCCESS);
	check_one_line();
	CHECK_OK(doca_mmap_destroy(map));
	CHECK_OK(doca_dev_close(dev));
}

int main(void)
{
	struct doca_log_backend *backend;

	make_own_folder();
	CHECK_OK(doca_log_backend_create_with_buf_sdk(line, sizeof(line), flush, &backend));
	CHECK_OK(doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_ERROR));
	engine();
	export_of_memory("memfd_create");
	export_of_memory("ftruncate");
	descriptors_of_service("epoll_create1");
	descriptors_of_service("eventfd");
	sources_of_engine();
	socket_of_client();
	shortage_of_server();
	sources_of_polling_engine();
	closed_descriptor();
	start_of_consumer("memfd_create", EMFILE);
	start_of_consumer("ftruncate", ENOMEM);
	start_of_consumer("socketpair", EMFILE);
	sides_close(&server, &client);
	remove_own_folder();
	return 0;
}
