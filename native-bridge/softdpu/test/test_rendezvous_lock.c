/* A server takes locks of the rendezvous folder's files only under the folder's lock, also to remove files of dead servers. */
#include <sys/file.h>
#include <sys/syscall.h>

#include "exporter.h"
#include "rendezvous.h"

static uint8_t memory[64];
static uint8_t has_folder;
static int num_locked;

/* Replaces the function of the C library for the whole process. */
int flock(int fd, int operation)
{
	int result = (int)syscall(SYS_flock, fd, operation);
	struct stat status;

	CHECK(fstat(fd, &status) == 0);
	if (S_ISDIR(status.st_mode)) {
		if (result == 0)
			has_folder = (operation & LOCK_UN) == 0;
	} else if (operation & LOCK_EX) {
		CHECK(has_folder);
		num_locked++;
	}
	return result;
}

static void leave_file(const char *name)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", own_folder, name);
	fd = open(path, O_CREAT | O_WRONLY, 0600);
	CHECK(fd >= 0 && close(fd) == 0);
}

int main(void)
{
	struct doca_dev *host;
	struct doca_mmap *map;
	const void *desc;
	size_t len;

	make_own_folder();
	leave_file("memory.77.dead");
	leave_file("memory.77.dead.lock");
	host = rig_open_device("81:00.0");
	CHECK_OK(doca_mmap_create(&map));
	CHECK_OK(doca_mmap_set_memrange(map, memory, sizeof(memory)));
	CHECK_OK(doca_mmap_set_permissions(map, DOCA_ACCESS_FLAG_PCI_READ_WRITE));
	CHECK_OK(doca_mmap_add_dev(map, host));
	CHECK_OK(doca_mmap_start(map));
	CHECK_OK(doca_mmap_export_pci(map, host, &desc, &len));
	CHECK_EQ(num_locked, 2); /* the dead server's file and the own one */
	CHECK_EQ(count_entries(own_folder), 2); /* the own files */
	CHECK_OK(doca_mmap_destroy(map));
	CHECK_OK(doca_dev_close(host));
	rig_check_nothing_is_left();
	remove_own_folder();
	return 0;
}
