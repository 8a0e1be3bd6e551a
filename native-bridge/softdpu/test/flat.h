/*
 * Checks whether repeated actions left resources behind: descriptors, threads, shared memory, files in the rendezvous folder,
 * and memory of this process.
 */
#ifndef FLAT_H
#define FLAT_H

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "rendezvous.h"

struct flat {
	int descriptors;
	int threads;
	int segments;		/* shared mappings */
	int files;
	long resident_kib;
};

/*
 * Sanitizers retain freed memory for a while. They detect leaks themselves, after a tenth of the rounds: each round takes
 * several times as long.
 */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { FLAT_ROOM_KIB = 1 << 20, FLAT_ROUND_DIVISOR = 10 };
#else
enum { FLAT_ROOM_KIB = 2048, FLAT_ROUND_DIVISOR = 1 };
#endif

__attribute__((unused)) static int count_segments(void)
{
	FILE *file = fopen("/proc/self/maps", "r");
	char line[512];
	int count = 0;

	CHECK(file != NULL);
	while (fgets(line, sizeof(line), file) != NULL)
		count += strstr(line, "memfd:softdpu") != NULL;
	fclose(file);
	return count;
}

/*
 * Returns the number of rounds; ten times as many in a long run, for which SOFTDPU_TEST_LONG is set; a tenth with a
 * sanitizer.
 */
__attribute__((unused)) static int flat_rounds(int rounds)
{
	int factor = getenv("SOFTDPU_TEST_LONG") == NULL ? 1 : 10;

	return rounds * factor / FLAT_ROUND_DIVISOR;
}

__attribute__((unused)) static struct flat flat_now(void)
{
	FILE *file = fopen("/proc/self/statm", "r");
	const char *folder = getenv("SOFTDPU_DIR");
	long total, resident;

	CHECK(file != NULL && fscanf(file, "%ld %ld", &total, &resident) == 2);
	fclose(file);
	return (struct flat){
		.descriptors = count_descriptors(),
		.threads = count_entries("/proc/self/task"),
		.segments = count_segments(),
		.files = folder == NULL ? 0 : count_entries(folder),
		.resident_kib = resident * (sysconf(_SC_PAGESIZE) / 1024),
	};
}

__attribute__((unused)) static void flat_print(const char *what, struct flat flat)
{
	printf("%s: %ld KiB resident, %d descriptors, %d threads, %d segments, %d files\n", what, flat.resident_kib,
	       flat.descriptors, flat.threads, flat.segments, flat.files);
	fflush(stdout);
}

__attribute__((unused)) static void flat_check(struct flat before)
{
	struct flat now = flat_now();

	printf("descriptors %d -> %d, resident %ld -> %ld KiB\n", before.descriptors, now.descriptors, before.resident_kib,
	       now.resident_kib);
	CHECK(now.descriptors <= before.descriptors); /* the service thread may have closed some since */
	CHECK_EQ(now.threads, before.threads);
	CHECK_EQ(now.segments, before.segments);
	CHECK_EQ(now.files, before.files);
	CHECK(now.resident_kib <= before.resident_kib + FLAT_ROOM_KIB);
}

#endif
