/*
 * Kinds of tasks. A kind is a row: the prefix of its functions' names, and what it has beyond a source, a destination
 * and user data. All that differs between kinds is in this file and its table.
 */
#ifndef BRIDGE_KINDS_H
#define BRIDGE_KINDS_H

#include <stdbool.h>

#include "doca_abi.h"
#include "dpubridge.h"

struct bridge_kind;

/** The row of an available kind; NULL when the number is unknown or no loaded library has it. */
const struct bridge_kind *bridge_kind_find(uint16_t kind);

/** <kind>_set_conf with one callback for success and one for failure. */
int bridge_kind_configure(const struct bridge_kind *kind, void *object, doca_completion_cb done, doca_completion_cb failed,
			  uint32_t num_tasks);

/** <kind>_task_alloc_init. @param task out: the kind's own task. @param base out: the same task for doca_task_* functions. */
int bridge_kind_alloc(const struct bridge_kind *kind, void *object, const struct dpubridge_entry *entry,
		      union doca_data user_data, void **task, struct doca_task **base);

/** Point a task that was used before at the buffers and arguments of another entry. */
void bridge_kind_refill(const struct bridge_kind *kind, void *task, const struct dpubridge_entry *entry);

/** Fill checksum0 and checksum1 of a successful task; 0 where the kind has none. */
void bridge_kind_checksums(const struct bridge_kind *kind, const void *task, struct dpubridge_record *record);

/** Resolve all kinds that a library has completely; returns their number. */
uint32_t bridge_kinds_resolve(void *library);

/** Make all kinds unavailable. */
void bridge_kinds_forget(void);

#endif
