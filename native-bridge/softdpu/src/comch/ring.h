/*
 * The buffers that a consumer has posted, in memory that it shares with the process of its producers:
 *
 *   | header | slot 0 | slot 1 | ... | stage 0 | stage 1 | ... |    sequence n is in slot n modulo the number of slots
 *
 *   consumer:  writes slot n, then posted = n + 1
 *   producer:  claimed: n -> n + 1 if n < posted      (this is the credit; it costs no system call)
 *              copies into the buffer, fills in the slot's results, then state, then rings the doorbell
 *   consumer:  takes the slots in order of n
 *
 * Data that fits goes into the slot's stage, from which the consumer's process copies it to its buffer. It costs no system call, and no
 * producer has to touch memory whose pages the other process can hold back.
 *
 * The other process may write anything into a ring. The consumer believes nothing but state, and checks the results against what
 * it keeps itself.
 */
#ifndef RING_H
#define RING_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include "doca_error.h"

enum { COMCH_RING_MAGIC = 0x636f6d31, COMCH_MAX_IMM = 32, COMCH_MAX_SLOTS = 8192 };

/** Set in claimed when the consumer takes no more. */
#define COMCH_RING_CLOSED (UINT64_C(1) << 63)

enum comch_slot_state {
	COMCH_SLOT_POSTED = 1,
	COMCH_SLOT_DONE,		/**< filled */
	COMCH_SLOT_FAILED,		/**< could not be filled: both tasks fail */
	COMCH_SLOT_RETURNED,		/**< claimed for a task that was not carried out: the buffer is posted again */
	COMCH_SLOT_FILLED,		/**< consumer to producer: all data that came through the socket is in its place */
	COMCH_SLOT_COPYING,		/**< the producer may be writing straight into the buffer */
	COMCH_SLOT_STAGED,		/**< filled; the data is in the slot's stage */
};

struct comch_slot {
	_Alignas(64) _Atomic uint32_t state;
	uint32_t producer_id;
	uint64_t addr;			/**< in the consumer's process; with room the target of the system call that copies */
	_Atomic uint64_t room;		/**< bytes there; 0: taken back, nobody may write */
	uint64_t data_len;		/**< bytes that were written */
	uint32_t imm_len;
	uint8_t imm[COMCH_MAX_IMM];
};

struct comch_ring {
	uint32_t magic;
	uint32_t num_slots;		/**< a power of two */
	uint32_t max_imm_len;
	_Alignas(64) _Atomic uint64_t posted;
	_Alignas(64) _Atomic uint64_t claimed;
	_Alignas(64) _Atomic uint32_t doorbell;	/**< 1: a doorbell packet is on its way, or the consumer looks without one */
	_Alignas(64) struct comch_slot slots[];
};

static_assert(sizeof(struct comch_slot) == 128, "part of the shared layout");
static_assert(offsetof(struct comch_slot, room) == offsetof(struct comch_slot, addr) + 8, "a struct iovec");
static_assert(offsetof(struct comch_ring, posted) == 64, "part of the shared layout");
static_assert(offsetof(struct comch_ring, claimed) == 128, "part of the shared layout");
static_assert(offsetof(struct comch_ring, doorbell) == 192, "part of the shared layout");
static_assert(offsetof(struct comch_ring, slots) == 256, "part of the shared layout");

enum comch_data_kind { COMCH_DATA_DOORBELL = 1, COMCH_DATA_PART, COMCH_DATA_LAST };

/** A packet of a consumer's data socket; bytes follow in PART and LAST. */
struct comch_data_packet {
	uint32_t kind;
	uint32_t len;
	uint64_t sequence;
	uint64_t offset;
};

enum { COMCH_DATA_MAX = 32768, COMCH_MAX_STAGE = 64 << 10, COMCH_MAX_STAGES = 1 << 20 };

/** Bytes of a slot's stage: 64 KiB, less where all stages of a ring would take more than 1 MiB. */
static inline size_t comch_stage_size(uint32_t num_slots)
{
	return num_slots <= COMCH_MAX_STAGES / COMCH_MAX_STAGE ? COMCH_MAX_STAGE : COMCH_MAX_STAGES / num_slots;
}

/** Bytes of a ring. */
static inline size_t comch_ring_size(uint32_t num_slots)
{
	return sizeof(struct comch_ring) + num_slots * (sizeof(struct comch_slot) + comch_stage_size(num_slots));
}

/** The stage of a sequence. num_slots as it was when the ring was opened. */
static inline uint8_t *comch_ring_stage(struct comch_ring *ring, uint32_t num_slots, uint64_t sequence)
{
	return (uint8_t *)&ring->slots[num_slots] + (sequence & (num_slots - 1)) * comch_stage_size(num_slots);
}

/** A ring with room for num_tasks buffers and a descriptor to pass on. NO_MEMORY. */
doca_error_t comch_ring_create(uint32_t num_tasks, uint32_t max_imm_len, struct comch_ring **ring, int *fd);
/** Map the ring behind a descriptor that came from another process, and say how large it is. INVALID_VALUE: the file is no ring, or its
 *  size is not sealed against both growing and shrinking. */
doca_error_t comch_ring_open(int fd, struct comch_ring **ring, uint32_t *num_slots, uint32_t *max_imm_len);
void comch_ring_close(struct comch_ring *ring);

/** Whether a claim would succeed now. */
uint8_t comch_ring_has_credit(struct comch_ring *ring);
/** Take the next posted buffer: 1 and its sequence, or 0. */
uint8_t comch_ring_claim(struct comch_ring *ring, uint64_t *sequence);

#endif
