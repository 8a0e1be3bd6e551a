/*
 * RDMA over TCP: settings; libssl; a peer with another key; peers with the key that request other sockets; the number of
 * descriptors. Bytes without a key occupy a bounded number of descriptors for a bounded time. test_rdma_processes, test_rdma_manager and
 * test_rdma_hosts repeat their checks by TCP.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>

#include "../src/rdma/rdma_details.h"
#include "doca_log.h"
#include "rdma_tasks.h"
#include "sd_random.h"
#include "sd_tunnel.h"

/* PASSING: descriptors of an accepted guest before the oldest one ends, and of both ends of a tunnel that closes. */
enum { GUESTS = 64, PASSING = 8, MANY = 200, NOISES = 300, GREETING_LIMIT_MS = 5000, MORE = 3 };

/* --- settings --- */

static void context_is_refused(void)
{
	struct rdma_side side = { 0 };
	const char *problem = softdpu_get_problem();

	CHECK_OK(doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_CRIT)); /* the error is expected */
	CHECK(problem != NULL && strstr(problem, getenv("EXPECTED")) != NULL);
	rdma_side_open(&side, "03:00.0", 0);
	CHECK_ERROR(doca_ctx_start(side.ctx), DOCA_ERROR_INITIALIZATION);
	rdma_side_close(&side);
}

static void expect_problem(const char *text)
{
	CHECK(setenv("EXPECTED", text, 1) == 0);
	run_with("SOFTDPU_RDMA_PATH", "tcp", "--refused");
}

static void wrong_settings(void)
{
	char path[128];

	expect_problem("SOFTDPU_RDMA_KEY must name");
	make_key("open", 1, 32, 0640);
	expect_problem("mode 0600; this has user");
	make_key("short", 1, 31, 0600);
	expect_problem("32 to 64 bytes");
	make_key("long", 1, 65, 0600);
	expect_problem("32 to 64 bytes");
	snprintf(path, sizeof(path), "%s/none", own_folder);
	CHECK(setenv("SOFTDPU_RDMA_KEY", path, 1) == 0);
	expect_problem("open: No such file");
	remove_key("open");
	remove_key("short");
	remove_key("long");
	make_own_key();
	CHECK(setenv("SOFTDPU_RDMA_ADDRESS", "0.0.0.0", 1) == 0);
	expect_problem("in digits");
	CHECK(setenv("SOFTDPU_RDMA_ADDRESS", "host", 1) == 0);
	expect_problem("in digits");
	CHECK(unsetenv("SOFTDPU_RDMA_ADDRESS") == 0);
}

/* --- libssl --- */

static int is_libssl_loaded(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[512];
	int is_loaded = 0;

	CHECK(maps != NULL);
	while (fgets(line, sizeof(line), maps) != NULL)
		is_loaded |= strstr(line, "libssl") != NULL;
	fclose(maps);
	return is_loaded;
}

/* Only a process with a key loads libssl. */
static void load_libssl(void)
{
	struct rdma_side side = { 0 };

	rdma_side_open(&side, "03:00.0", 0);
	CHECK_OK(doca_ctx_start(side.ctx));
	CHECK_EQ(is_libssl_loaded(), getenv("SOFTDPU_RDMA_KEY") != NULL);
	rdma_side_stop(&side);
	rdma_side_close(&side);
}

/* --- keys --- */

static void use_other_key(void)
{
	if (setenv("SOFTDPU_RDMA_KEY", getenv("OTHER_KEY"), 1) != 0)
		_exit(1);
}

/* Counts the lines of the log, of both processes, about TLS. */
static int count_errors(const char *log)
{
	FILE *file = fopen(log, "r");
	char line[512];
	int count = 0;

	CHECK(file != NULL);
	while (fgets(line, sizeof(line), file) != NULL)
		count += strstr(line, "no TLS session") != NULL && strstr(line, "same key in SOFTDPU_RDMA_KEY") != NULL;
	fclose(file);
	return count;
}

static void other_key(void)
{
	char log[128];
	const struct responder_message *answer;
	struct doca_mmap *map;

	snprintf(log, sizeof(log), "%s/log", getenv("SOFTDPU_DIR"));
	CHECK(freopen(log, "w", stderr) != NULL && setvbuf(stderr, NULL, _IONBF, 0) == 0); /* the responder inherits it */
	responder_enter = use_other_key;
	memset(&pair, 0, sizeof(pair));
	responder_start(&responder);
	rdma_side_open(&pair.requester, "03:00.0", 0);
	CHECK_OK(doca_ctx_start(pair.requester.ctx));
	answer = RESPONDER_DO(&responder, .order = RESPONDER_EXPORT, .map_permissions = RDMA_ALL, .context_permissions = RDMA_ALL);
	CHECK_ERROR(doca_mmap_create_from_export(NULL, answer->map, answer->map_len, pair.requester.dev, &map),
		    DOCA_ERROR_INVALID_VALUE);
	responder_quit(&responder);
	rdma_side_stop(&pair.requester);
	rdma_side_close(&pair.requester);
	CHECK_EQ(count_errors(log), 2); /* one per side */
	CHECK(unlink(log) == 0);
	rig_check_nothing_is_left();
}

/* --- bytes without a key --- */

static struct sockaddr_in gate;

static int connect_raw(void)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	CHECK(fd >= 0 && connect(fd, (struct sockaddr *)&gate, sizeof(gate)) == 0);
	return fd;
}

