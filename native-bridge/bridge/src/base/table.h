#ifndef BRIDGE_TABLE_H
#define BRIDGE_TABLE_H

#include <stdint.h>
#include <stdlib.h>

/**
 * Makes room for one more slot at the end of a table.
 * @param capacity in and out: number of slots that have memory
 * @return the slots, which may have moved; NULL: no memory, and the table is unchanged
 */
static inline void *bridge_table_grow(void *slots, uint32_t num_slots, uint32_t *capacity, size_t slot_bytes)
{
	uint32_t wanted = *capacity == 0 ? 8 : 2 * *capacity;

	if (num_slots < *capacity)
		return slots;
	slots = realloc(slots, wanted * slot_bytes);
	if (slots != NULL)
		*capacity = wanted;
	return slots;
}

#endif
