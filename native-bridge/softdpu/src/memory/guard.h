/*
 * Who is accessing exported memory right now. An accessor says in its pass which export it is about to touch, then looks whether the
 * export still stands, then touches; whoever takes an export back marks it void, then waits until no pass names it:
 *
 *   accessor                               exporter
 *   pass.holds[i] = generation             board.generations[slot] = 0
 *   board.generations[slot] == generation? every pass: no holds[i] == generation?
 *   read or write                          the memory is the program's again
 *   pass.holds[i] = 0
 *
 * One of the two sees the other, since all of these are sequentially consistent. The board is the exporter's, each pass is an
 * importing process's; both are shared memory. A pass is dropped when its process is gone.
 */
#ifndef GUARD_H
#define GUARD_H

#include <stdint.h>

enum { GUARD_SLOTS = 4096, GUARD_HOLDS = 128 };

/** The value of an exported number when the exporter took it back. Readers must find the same generation before and after the value. */
struct guard_last {
	_Atomic uint64_t generation;		/**< of the export; 0: the exporter writes the value just now */
	_Atomic uint64_t value;
};

/** The exports of a process that stand; 0: nothing in this slot. Importers see it read-only. */
struct guard_board {
	_Atomic uint64_t generations[GUARD_SLOTS];
	struct guard_last lasts[GUARD_SLOTS];
};

/** The exports that a process is accessing. */
struct guard_pass {
	_Atomic uint64_t holds[GUARD_HOLDS];
};

/** Memory of a fixed size that the caller reads and writes. A process that receives the descriptor can map it for reading only.
 *  NULL on failure. The caller closes the descriptor. Needs Linux 5.1. */
void *guard_create(const char *name, unsigned long len, int *fd);
/** Map what another process made with guard_create(), for reading. NULL: its size is another one, or is not sealed. */
void *guard_map(int fd, unsigned long len);

/** Announce an access; the number is for guard_leave(). Waits while GUARD_HOLDS threads are at it. */
unsigned int guard_enter(struct guard_pass *pass, uint64_t generation);
void guard_leave(struct guard_pass *pass, unsigned int hold);
/** Whether the export still stands; after guard_enter(). */
uint8_t guard_stands(const struct guard_board *board, uint32_t slot, uint64_t generation);
/** Exporter: publish the last value of a number, before its export becomes void. */
void guard_publish_last(struct guard_board *board, uint32_t slot, uint64_t generation, uint64_t value);
/** Importer: the last value of a number whose export is void. 0: the exporter published none, or used the slot again since. */
uint8_t guard_read_last(const struct guard_board *board, uint32_t slot, uint64_t generation, uint64_t *value);
/** Whether somebody with this pass is accessing the export. */
uint8_t guard_is_held(const struct guard_pass *pass, uint64_t generation);

#endif
