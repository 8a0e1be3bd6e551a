#include "guard.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sd_log.h"

enum { SIZE_SEALS = F_SEAL_SHRINK | F_SEAL_GROW };

/* Seals the size for both processes, and makes all later mappings read-only. The creator's writable mapping already exists. */
static uint8_t seal(int fd)
{
	return fcntl(fd, F_ADD_SEALS, SIZE_SEALS | F_SEAL_FUTURE_WRITE | F_SEAL_SEAL) == 0;
}

/* Maps the memory and seals it. Returns the name of the failed system call, or NULL. */
static const char *make(int fd, unsigned long len, void **memory)
{
	if (ftruncate(fd, (off_t)len) != 0)
		return "ftruncate";
	*memory = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (*memory == MAP_FAILED)
		return "mmap";
	return seal(fd) ? NULL : "fcntl";
}

void *guard_create(const char *name, unsigned long len, int *fd)
{
	void *memory = MAP_FAILED;
	const char *failed = "memfd_create";

	*fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (*fd >= 0)
		failed = make(*fd, len, &memory);
	if (failed == NULL)
		return memory;
	SD_LOG_ERROR("cannot create the shared memory %s of exports: %s: %s", name, failed, strerror(errno));
	if (memory != MAP_FAILED)
		munmap(memory, len);
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
	return NULL;
}

void *guard_map(int fd, unsigned long len)
{
	int seals = fcntl(fd, F_GET_SEALS);
	struct stat status;
	void *memory;

	if (seals < 0 || (seals & SIZE_SEALS) != SIZE_SEALS)
		return NULL;
	if (fstat(fd, &status) != 0 || (unsigned long)status.st_size != len)
		return NULL;
	memory = mmap(NULL, len, PROT_READ, MAP_SHARED, fd, 0);
	return memory == MAP_FAILED ? NULL : memory;
}

unsigned int guard_enter(struct guard_pass *pass, uint64_t generation)
{
	static __thread unsigned int last; /* per thread, so threads rarely contend for one hold */

	for (unsigned int tries = 1;; tries++) {
		unsigned int hold = (last + tries - 1) % GUARD_HOLDS;
		uint64_t none = 0;

		if (atomic_load_explicit(&pass->holds[hold], memory_order_relaxed) == 0 &&
		    atomic_compare_exchange_strong(&pass->holds[hold], &none, generation)) {
			last = hold;
			return hold;
		}
		if (tries % GUARD_HOLDS == 0)
			sched_yield();
	}
}

void guard_leave(struct guard_pass *pass, unsigned int hold)
{
	atomic_store(&pass->holds[hold], 0);
}

uint8_t guard_is_valid(const struct guard_board *board, uint32_t slot, uint64_t generation)
{
	return atomic_load(&board->generations[slot]) == generation;
}

void guard_publish_last(struct guard_board *board, uint32_t slot, uint64_t generation, uint64_t value)
{
	struct guard_last *last = &board->lasts[slot];

	atomic_store(&last->generation, 0);
	atomic_store(&last->value, value);
	atomic_store(&last->generation, generation);
}

uint8_t guard_read_last(const struct guard_board *board, uint32_t slot, uint64_t generation, uint64_t *value)
{
	const struct guard_last *last = &board->lasts[slot];

	if (atomic_load(&last->generation) != generation)
		return 0;
	*value = atomic_load(&last->value);
	return atomic_load(&last->generation) == generation;
}

uint8_t guard_is_held(const struct guard_pass *pass, uint64_t generation)
{
	for (unsigned int i = 0; i < GUARD_HOLDS; i++) {
		if (atomic_load(&pass->holds[i]) == generation)
			return 1;
	}
	return 0;
}
