/* Numbers that several threads and processes read and change atomically. */
#ifndef NUMBER_H
#define NUMBER_H

#include <stdatomic.h>
#include <stdint.h>

/** Adds to a number or sets it. Returns the value before the change. */
static inline uint64_t number_change(void *number, uint8_t is_add, uint64_t operand)
{
	_Atomic uint64_t *value = number;

	return is_add ? atomic_fetch_add(value, operand) : atomic_exchange(value, operand);
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
