/* A TCP port for RDMA without free descriptors: one line in the log for each shortage. The guest is accepted when it is over. */
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/socket.h>

#include "doca_log.h"
#include "rendezvous.h"
#include "rig.h"
#include "sd_tunnel.h"

enum { SHORTAGES = 2, ATTEMPTS = 3 };

static atomic_bool is_short;
static atomic_int num_failed, num_accepted, num_lines;

/* Replaces libc's function. */
int accept4(int fd, __SOCKADDR_ARG address, socklen_t *len, int flags)
{
	int (*next)(int, __SOCKADDR_ARG, socklen_t *, int) = dlsym(RTLD_NEXT, "accept4");
	int accepted;

	if (atomic_load(&is_short)) {
		atomic_fetch_add(&num_failed, 1);
		errno = EMFILE;
		return -1;
	}
	accepted = next(fd, address, len, flags);
	if (accepted >= 0)
		atomic_fetch_add(&num_accepted, 1);
	return accepted;
}

static void flush(char *text)
{
	CHECK(strstr(text, "SOFTDPU_RDMA_ADDRESS") != NULL && strstr(text, "accept4") != NULL);
	CHECK(strstr(text, strerror(EMFILE)) != NULL);
	atomic_fetch_add(&num_lines, 1);
}

static void await(atomic_int *count, int least)
{
	uint64_t deadline = rig_now_ms() + RIG_LIMIT_S * 1000;

	while (atomic_load(count) < least) {
		CHECK(rig_now_ms() < deadline);
		sched_yield();
	}
}

static int be_guest(uint16_t port)
{
	struct sockaddr_in gate = { .sin_family = AF_INET, .sin_port = htons(port) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	gate.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	CHECK(fd >= 0 && connect(fd, (struct sockaddr *)&gate, sizeof(gate)) == 0);
	return fd;
}

int main(void)
{
	struct doca_log_backend *backend;
	struct sd_gate *gate;
	static char line[1024];

	make_own_folder();
	make_own_key();
	CHECK_OK(doca_log_backend_create_with_buf_sdk(line, sizeof(line), flush, &backend));
	CHECK_OK(doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_ERROR));
	CHECK_OK(sd_tunnel_acquire());
	CHECK_OK(sd_gate_open(0, NULL, &gate));
	for (int i = 1; i <= SHORTAGES; i++) {
		int guest;

		atomic_store(&num_failed, 0);
		atomic_store(&is_short, true);
		guest = be_guest(sd_gate_port(gate));
		await(&num_failed, ATTEMPTS);
		CHECK_EQ(atomic_load(&num_lines), i);
		atomic_store(&is_short, false);
		await(&num_accepted, i);
		close(guest);
	}
	CHECK_EQ(atomic_load(&num_lines), SHORTAGES);
	sd_gate_close(gate);
	sd_tunnel_release();
	remove_key("key");
	remove_own_folder();
	return 0;
}
