/* Whether something that was done many times left anything behind: descriptors, and memory of this process. */
#ifndef FLAT_H
#define FLAT_H

#include <stdio.h>
#include <unistd.h>

#include "rendezvous.h"

struct flat {
	int descriptors;
	long resident_kib;
};

/* Sanitizers keep freed memory for a while; they find leaks in a way of their own. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { FLAT_ROOM_KIB = 1 << 20 };
#else
enum { FLAT_ROOM_KIB = 2048 };
#endif

__attribute__((unused)) static struct flat flat_now(void)
{
	FILE *file = fopen("/proc/self/statm", "r");
	long total, resident;

	CHECK(file != NULL && fscanf(file, "%ld %ld", &total, &resident) == 2);
	fclose(file);
	return (struct flat){ .descriptors = count_descriptors(), .resident_kib = resident * (sysconf(_SC_PAGESIZE) / 1024) };
}

__attribute__((unused)) static void flat_check(struct flat before)
{
	struct flat now = flat_now();

	CHECK_EQ(now.descriptors, before.descriptors);
	CHECK(now.resident_kib <= before.resident_kib + FLAT_ROOM_KIB);
}

#endif
