/*
 * Kinds of tasks. A kind is a row: the prefix of its functions' names, which of them it has, and its shape. A shape is what
 * kinds of one sort do with an entry; all that differs between kinds is in these tables.
 *
 *   transform.c    compress and DMA: from a source to a destination
 *   control.c      comch server and client: a message to a connection
 *   data.c         comch consumer and producer: a buffer and immediate data
 */
#ifndef BRIDGE_KINDS_H
#define BRIDGE_KINDS_H

#include <endian.h>
#include <stdbool.h>

#include "doca_abi.h"
#include "dpubridge.h"

struct bridge_context;
struct bridge_kind;

/** What a kind's functions do for the bridge. Entries given to alloc and refill were accepted by prepare. */
struct bridge_shape {
	/** Check an entry and set its buffers' contents. @return 0, or the doca_error_t to refuse it with */
	int32_t (*prepare)(const struct bridge_context *context, const struct dpubridge_entry *entry);
	/** <kind>_alloc_init. @param task out: the kind's own task */
	int32_t (*alloc)(const struct bridge_kind *kind, const struct bridge_context *context,
			 const struct dpubridge_entry *entry, union doca_data user_data, void **task);
	/** Point a task that was used before at the contents of another entry. NULL: tasks are freed after each use. */
	void (*refill)(const struct bridge_kind *kind, void *task, const struct dpubridge_entry *entry);
	/** Fill in what a successful task tells beyond the length of its destination. NULL: nothing. Any thread. */
	void (*describe)(const struct bridge_kind *kind, const void *task, struct dpubridge_record *record);
	/** Entries have a destination, whose content tells how much was produced. */
	bool has_destination;
	/** Entries may be batches. */
	bool takes_batches;
	/** Fill in what a successful task of a batch tells beyond the length of its destination; what came beside the content goes to the
	 *  entry. NULL: checksums, if it has any. Any thread. */
	void (*deliver)(const struct bridge_kind *kind, const void *task, struct dpubridge_entry *entry,
			struct dpubridge_result *result);
	/** Needs the functions of comch.h; what follows an entry that was refused for lack of tasks must not overtake it. */
	bool is_comch;
	/** The order of an entry is its argument: those of different arguments may overtake each other. False: all are in one. */
	bool is_ordered_by_argument;
};

extern const struct bridge_shape bridge_shape_transform, bridge_shape_lz4_stream;
extern const struct bridge_shape bridge_shape_control;
extern const struct bridge_shape bridge_shape_receive, bridge_shape_produce;

/** Functions of one kind, typed by where they are called. Members that a kind lacks stay NULL. */
struct bridge_kind_functions {
	int (*set_conf)(void *object, doca_completion_cb done, doca_completion_cb failed, uint32_t num_tasks);
	void *alloc_init;	/**< its type depends on the shape */
	struct doca_task *(*as_task)(void *task);
	void (*set_src)(void *task, const struct doca_buf *src);
	void (*set_dst)(void *task, struct doca_buf *dst);
	uint32_t (*get_crc_cs)(const void *task);
	uint32_t (*get_adler_cs)(const void *task);
	uint32_t (*get_xxh_cs)(const void *task);
	void (*set_has_block_checksum)(void *task, uint8_t value);
	void (*set_are_blocks_independent)(void *task, uint8_t value);
	void (*set_buf)(void *task, const struct doca_buf *buf);
	uint32_t (*get_producer_id)(const void *task);
	const uint8_t *(*get_imm_data)(const void *task);
	uint32_t (*get_imm_data_len)(const void *task);
	void (*set_imm_data)(void *task, uint8_t *imm_data, uint32_t imm_data_len);
	void (*set_consumer_id)(void *task, uint32_t consumer_id);
};

struct bridge_kind {
	const char *prefix;
	const char *as_task;		/**< full name of that function where it has another prefix */
	const struct bridge_shape *shape;
	bool copies;			/**< what a task produces has the length of its source */
	uint32_t has;			/**< functions that the kind has, and needs to be available */
	bool is_available;
	struct bridge_kind_functions call;
};

/** The checksums that a successful task tells; 0 where its kind has none. Any thread. */
static inline void bridge_kind_checksums(const struct bridge_kind *kind, const void *task, uint32_t *checksum0, uint32_t *checksum1)
{
	*checksum0 = kind->call.get_crc_cs != NULL ? kind->call.get_crc_cs(task) : 0;
	if (kind->call.get_adler_cs != NULL)
		*checksum1 = kind->call.get_adler_cs(task);
	else
		*checksum1 = kind->call.get_xxh_cs != NULL ? be32toh(kind->call.get_xxh_cs(task)) : 0; /* the one that devices tell byte-swapped */
}

/** The row of an available kind; NULL when the number is unknown or no loaded library has it. */
const struct bridge_kind *bridge_kind_find(uint16_t kind);

/** Resolve all kinds that a library has completely; returns their number. */
uint32_t bridge_kinds_resolve(void *library);

/** Make all kinds unavailable. */
void bridge_kinds_forget(void);

/** The struct doca_buf that an entry names. */
static inline struct doca_buf *bridge_buf(uint64_t buf)
{
	return (struct doca_buf *)(uintptr_t)buf;
}

#endif
