#include "ring.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sd_log.h"

enum { SIZE_SEALS = F_SEAL_SHRINK | F_SEAL_GROW };

static uint32_t round_up(uint32_t number)
{
	uint32_t power = 1;

	while (power < number)
		power *= 2;
	return power;
}

/* A ring that this process has mapped. Both ends of a connection in one process share one mapping. */
struct mapping {
	struct mapping *next;
	struct comch_ring *ring;
	size_t size;
	dev_t device;
	ino_t inode;
	uint32_t num_users;
};

static pthread_mutex_t mappings_lock = PTHREAD_MUTEX_INITIALIZER;
static struct mapping *mappings;

/* The lock must be held. */
static struct mapping *make_mapping(int fd, const struct stat *status)
{
	struct mapping *mapping = malloc(sizeof(*mapping));
	void *memory;

	if (mapping == NULL)
		return NULL;
	memory = mmap(NULL, (size_t)status->st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (memory == MAP_FAILED) {
		free(mapping);
		return NULL;
	}
	*mapping = (struct mapping){ .next = mappings, .ring = memory, .size = (size_t)status->st_size, .device = status->st_dev,
				     .inode = status->st_ino };
	mappings = mapping;
	return mapping;
}

/* Returns true if seals prevent both processes from changing the file's size. */
static uint8_t has_fixed_size(int fd)
{
	int seals = fcntl(fd, F_GET_SEALS);

	return seals >= 0 && (seals & SIZE_SEALS) == SIZE_SEALS;
}

/* Maps a ring, or reuses its mapping. Returns NULL if the file is not a ring. */
static const struct mapping *map(int fd)
{
	struct mapping *mapping;
	struct stat status;

	/* The check of the seals comes first: afterwards, the size that fstat() reports is final. */
	if (!has_fixed_size(fd) || fstat(fd, &status) != 0 || status.st_size < (off_t)comch_ring_size(1) ||
	    status.st_size > (off_t)comch_ring_size(COMCH_MAX_SLOTS))
		return NULL;
	pthread_mutex_lock(&mappings_lock);
	mapping = mappings;
	while (mapping != NULL && (mapping->inode != status.st_ino || mapping->device != status.st_dev))
		mapping = mapping->next;
	if (mapping == NULL)
		mapping = make_mapping(fd, &status);
	if (mapping != NULL)
		mapping->num_users++;
	pthread_mutex_unlock(&mappings_lock);
	return mapping;
}

void comch_ring_close(struct comch_ring *ring)
{
	struct mapping **place = &mappings, *mapping;

	pthread_mutex_lock(&mappings_lock);
	while ((*place)->ring != ring)
		place = &(*place)->next;
	mapping = *place;
	if (--mapping->num_users == 0) {
		*place = mapping->next;
		munmap(mapping->ring, mapping->size);
		free(mapping);
	}
	pthread_mutex_unlock(&mappings_lock);
}

/* Returns the name of the failed system call, or NULL. */
static const char *set_up(int fd, size_t size, const struct mapping **mapping)
{
	if (ftruncate(fd, (off_t)size) != 0)
		return "ftruncate";
	if (fcntl(fd, F_ADD_SEALS, SIZE_SEALS | F_SEAL_SEAL) != 0)
		return "fcntl";
	*mapping = map(fd);
	return *mapping == NULL ? "mmap" : NULL;
}

doca_error_t comch_ring_create(const char *name, uint32_t num_tasks, uint32_t max_imm_len, struct comch_ring **ring, int *fd)
{
	uint32_t num_slots = round_up(num_tasks);
	const struct mapping *mapping = NULL;
	const char *failed = "memfd_create";

	*fd = memfd_create("softdpu-comch", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (*fd >= 0)
		failed = set_up(*fd, comch_ring_size(num_slots), &mapping);
	if (failed != NULL) {
		SD_LOG_ERROR("comch \"%s\": cannot create the ring of a consumer: %s: %s", name, failed, strerror(errno));
		if (*fd >= 0)
			close(*fd);
		return DOCA_ERROR_NO_MEMORY;
	}
	*ring = mapping->ring;
	(*ring)->magic = COMCH_RING_MAGIC;
	(*ring)->num_slots = num_slots;
	(*ring)->max_imm_len = max_imm_len;
	return DOCA_SUCCESS;
}

/*
 * Checks the header against the mapping, whose size no process can change. Reads num_slots and max_imm_len only once, because
 * another process can change them.
 */
static uint8_t is_sound(const struct mapping *mapping, uint32_t *num_slots, uint32_t *max_imm_len)
{
	const struct comch_ring *ring = mapping->ring;

	*num_slots = ring->num_slots;
	*max_imm_len = ring->max_imm_len;
	return ring->magic == COMCH_RING_MAGIC && *num_slots > 0 && *num_slots <= COMCH_MAX_SLOTS &&
	       (*num_slots & (*num_slots - 1)) == 0 && mapping->size == comch_ring_size(*num_slots) && *max_imm_len <= COMCH_MAX_IMM;
}

doca_error_t comch_ring_open(int fd, struct comch_ring **ring, uint32_t *num_slots, uint32_t *max_imm_len)
{
	const struct mapping *mapping = map(fd);

	if (mapping == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (!is_sound(mapping, num_slots, max_imm_len)) {
		comch_ring_close(mapping->ring);
		return DOCA_ERROR_INVALID_VALUE;
	}
	*ring = mapping->ring;
	return DOCA_SUCCESS;
}

uint8_t comch_ring_has_credit(struct comch_ring *ring)
{
	/* The claim of a closed ring exceeds any number of posted buffers. */
	return atomic_load(&ring->claimed) < atomic_load(&ring->posted);
}

uint8_t comch_ring_claim(struct comch_ring *ring, uint64_t *sequence)
{
	uint64_t claimed = atomic_load(&ring->claimed);

	do {
		if (claimed >= atomic_load(&ring->posted))
			return 0;
	} while (!atomic_compare_exchange_weak(&ring->claimed, &claimed, claimed + 1));
	*sequence = claimed;
	return 1;
}
