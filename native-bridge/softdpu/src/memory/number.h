/* Numbers that several threads and processes read and change at once. */
#ifndef NUMBER_H
#define NUMBER_H

#include <stdatomic.h>
#include <stdint.h>

/** Add to a number, or set it; what it was before. */
static inline uint64_t number_change(void *number, uint8_t is_add, uint64_t operand)
{
	_Atomic uint64_t *value = number;

	return is_add ? atomic_fetch_add(value, operand) : atomic_exchange(value, operand);
}

static inline uint64_t number_load(void *number)
{
	return atomic_load((_Atomic uint64_t *)number);
}

#endif
