/* A child made by fork() inherits the memory of its parent's exports, not the exports: it has all slots for its own. */
#include <sys/wait.h>

#include "exporter.h"
#include "rendezvous.h"

enum { MAX_EXPORTS = 4096 };

static uint8_t memory[64];
static struct doca_dev *host, *dpu;
static struct doca_mmap *maps[MAX_EXPORTS];

static doca_error_t export_map(struct doca_mmap **map, const void **desc, size_t *len)
{
	CHECK_OK(doca_mmap_create(map));
	CHECK_OK(doca_mmap_set_memrange(*map, memory, sizeof(memory)));
	CHECK_OK(doca_mmap_set_permissions(*map, DOCA_ACCESS_FLAG_PCI_READ_WRITE));
	CHECK_OK(doca_mmap_add_dev(*map, host));
	CHECK_OK(doca_mmap_start(*map));
	return doca_mmap_export_pci(*map, host, desc, len);
}

/* Exports and imports before and after the child frees the memory of the parent's exports. */
static void be_child(void)
{
	struct doca_mmap *own[2], *imported;
	const void *desc;
	size_t len;

	for (int i = 0; i < 2; i++) {
		CHECK_OK(export_map(&own[i], &desc, &len));
		CHECK_OK(doca_mmap_create_from_export(NULL, desc, len, dpu, &imported));
		CHECK_OK(doca_mmap_destroy(imported));
		for (int m = 0; i == 0 && m < MAX_EXPORTS; m++)
			CHECK_OK(doca_mmap_destroy(maps[m]));
	}
	CHECK_OK(doca_mmap_destroy(own[0]));
	CHECK_OK(doca_mmap_destroy(own[1]));
	_exit(0);
}

int main(void)
{
	const void *desc;
	struct doca_mmap *map;
	size_t len;
	int status;
	pid_t child;

#ifdef __SANITIZE_THREAD__
	SKIP("ThreadSanitizer ends a process that starts a thread after fork()");
#endif
	make_own_folder();
	host = rig_open_device("81:00.0");
	dpu = rig_open_device("03:00.0");
	for (int i = 0; i < MAX_EXPORTS; i++)
		CHECK_OK(export_map(&maps[i], &desc, &len));
	child = fork();
	CHECK(child >= 0);
	if (child == 0)
		be_child();
	CHECK_EQ(waitpid(child, &status, 0), child);
	CHECK_EQ(status, 0);

	/* The parent keeps its exports and its sockets. */
	CHECK_OK(doca_mmap_create_from_export(NULL, desc, len, dpu, &map));
	CHECK_OK(doca_mmap_destroy(map));
	for (int i = 0; i < MAX_EXPORTS; i++)
		CHECK_OK(doca_mmap_destroy(maps[i]));
	CHECK_OK(doca_dev_close(host));
	CHECK_OK(doca_dev_close(dpu));
	rig_check_nothing_is_left();
	remove_own_folder();
	return 0;
}