static void expect_end(int fd, int limit_ms)
{
	struct pollfd wait = { .fd = fd, .events = POLLIN };
	uint64_t deadline = rig_now_ms() + (uint64_t)limit_ms;
	char bytes[256];

	do { /* an alert may come first */
		CHECK(poll(&wait, 1, limit_ms) == 1);
		CHECK(rig_now_ms() < deadline);
	} while (recv(fd, bytes, sizeof(bytes), 0) > 0);
	close(fd);
}

/* Random bytes, half of them after the head of a TLS record with a handshake. */
static void noise(void)
{
	uint64_t seed = 11;

	for (int i = 0; i < NOISES; i++) {
		uint8_t bytes[512] = { 22, 3, 1, 1, 250, 1, 0, 1, 246, 3, 3 };
		size_t len = 1 + sd_random_next(&seed) % sizeof(bytes);
		int fd = connect_raw();

		for (size_t at = i % 2 == 0 ? 0 : 11; at < len; at++)
			bytes[at] = (uint8_t)sd_random_next(&seed);
		(void)!send(fd, bytes, len, MSG_NOSIGNAL);
		CHECK(shutdown(fd, SHUT_WR) == 0 || errno == ENOTCONN);
		expect_end(fd, RESPONDER_LIMIT_MS);
	}
}

/* Silent guests hold a bounded number of descriptors. Honest peers connect meanwhile. The deadline ends the silent ones. */
static void silence(const void *map, size_t map_len)
{
	struct doca_mmap *imported;
	int fds[MANY], before = count_descriptors();

	for (int i = 0; i < MANY; i++)
		fds[i] = connect_raw();
	CHECK_OK(doca_mmap_create_from_export(NULL, map, map_len, pair.requester.dev, &imported));
	CHECK_OK(doca_mmap_destroy(imported));
	CHECK(count_descriptors() <= before + MANY + GUESTS + PASSING);
	for (int i = 0; i < MANY; i++)
		expect_end(fds[i], GREETING_LIMIT_MS + RESPONDER_LIMIT_MS);
}

/* --- peers with the key --- */

static void expect_refused(const char *name, uint16_t port)
{
	static const uint8_t loopback[SD_TCP_ADDRESS_LEN] = { [10] = 0xff, 0xff, 127, [15] = 1 };
	struct pollfd wait = { .events = POLLIN };
	char byte;

	CHECK_OK(sd_tunnel_connect(loopback, port, name, &wait.fd));
	CHECK(poll(&wait, 1, RESPONDER_LIMIT_MS) == 1);
	CHECK_EQ(recv(wait.fd, &byte, 1, 0), 0);
	close(wait.fd);
}

static void other_sockets(uint16_t port)
{
	static const char *const names[] = { "", "comch.1.x", "rdma./../../run/x", "rdma.none", "memory.none" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		expect_refused(names[i], port);
}

static void hostile(void)
{
	struct rdma_details details;
	const void *desc;
	uint8_t map[256];
	size_t len, map_len;

	CHECK_OK(doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_CRIT)); /* the errors are expected */
	rdma_pair_open(&pair, RDMA_ALL, RDMA_ALL);
	CHECK_OK(doca_rdma_export(pair.responder.rdma, &desc, &len, &pair.peer));
	memcpy(&details, desc, sizeof(details));
	CHECK_OK(doca_mmap_export_rdma(pair.responder.map, pair.responder.dev, &desc, &map_len));
	memcpy(map, desc, map_len);
	gate = (struct sockaddr_in){ .sin_family = AF_INET, .sin_port = htons(details.endpoint.port) };
	gate.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	noise();
	silence(map, map_len);
	other_sockets(details.endpoint.port);
	rdma_pair_close(&pair);
}

/* --- descriptors --- */

static int count_descriptors_of(pid_t pid)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/fd", (int)pid);
	return count_entries(path);
}

/* A connection has at most one descriptor on each side. The first one may have another until both ends have agreed on its socket. */
static void descriptors(void)
{
	int here, there;

	responder_open_pair(&pair, &responder, RDMA_ALL, RDMA_ALL, 7);
	CHECK_OK(run_one(RDMA_WRITE, 0, 8));
	here = count_descriptors();
	there = count_descriptors_of(responder.pid);
	for (int i = 0; i < MORE; i++) {
		responder_connect(&pair, &responder, RDMA_ALL, RDMA_ALL, REQUESTER_ONLY);
		CHECK_OK(run_one(RDMA_WRITE, 0, 8)); /* the connection is established */
	}
	RIG_PROGRESS_UNTIL(pair.requester.pe, count_descriptors() <= here + MORE &&
			   count_descriptors_of(responder.pid) <= there + MORE);
	responder_quit(&responder);
	responder_close_pair(&pair);
}

static const struct part parts[] = {
	{ "--refused", context_is_refused }, { "--libssl", load_libssl },      { "--other-key", other_key },
	{ "--hostile", hostile },	     { "--descriptors", descriptors }, { NULL, NULL },
};

int main(int argc, char **argv)
{
	char other[128];

	responder_main(argc, argv);
	if (run_part(parts, argc, argv))
		return 0;
	make_own_folder();
	run_with("SOFTDPU_RDMA_PATH", "auto", "--libssl");
	wrong_settings();
	make_key("other", 2, 32, 0600);
	strcpy(other, getenv("SOFTDPU_RDMA_KEY"));
	remove_key("key");
	make_own_key();
	CHECK(setenv("OTHER_KEY", other, 1) == 0);
	for (const struct part *part = parts + 1; part->name != NULL; part++)
		run_with("SOFTDPU_RDMA_PATH", "tcp", part->name);
	remove_key("key");
	remove_key("other");
	remove_own_folder();
	return 0;
}
