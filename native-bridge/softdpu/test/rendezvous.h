/* A separate rendezvous folder for a test, which must be empty at the end. */
#ifndef RENDEZVOUS_H
#define RENDEZVOUS_H

#include <dirent.h>
#include <fcntl.h>
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

/** Returns the number of open descriptors of this process. */
__attribute__((unused)) static int count_descriptors(void)
{
	return count_entries("/proc/self/fd") - 1;
}

#endif
