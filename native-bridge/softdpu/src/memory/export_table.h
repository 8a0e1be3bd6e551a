/* Changes of the table of exports; export.h has the queries. Thread: any; one lock. */
#ifndef EXPORT_TABLE_H
#define EXPORT_TABLE_H

#include "export.h"

/** Makes this process an exporter; *is_new: it was none, or inherited its parent's table by fork(). OPERATING_SYSTEM. */
doca_error_t export_table_prepare(uint8_t *is_new);
/** Gives an export a slot and a generation. NO_MEMORY. */
doca_error_t export_table_enter(struct export *export);
/** Marks an export void: no new access begins. */
void export_table_void(const struct export *export);
/** Returns true if an access to a void export is in progress. */
uint8_t export_table_is_accessed(const struct export *export);
/** Frees the slot of a void export. */
void export_table_leave(const struct export *export);
/** Holds and releases the table: while it is held, no change is half done. */
void export_table_hold(void);
void export_table_release(void);

#endif
