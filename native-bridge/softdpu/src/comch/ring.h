/*
 * The posted buffers of a consumer, in memory shared with the process of its producers:
 *
 *   | header | slot 0 | slot 1 | ... | stage 0 | stage 1 | ... |    sequence n is in slot n modulo the number of slots
 *
 *   consumer:  writes slot n, then posted = n + 1
 *   producer:  claimed: n -> n + 1 if n < posted      (this is the credit; it costs no system call)
 *              copies into the buffer, sets the slot's results, then state, then rings the doorbell
 *   consumer:  takes the slots in order of n
 *
 * Data that fits goes into the slot's stage; the consumer's process copies it from there to its buffer. This path needs no
 * system call. The producer touches no memory whose pages the other process can withhold.
 *
 * The other process may write any value into a ring. The consumer uses only state without a check, and checks the results
 * against private copies.
 */
#ifndef RING_H
#define RING_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include "doca_error.h"

enum { COMCH_RING_MAGIC = 0x636f6d31, COMCH_MAX_IMM = 32, COMCH_MAX_SLOTS = 8192 };

/** Bit in claimed that closes the ring: the consumer accepts no more claims. */
#define COMCH_RING_CLOSED (UINT64_C(1) << 63)

enum comch_slot_state {
	COMCH_SLOT_POSTED = 1,
	COMCH_SLOT_DONE,		/**< filled */
	COMCH_SLOT_FAILED,		/**< the copy failed: both tasks fail */
	COMCH_SLOT_RETURNED,		/**< the claiming task did not write: the consumer posts the buffer again */
	COMCH_SLOT_FILLED,		/**< consumer to producer: the buffer contains all data from the socket */
	COMCH_SLOT_COPYING,		/**< the producer may be writing directly into the buffer */
	COMCH_SLOT_STAGED,		/**< filled; the data is in the slot's stage */
};

struct comch_slot {
	_Alignas(64) _Atomic uint32_t state;
	uint32_t producer_id;
	uint64_t addr;			/**< in the consumer's process; addr and room are the iovec of the system call */
	_Atomic uint64_t room;		/**< bytes at addr; 0: revoked, no process may write */
	uint64_t data_len;		/**< bytes written */
	uint32_t imm_len;
	uint8_t imm[COMCH_MAX_IMM];
};

struct comch_ring {
	uint32_t magic;
	uint32_t num_slots;		/**< a power of two */
	uint32_t max_imm_len;
	_Alignas(64) _Atomic uint64_t posted;
	_Alignas(64) _Atomic uint64_t claimed;
	_Alignas(64) _Atomic uint32_t doorbell;	/**< 1: a doorbell packet is under way, or the consumer polls */
	_Alignas(64) struct comch_slot slots[];
};

static_assert(sizeof(struct comch_slot) == 128, "part of the shared layout");
static_assert(offsetof(struct comch_slot, room) == offsetof(struct comch_slot, addr) + 8, "a struct iovec");
static_assert(offsetof(struct comch_ring, posted) == 64, "part of the shared layout");
static_assert(offsetof(struct comch_ring, claimed) == 128, "part of the shared layout");
static_assert(offsetof(struct comch_ring, doorbell) == 192, "part of the shared layout");
static_assert(offsetof(struct comch_ring, slots) == 256, "part of the shared layout");

enum comch_data_kind { COMCH_DATA_DOORBELL = 1, COMCH_DATA_PART, COMCH_DATA_LAST };

/** Head of a packet of a consumer's data socket; the bytes of PART and LAST follow. */
struct comch_data_packet {
	uint32_t kind;
	uint32_t len;
	uint64_t sequence;
	uint64_t offset;
};

enum { COMCH_DATA_MAX = 32768, COMCH_MAX_STAGE = 64 << 10, COMCH_MAX_STAGES = 1 << 20 };

/** Returns the size of a slot's stage in bytes: 64 KiB, or less if all stages of a ring would need more than 1 MiB. */
static inline size_t comch_stage_size(uint32_t num_slots)
{
	return num_slots <= COMCH_MAX_STAGES / COMCH_MAX_STAGE ? COMCH_MAX_STAGE : COMCH_MAX_STAGES / num_slots;
}

/** Returns the size of a ring in bytes. */
static inline size_t comch_ring_size(uint32_t num_slots)
{
	return sizeof(struct comch_ring) + num_slots * (sizeof(struct comch_slot) + comch_stage_size(num_slots));
}

/** Returns the stage of a sequence. num_slots is the value at the ring's opening. */
static inline uint8_t *comch_ring_stage(struct comch_ring *ring, uint32_t num_slots, uint64_t sequence)
{
	return (uint8_t *)&ring->slots[num_slots] + (sequence & (num_slots - 1)) * comch_stage_size(num_slots);
}

/**
 * Creates a ring for num_tasks buffers, and a descriptor to send to the peer. NO_MEMORY: the log has the failed system call, and
 * name, which is that of the server or client.
 */
doca_error_t comch_ring_create(const char *name, uint32_t num_tasks, uint32_t max_imm_len, struct comch_ring **ring, int *fd);
/**
 * Maps the ring of a descriptor from another process, and sets its sizes. INVALID_VALUE: the file is not a ring, or its size is
 * not sealed against both growing and shrinking.
 */
doca_error_t comch_ring_open(int fd, struct comch_ring **ring, uint32_t *num_slots, uint32_t *max_imm_len);
void comch_ring_close(struct comch_ring *ring);

/** Returns true if a claim would succeed now. */
uint8_t comch_ring_has_credit(struct comch_ring *ring);
/** Claims the next posted buffer. Returns 1 and its sequence, or 0. */
uint8_t comch_ring_claim(struct comch_ring *ring, uint64_t *sequence);

#endif
