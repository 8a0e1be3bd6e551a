/*
 * The largest transfers, of 1 GiB, between two processes: a message by a Unix socket, a write and a read by direct copies. The
 * test is skipped with a sanitizer, and on machines with less than 4 GiB of available memory.
 */
#define RDMA_MEMORY (1 << 30)
#define RIG_LIMIT_S 100

#include "rdma_tasks.h"

static uint64_t available_kib(void)
{
	FILE *file = fopen("/proc/meminfo", "r");
	char line[128];
	uint64_t kib = 0;

	CHECK(file != NULL);
	while (kib == 0 && fgets(line, sizeof(line), file) != NULL)
		(void)sscanf(line, "MemAvailable: %lu", &kib);
	fclose(file);
	return kib;
}

/* Parts of the memory whose content is checked. */
enum { WINDOW = 200000 };
static const size_t windows[] = { 0, (RDMA_MEMORY - WINDOW) / 2, RDMA_MEMORY - WINDOW };

#define EACH_WINDOW(i) for (size_t w = 0; w < sizeof(windows) / sizeof(windows[0]); w++) \
	for (size_t i = windows[w]; i < windows[w] + WINDOW; i++)

static void fill_windows(uint64_t seed)
{
	EACH_WINDOW (i)
		pair.requester.memory[i] = responder_byte(i, seed);
}

static void check_windows_of_responder(uint64_t seed)
{
	for (size_t w = 0; w < sizeof(windows) / sizeof(windows[0]); w++)
		check_responder(windows[w], WINDOW, seed);
}

static void largest_message(void)
{
	responder_open_pair(&pair, &responder, RDMA_ALL, RDMA_ALL, 7);
	fill_windows(1);
	(void)RESPONDER_DO(&responder, .order = RESPONDER_POST, .count = 1, .offset = 0, .len = RDMA_MEMORY);
	CHECK_OK(run_one(RDMA_SEND, 0, RDMA_MEMORY));
	CHECK_EQ(RESPONDER_DO(&responder, .order = RESPONDER_RECEIVE, .count = 1)->len, RDMA_MEMORY);
	check_windows_of_responder(1);
	responder_quit(&responder);
	responder_close_pair(&pair);
}

static void largest_write_and_read(void)
{
	responder_open_pair(&pair, &responder, RDMA_ALL, RDMA_ALL, 7);
	fill_windows(2);
	CHECK_OK(run_one(RDMA_WRITE, 0, RDMA_MEMORY));
	check_windows_of_responder(2);
	fill_windows(3);
	CHECK_OK(run_one(RDMA_READ, 0, RDMA_MEMORY));
	EACH_WINDOW (i)
		CHECK_EQ(pair.requester.memory[i], responder_byte(i, 2));
	responder_quit(&responder);
	responder_close_pair(&pair);
}

static const struct part parts[] = {
	{ "--message", largest_message },
	{ "--write-and-read", largest_write_and_read },
	{ NULL, NULL },
};

int main(int argc, char **argv)
{
	responder_main(argc, argv);
	if (run_part(parts, argc, argv))
		return 0;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	return 77;
#endif
	if (available_kib() < 4u << 20) {
		printf("skipped: less than 4 GiB of memory are available\n");
		return 77;
	}
	make_own_folder();
	run_with("SOFTDPU_RDMA_PATH", "unix", "--message");
	run_with("SOFTDPU_RDMA_PATH", "direct", "--write-and-read");
	remove_own_folder_and_files();
	return 0;
}
