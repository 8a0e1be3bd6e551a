/* Numbers that several threads and processes read and change atomically. */
#ifndef NUMBER_H
#define NUMBER_H

#include <stdatomic.h>
#include <stdint.h>

enum number_verb { NUMBER_SET, NUMBER_ADD, NUMBER_SWAP };

/** A change of a number: set it, add to it, or set it if it is equal to compared. */
struct number_change {
	enum number_verb verb;
	uint64_t operand;
	uint64_t compared;			/**< SWAP */
};

/** Changes an aligned number. Returns the value before the change. */
static inline uint64_t number_apply(void *number, const struct number_change *change)
{
	_Atomic uint64_t *value = number;
	uint64_t before = change->compared;

	switch (change->verb) {
	case NUMBER_ADD:
		return atomic_fetch_add(value, change->operand);
	case NUMBER_SWAP:
		atomic_compare_exchange_strong(value, &before, change->operand);
		return before;
	default:
		return atomic_exchange(value, change->operand);
	}
}

static inline uint64_t number_load(void *number)
{
	return atomic_load((_Atomic uint64_t *)number);
}

/** Sets the function that number_changed() calls. Any thread may call it; it must not wait. */
void number_listen(void (*changed)(void));
/** Reports that the library has changed an exported or waited-for number. Thread: any. */
void number_changed(void);

#endif
