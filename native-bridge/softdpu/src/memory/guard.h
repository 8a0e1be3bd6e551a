/*
 * Coordinates accesses to exported memory with the end of the export. An accessor first names the export in its pass. The
 * accessor then checks that the export is valid, and only then accesses the memory. An exporter first marks the export void.
 * The exporter then waits until no pass names the export:
 *
 *   accessor                               exporter
 *   pass.holds[i] = generation             board.generations[slot] = 0
 *   board.generations[slot] == generation? every pass: no holds[i] == generation?
 *   read or write                          the memory is the program's again
 *   pass.holds[i] = 0
 *
 * All these accesses are sequentially consistent, so one of the two sees the other. The exporter owns the board; each importing
 * process owns a pass. Both are shared memory. The exporter drops the pass of a process that has ended.
 */
#ifndef GUARD_H
#define GUARD_H

#include <stdint.h>

enum { GUARD_SLOTS = 4096, GUARD_HOLDS = 128 };

/**
 * Value of an exported number at the withdrawal of its export. Readers must find the same generation before and after the
 * value.
 */
struct guard_last {
	_Atomic uint64_t generation;		/**< of the export; 0: the exporter is writing the value */
	_Atomic uint64_t value;
};

/**
 * Generations of the standing exports of a process; 0: the slot is free or its export is void. Importers map the board
 * read-only.
 */
struct guard_board {
	_Atomic uint64_t generations[GUARD_SLOTS];
	struct guard_last lasts[GUARD_SLOTS];
	_Atomic uint64_t ends;			/**< changes when an RDMA connection of the process has ended */
	_Atomic uint32_t life;			/**< the kernel changes it when the process ends or runs another program; 0: it does not */
};

/** Exports that a process is accessing. */
struct guard_pass {
	_Atomic uint64_t holds[GUARD_HOLDS];
};

/**
 * Creates shared memory of a fixed size, mapped for reading and writing. Other processes can map the descriptor only for
 * reading. Returns NULL on failure. The caller closes the descriptor. Needs Linux 5.1.
 */
void *guard_create(const char *name, unsigned long len, int *fd);
/** Maps memory of another process's guard_create() for reading. Returns NULL if its size differs from len or is not sealed. */
void *guard_map(int fd, unsigned long len);

/** Announces an access and returns the number for guard_leave(). Waits while GUARD_HOLDS other accesses are in progress. */
unsigned int guard_enter(struct guard_pass *pass, uint64_t generation);
void guard_leave(struct guard_pass *pass, unsigned int hold);
/** Returns true if the export is still valid. Call it after guard_enter(). */
uint8_t guard_is_valid(const struct guard_board *board, uint32_t slot, uint64_t generation);
/** Exporter: lets the kernel mark the board when the calling thread, the service thread, ends. Idempotent. */
void guard_live(struct guard_board *board);
/** Importer: returns the sign of life of the exporting process; 0: its kernel gives none. */
uint32_t guard_life(const struct guard_board *board);
/** Importer: returns true if the process still gives this sign, so it exists and runs the same program. */
uint8_t guard_lives(const struct guard_board *board, uint32_t life);
/** Exporter: publishes the last value of a number before its export becomes void. */
void guard_publish_last(struct guard_board *board, uint32_t slot, uint64_t generation, uint64_t value);
/**
 * Importer: reads the last value of a number whose export is void. Returns 0 if the exporter published none or has reused the
 * slot.
 */
uint8_t guard_read_last(const struct guard_board *board, uint32_t slot, uint64_t generation, uint64_t *value);
/** Returns true if an access with this pass to the export is in progress. */
uint8_t guard_is_held(const struct guard_pass *pass, uint64_t generation);

#endif
