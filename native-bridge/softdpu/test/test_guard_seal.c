/*
 * A process that receives a pass or a board can only read it: it can neither map it writable, nor write it, nor resize it.
 * Otherwise a hostile exporter could fill the pass of an importer, and each of its copies would wait for a free place.
 */
#include <errno.h>

#include "../src/memory/guard.c" /* not exported by the library */
#include "check.h"

static void others_cannot_write(int fd)
{
	const uint64_t one = 1;

	CHECK(mmap(NULL, sizeof(struct guard_pass), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) == MAP_FAILED);
	CHECK_EQ(errno, EPERM);
	CHECK(pwrite(fd, &one, sizeof(one), 0) < 0);
	CHECK_EQ(errno, EPERM);
	CHECK(ftruncate(fd, 0) < 0);
	CHECK(ftruncate(fd, 2 * (off_t)sizeof(struct guard_pass)) < 0);
}

static void the_creator_writes_and_others_read(struct guard_pass *pass, int fd)
{
	struct guard_pass *other = guard_map(fd, sizeof(*other));
	unsigned int hold;

	CHECK(other != NULL);
	hold = guard_enter(pass, 7);
	CHECK(guard_is_held(other, 7));
	guard_leave(pass, hold);
	CHECK(!guard_is_held(other, 7));
	munmap(other, sizeof(*other));
}

int main(void)
{
	struct guard_pass *pass;
	int fd;

	pass = guard_create("test-pass", sizeof(*pass), &fd);
	CHECK(pass != NULL);
	others_cannot_write(fd);
	the_creator_writes_and_others_read(pass, fd);
	munmap(pass, sizeof(*pass));
	close(fd);
	return 0;
}
