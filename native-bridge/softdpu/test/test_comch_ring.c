/*
 * The ring of a consumer. A ring of another process is mapped only if its size is sealed, so that no peer can cause an access
 * beyond the mapping. Each posted buffer is claimed exactly once, and no other buffer.
 */
#include <pthread.h>
#include <sched.h>

#include "../src/comch/ring.c"
#include "check.h"

enum { SLOTS = 64, POSTED = 40000, THREADS = 3 };

/* @name Size of the ring of another process */
/* @{ */
static int make_file(uint32_t num_slots, size_t size, int seals)
{
	const struct comch_ring head = { .magic = COMCH_RING_MAGIC, .num_slots = num_slots, .max_imm_len = COMCH_MAX_IMM };
	int fd = memfd_create("ring", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	CHECK(fd >= 0 && ftruncate(fd, (off_t)size) == 0);
	CHECK(pwrite(fd, &head, sizeof(head), 0) == sizeof(head));
	CHECK(fcntl(fd, F_ADD_SEALS, seals) == 0);
	return fd;
}

static void refuse(int fd)
{
	struct comch_ring *ring;
	uint32_t num_slots, max_imm_len;

	CHECK_ERROR(comch_ring_open(fd, &ring, &num_slots, &max_imm_len), DOCA_ERROR_INVALID_VALUE);
	close(fd);
}

/* A ring that may grow: the first open maps one slot. A second open, after growth, would report 8192 slots. */
static void size_is_sealed(void)
{
	refuse(make_file(1, comch_ring_size(1), F_SEAL_SHRINK));
	refuse(make_file(1, comch_ring_size(1), F_SEAL_GROW));
	refuse(make_file(1, comch_ring_size(1), 0));
	refuse(make_file(1, comch_ring_size(1), F_SEAL_SEAL | F_SEAL_SHRINK));
	refuse(make_file(1, comch_ring_size(1), SIZE_SEALS | F_SEAL_WRITE));
	refuse(fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0));
}

static void size_is_a_rings(void)
{
	refuse(make_file(1, comch_ring_size(1) - 1, SIZE_SEALS));
	refuse(make_file(1, comch_ring_size(1) + 1, SIZE_SEALS));
	refuse(make_file(3, comch_ring_size(3), SIZE_SEALS));
	refuse(make_file(2, comch_ring_size(4), SIZE_SEALS));
	refuse(make_file(2 * COMCH_MAX_SLOTS, comch_ring_size(2 * COMCH_MAX_SLOTS), SIZE_SEALS));
}

/* Both ends of a connection in one process share a mapping, whose size is reported. */
static void opened_twice(void)
{
	int fd = make_file(COMCH_MAX_SLOTS, comch_ring_size(COMCH_MAX_SLOTS), SIZE_SEALS);
	uint32_t num_slots[2], max_imm_len;
	struct comch_ring *rings[2];

	for (int i = 0; i < 2; i++) {
		CHECK_OK(comch_ring_open(fd, &rings[i], &num_slots[i], &max_imm_len));
		CHECK_EQ(num_slots[i], COMCH_MAX_SLOTS);
		CHECK_EQ(max_imm_len, COMCH_MAX_IMM);
	}
	CHECK(rings[0] == rings[1]);
	CHECK_EQ(mappings->size, comch_ring_size(COMCH_MAX_SLOTS));
	comch_ring_close(rings[0]);
	rings[1]->slots[COMCH_MAX_SLOTS - 1].data_len = 1; /* the mapping still exists, to its last byte */
	comch_ring_close(rings[1]);
	CHECK(mappings == NULL);
	close(fd);
}
/* @} */

/* @name Claims */
/* @{ */
static void claims_follow_posts(struct comch_ring *ring)
{
	uint64_t sequence = 99;

	CHECK(!comch_ring_has_credit(ring));
	CHECK(!comch_ring_claim(ring, &sequence));
	CHECK_EQ(sequence, 99);
	for (uint64_t n = 0; n < 3; n++) {
		atomic_fetch_add(&ring->posted, 2);
		for (uint64_t i = 0; i < 2; i++) {
			CHECK(comch_ring_has_credit(ring));
			CHECK(comch_ring_claim(ring, &sequence));
			CHECK_EQ(sequence, 2 * n + i);
			CHECK_EQ(atomic_load(&ring->claimed), sequence + 1);
		}
		CHECK(!comch_ring_has_credit(ring));
		CHECK(!comch_ring_claim(ring, &sequence)); /* also without a credit check before */
		CHECK_EQ(atomic_load(&ring->claimed), 2 * n + 2);
	}
	atomic_fetch_add(&ring->posted, 1);
	atomic_fetch_or(&ring->claimed, COMCH_RING_CLOSED);
	CHECK(!comch_ring_has_credit(ring));
	CHECK(!comch_ring_claim(ring, &sequence));
}

static _Atomic uint32_t num_claims[POSTED + THREADS];
static _Atomic uint32_t num_claimed;

static void *claim_all(void *argument)
{
	struct comch_ring *ring = argument;
	uint64_t sequence;

	while (atomic_load(&num_claimed) < POSTED) {
		if (!comch_ring_claim(ring, &sequence)) {
			sched_yield();
			continue;
		}
		CHECK(sequence < atomic_load(&ring->posted));
		atomic_fetch_add(&num_claims[sequence], 1);
		atomic_fetch_add(&num_claimed, 1);
	}
	return NULL;
}

/* Several producers claim concurrently while buffers are posted one by one: credit is always short. */
static void claims_are_exclusive(struct comch_ring *ring)
{
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++)
		CHECK_EQ(pthread_create(&threads[i], NULL, claim_all, ring), 0);
	for (uint64_t n = 0; n < POSTED; n++) {
		while (atomic_load(&num_claimed) + SLOTS <= n)
			sched_yield();
		atomic_fetch_add(&ring->posted, 1);
	}
	for (int i = 0; i < THREADS; i++)
		CHECK_EQ(pthread_join(threads[i], NULL), 0);
	CHECK_EQ(atomic_load(&ring->claimed), POSTED);
	for (uint32_t n = 0; n < POSTED; n++)
		CHECK_EQ(atomic_load(&num_claims[n]), 1);
}

static void on_new_ring(void (*check)(struct comch_ring *ring))
{
	struct comch_ring *ring;
	int fd;

	CHECK_OK(comch_ring_create("test", SLOTS, COMCH_MAX_IMM, &ring, &fd));
	check(ring);
	comch_ring_close(ring);
	close(fd);
}
/* @} */

int main(void)
{
	size_is_sealed();
	size_is_a_rings();
	opened_twice();
	on_new_ring(claims_follow_posts);
	on_new_ring(claims_are_exclusive);
	return 0;
}
