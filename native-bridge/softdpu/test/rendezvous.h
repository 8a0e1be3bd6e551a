/* A separate rendezvous folder for a test, which must be empty at the end. */
#ifndef RENDEZVOUS_H
#define RENDEZVOUS_H

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"

__attribute__((unused)) static char own_folder[64];

__attribute__((unused)) static void make_own_folder(void)
{
	strcpy(own_folder, "/tmp/softdpu-test-XXXXXX");
	CHECK(mkdtemp(own_folder) != NULL);
	CHECK(setenv("SOFTDPU_DIR", own_folder, 1) == 0);
}

/** Writes a key file of a mode into the folder, for SOFTDPU_RDMA_KEY. */
__attribute__((unused)) static void make_key(const char *name, uint8_t first, size_t len, mode_t mode)
{
	uint8_t key[128] = { first };
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", own_folder, name);
	fd = open(path, O_CREAT | O_EXCL | O_WRONLY, mode);
	CHECK(fd >= 0 && fchmod(fd, mode) == 0 && write(fd, key, len) == (ssize_t)len && close(fd) == 0);
	CHECK(setenv("SOFTDPU_RDMA_KEY", path, 1) == 0);
}

/** Switches RDMA over TCP on. */
__attribute__((unused)) static void make_own_key(void)
{
	make_key("key", 1, 32, 0600);
}

/** Removes a key file. */
__attribute__((unused)) static void remove_key(const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", own_folder, name);
	CHECK(unlink(path) == 0);
}

__attribute__((unused)) static int count_entries(const char *folder)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	int count = 0;

	CHECK(dir != NULL);
	while ((entry = readdir(dir)) != NULL)
		count += entry->d_name[0] != '.';
	closedir(dir);
	return count;
}

/** Fails if the folder is not empty. */
__attribute__((unused)) static void remove_own_folder(void)
{
	CHECK_EQ(count_entries(own_folder), 0);
	CHECK(rmdir(own_folder) == 0);
}

__attribute__((unused)) static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *position)
{
	(void)status;
	(void)type;
	(void)position;
	return remove(path);
}

/** Also removes the files that killed processes have left in the folder. */
__attribute__((unused)) static void remove_own_folder_and_files(void)
{
	CHECK(nftw(own_folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS) == 0);
}

/** Returns the number of open descriptors of this process. */
__attribute__((unused)) static int count_descriptors(void)
{
	return count_entries("/proc/self/fd") - 1;
}

#endif
