/*
 * A long transfer does not delay another connection, tasks of different connections are reported independently, and ended
 * connections do not accumulate.
 */
#include "rdma.h"

enum { LONG_MEMORY = 32 << 20, MANY = 20000, MAX_GROWTH_KIB = 2048 };

static struct rdma_pair pair;

/* One hardware thread, or none: the short task passes the long one only because that one is executed in parts. */
static void short_passes_long(void)
{
	struct doca_rdma_connection *other, *other_peer;
	struct doca_buf *src, *dst, *local, *remote;
	struct doca_mmap *map, *far, *imported;
	uint8_t *here = calloc(1, LONG_MEMORY), *there = calloc(1, LONG_MEMORY);
	const void *desc;
	size_t len;

	CHECK(here != NULL && there != NULL);
	memset(here, 0x3c, LONG_MEMORY);
	rdma_pair_open(&pair, RDMA_ALL, RDMA_ALL);
	rdma_connect(&pair, &other, &other_peer);
	CHECK_OK(doca_mmap_create(&map));
	CHECK_OK(doca_mmap_set_memrange(map, here, LONG_MEMORY));
	CHECK_OK(doca_mmap_add_dev(map, pair.requester.dev));
	CHECK_OK(doca_mmap_start(map));
	CHECK_OK(doca_mmap_create(&far));
	CHECK_OK(doca_mmap_set_memrange(far, there, LONG_MEMORY));
	CHECK_OK(doca_mmap_set_permissions(far, RDMA_ALL));
	CHECK_OK(doca_mmap_add_dev(far, pair.responder.dev));
	CHECK_OK(doca_mmap_start(far));
	CHECK_OK(doca_mmap_export_rdma(far, pair.responder.dev, &desc, &len));
	CHECK_OK(doca_mmap_create_from_export(NULL, desc, len, pair.requester.dev, &imported));
	CHECK_OK(doca_buf_inventory_buf_get_by_data(pair.requester.inventory, map, here, LONG_MEMORY, &src));
	CHECK_OK(doca_buf_inventory_buf_get_by_addr(pair.requester.inventory, imported, there, LONG_MEMORY, &dst));
	local = rdma_local(&pair, 0, 8, 1);
	remote = rdma_remote(&pair, 0, 8, 0);
	rdma_submit(&pair, RDMA_WRITE, pair.connection, src, dst, 0);
	for (uint64_t i = 1; i <= 3; i++)
		rdma_submit(&pair, RDMA_WRITE, other, local, remote, i);
	rdma_wait(&pair, 4);
	CHECK_EQ(pair.requester.completed, 4);
	CHECK_EQ(pair.requester.order[3], 0); /* the long one is last */
	CHECK(memcmp(here, there, LONG_MEMORY) == 0);
	rig_drop(local);
	rig_drop(remote);
	rig_drop(src);
	rig_drop(dst);
	CHECK_OK(doca_mmap_destroy(imported));
	CHECK_OK(doca_mmap_destroy(far));
	CHECK_OK(doca_mmap_destroy(map));
	rdma_pair_close(&pair);
	free(here);
	free(there);
}

static long resident_kib(void)
{
	FILE *file = fopen("/proc/self/status", "re");
	char line[256];
	long kib = -1;

	CHECK(file != NULL);
	while (kib < 0 && fgets(line, sizeof(line), file) != NULL)
		(void)sscanf(line, "VmRSS: %ld", &kib);
	fclose(file);
	return kib;
}

static void connect_often(int times)
{
	for (int i = 0; i < times; i++) {
		struct doca_rdma_connection *connection, *peer;

		rdma_connect(&pair, &connection, &peer);
		CHECK_OK(doca_rdma_connection_disconnect(i % 2 == 0 ? connection : peer));
	}
}

static void memory_is_flat(void)
{
	long before;

	rdma_pair_open(&pair, RDMA_ALL, RDMA_ALL);
	connect_often(100);
	before = resident_kib();
	connect_often(MANY);
#ifndef __SANITIZE_ADDRESS__
	CHECK(resident_kib() - before < MAX_GROWTH_KIB);
#else
	(void)before; /* the sanitizer keeps freed memory */
#endif
	CHECK_OK(rdma_transfer(&pair, pair.connection, 1, 0, 64));
	rdma_pair_close(&pair);
}

int main(void)
{
	CHECK_OK(softdpu_set_threads(1));
	short_passes_long();
	memory_is_flat();
	CHECK_OK(softdpu_set_execution(SOFTDPU_EXECUTION_INLINE));
	short_passes_long();
	return 0;
}
