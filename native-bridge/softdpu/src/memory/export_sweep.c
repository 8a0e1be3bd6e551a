#include "export_sweep.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "sd_rendezvous.h"

static const char prefix[] = "memory.", suffix[] = ".lock";

static int is_lock(const char *name)
{
	size_t len = strlen(name);

	return strncmp(name, prefix, sizeof(prefix) - 1) == 0 && len > sizeof(suffix) &&
	       strcmp(name + len - (sizeof(suffix) - 1), suffix) == 0;
}

/* Skips a living exporter, which holds its lock. An exporter that opened the removed file creates another one. */
static void remove_if_dead(int folder_fd, const char *lock_name)
{
	int fd = openat(folder_fd, lock_name, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	char name[256];

	if (fd < 0)
		return;
	if (flock(fd, LOCK_EX | LOCK_NB) == 0) {
		size_t len = strlen(lock_name) - (sizeof(suffix) - 1);

		memcpy(name, lock_name, len);
		name[len] = '\0';
		unlinkat(folder_fd, name, 0);
		unlinkat(folder_fd, lock_name, 0);
	}
	close(fd);
}

void export_sweep(void)
{
	struct dirent *entry;
	int folder_fd;
	DIR *folder;

	if (sd_rendezvous_folder(&folder_fd) != DOCA_SUCCESS)
		return;
	folder = fdopendir(folder_fd);
	if (folder == NULL) {
		close(folder_fd);
		return;
	}
	while ((entry = readdir(folder)) != NULL) {
		if (is_lock(entry->d_name))
			remove_if_dead(folder_fd, entry->d_name);
	}
	closedir(folder);
}
