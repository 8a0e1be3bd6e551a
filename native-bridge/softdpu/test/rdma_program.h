/* Common functions of the RDMA programs, which use only the SDK. */
#ifndef RDMA_PROGRAM_H
#define RDMA_PROGRAM_H

#include <string.h>
#include <time.h>

#include <doca_buf_inventory.h>
#include <doca_ctx.h>
#include <doca_mmap.h>
#include <doca_pe.h>
#include <doca_rdma.h>

#include "program.h"

enum { BLOB_LEN = 512, PORT = 13579, LIMIT_S = 30 };

static const char *role;
static struct doca_dev *dev;
static struct doca_pe *pe;
static struct doca_rdma *rdma;
static struct doca_mmap *map;
static struct doca_buf_inventory *inventory;
static struct doca_rdma_addr *addr;		/* of the server; NULL: none */

static void fail(const char *what)
{
	fprintf(stderr, "%s: %s\n", role, what);
	exit(EXIT_FAILURE);
}

static void check_time(time_t begin, const char *what)
{
	if (time(NULL) > begin + LIMIT_S)
		fail(what);
}

#define PROGRESS_UNTIL(condition)                              \
	do {                                                   \
		time_t progress_begin = time(NULL);            \
		while (!(condition)) {                         \
			(void)doca_pe_progress(pe);            \
			check_time(progress_begin, #condition); \
		}                                              \
	} while (0)

static void write_file(const char *folder, const char *name, const void *bytes, size_t len)
{
	char path[512], ready[512];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s.part", folder, name);
	snprintf(ready, sizeof(ready), "%s/%s", folder, name);
	file = fopen(path, "w");
	if (file == NULL || fwrite(bytes, 1, len, file) != len || fclose(file) != 0 || rename(path, ready) != 0)
		fail("cannot write a file");
}

/* Blocks until the other program has written the file. */
static size_t read_file(const char *folder, const char *name, void *bytes)
{
	const struct timespec moment = { .tv_nsec = 1000000 };
	time_t begin = time(NULL);
	char path[512];
	FILE *file;
	size_t len;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	while ((file = fopen(path, "r")) == NULL) {
		check_time(begin, name);
		nanosleep(&moment, NULL);
	}
	len = fread(bytes, 1, BLOB_LEN, file);
	fclose(file);
	return len;
}

static void task_failed(struct doca_task *task, union doca_data task_data, union doca_data ctx_data)
{
	(void)task_data;
	(void)ctx_data;
	fail(doca_error_get_descr(doca_task_get_status(task)));
}

static void requested(struct doca_rdma_connection *from, union doca_data ctx_data)
{
	(void)ctx_data;
	MUST(doca_rdma_connection_accept(from, NULL, 0));
}

static void refused(struct doca_rdma_connection *with, union doca_data data, union doca_data ctx_data)
{
	(void)with;
	(void)data;
	(void)ctx_data;
	fail("connection refused");
}

/* Opens the device, the memory, an engine and a context. */
static void open_core(const char *address, void *memory, size_t len, uint32_t permissions)
{
	dev = open_device(address, NULL);
	MUST(doca_mmap_create(&map));
	MUST(doca_mmap_set_memrange(map, memory, len));
	MUST(doca_mmap_set_permissions(map, permissions));
	MUST(doca_mmap_add_dev(map, dev));
	MUST(doca_mmap_start(map));
	MUST(doca_buf_inventory_create(16, &inventory));
	MUST(doca_buf_inventory_start(inventory));
	MUST(doca_pe_create(&pe));
	MUST(doca_rdma_create(dev, &rdma));
	MUST(doca_rdma_set_rnr_retry_count(rdma, 7)); /* the other program may post its receive tasks late */
}

static void start_context(doca_rdma_connection_established_cb_t established,
			  doca_rdma_connection_disconnection_cb_t disconnected)
{
	MUST(doca_rdma_set_connection_state_callbacks(rdma, requested, established, refused, disconnected));
	MUST(doca_pe_connect_ctx(pe, doca_rdma_as_ctx(rdma)));
	MUST(doca_ctx_start(doca_rdma_as_ctx(rdma)));
}

static void connect_to_server(void)
{
	MUST(doca_rdma_addr_create(DOCA_RDMA_ADDR_TYPE_IPv4, "192.0.2.81", PORT, &addr));
	MUST(doca_rdma_connect_to_addr(rdma, addr, (union doca_data){ 0 }));
}

static void stop_context(void)
{
	enum doca_ctx_states state;

	(void)doca_ctx_stop(doca_rdma_as_ctx(rdma));
	PROGRESS_UNTIL((doca_ctx_get_state(doca_rdma_as_ctx(rdma), &state), state == DOCA_CTX_STATE_IDLE));
	MUST(doca_rdma_destroy(rdma));
	if (addr != NULL)
		MUST(doca_rdma_addr_destroy(addr));
}

static void close_core(void)
{
	MUST(doca_buf_inventory_destroy(inventory));
	MUST(doca_pe_destroy(pe));
	MUST(doca_mmap_stop(map));
	MUST(doca_mmap_destroy(map));
	MUST(doca_dev_close(dev));
}

#endif
