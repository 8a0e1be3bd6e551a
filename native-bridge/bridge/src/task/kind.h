/*
 * A kind of tasks is a row: the prefix of its functions' names, the functions that it has, and its shape. A shape handles the
 * entries of similar kinds. Rows and shapes hold all differences between kinds; kind/kinds.c has the table.
 */
#ifndef BRIDGE_KIND_H
#define BRIDGE_KIND_H

#include <endian.h>
#include <stdbool.h>

#include "base/doca_abi.h"
#include "dpubridge.h"

struct bridge_kind;
struct bridge_pool;

enum { BRIDGE_EXTRA_FUNCTIONS = 4, BRIDGE_MAX_ALIASES = 4 };

/** Functions of a kind for the bridge. prepare has accepted the entries that alloc and refill get. */
struct bridge_shape {
	/** Names of further required functions of the kinds, in the order of bridge_kind_functions.extra. */
	const char *extra[BRIDGE_EXTRA_FUNCTIONS];
	/** Checks an entry and sets its buffers' contents. @return 0, or the doca_error_t to refuse it with */
	int32_t (*prepare)(const struct bridge_pool *pool, const struct dpubridge_entry *entry);
	/** Calls <kind>_alloc_init. @param task out: the kind's task */
	int32_t (*alloc)(const struct bridge_pool *pool, const struct dpubridge_entry *entry, union doca_data user_data,
			 void **task);
	/**
	 * Sets a re-used task to the buffers of another entry. NULL: tasks are freed after each use.
	 * @return 0, or the doca_error_t of a setter
	 */
	int32_t (*refill)(const struct bridge_kind *kind, void *task, const struct dpubridge_entry *entry);
	/**
	 * Sets a task to the first entry of a session. Entries of a session have the same task. The low half of their argument
	 * is the number of the task, the high half that of the session, which is not 0. NULL: the kind has no sessions.
	 * @return 0, or the doca_error_t of a setter
	 */
	int32_t (*begin)(const struct bridge_kind *kind, void *task, const struct dpubridge_entry *entry);
	/** Writes the results of a successful task, except the length of its destination. NULL: there are none. Any thread. */
	void (*describe)(const struct bridge_kind *kind, const void *task, struct dpubridge_record *record);
	/** Entries have a destination; the length of its content is the number of bytes produced. */
	bool has_destination;
	/** Entries may be batches. */
	bool takes_batches;
	/**
	 * Writes the results of a successful task of a batch, except the length of its destination. Immediate data goes into the
	 * entry. NULL: checksums, if the kind has any. Any thread.
	 * @return 0, or the doca_error_t with which the task fails
	 */
	int32_t (*deliver)(const struct bridge_kind *kind, const void *task, struct dpubridge_entry *entry,
			   struct dpubridge_result *result);
	/** set_conf takes the binary logarithm of the number of tasks, as uint8_t. */
	bool counts_in_powers;
	/** Needs the functions of base/comch.h. An entry that DOCA refuses for lack of tasks waits. */
	bool is_comch;
	/** Tasks may stay in flight for ever, because they wait for a peer or a value: no completion of theirs is sure to follow. */
	bool may_last;
	/** Bits of an entry's argument that are its ordering key; different keys may overtake each other. 0: all have one key. */
	uint64_t key_mask;
	/** The kinds of a context with this flag share one queue, so that entries of one ordering key keep their order. */
	bool shares_queue;
};

/** Functions of one kind, typed by their use. Members that a kind lacks stay NULL. */
struct bridge_kind_functions {
	union {
		int (*set_conf)(void *object, doca_completion_cb done, doca_completion_cb failed, uint32_t num_tasks);
		/** of shapes with counts_in_powers */
		int (*set_conf_power)(void *object, doca_completion_cb done, doca_completion_cb failed, uint8_t log_num_tasks);
	};
	void *alloc_init;	/**< type depends on the shape */
	struct doca_task *(*as_task)(void *task);
	union {
		void (*set_src)(void *task, const struct doca_buf *src);
		int (*try_set_src)(void *task, const struct doca_buf *src);	/**< of SHA */
	};
	union {
		void (*set_dst)(void *task, struct doca_buf *dst);
		int (*try_set_dst)(void *task, struct doca_buf *dst);		/**< of SHA */
	};
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
	int (*set_algorithm)(void *task, int algorithm);
	void *extra[BRIDGE_EXTRA_FUNCTIONS];	/**< types depend on the shape */
};

/** A function whose name in the library differs from the usual one. */
struct bridge_alias {
	const char *usual;	/**< NULL: no alias */
	const char *name;	/**< with the kind's prefix, unless it begins with doca_ */
};

struct bridge_kind {
	const char *prefix;
	struct bridge_alias aliases[BRIDGE_MAX_ALIASES];
	const struct bridge_shape *shape;
	bool copies;			/**< output has the length of the source */
	uint32_t has;			/**< functions that the kind has and requires */
	bool is_available;
	struct bridge_kind_functions call;
};

/** Returns the checksums of a successful task; 0 where its kind has none. Any thread. */
static inline void bridge_kind_checksums(const struct bridge_kind *kind, const void *task, uint32_t *checksum0, uint32_t *checksum1)
{
	*checksum0 = kind->call.get_crc_cs != NULL ? kind->call.get_crc_cs(task) : 0;
	if (kind->call.get_adler_cs != NULL)
		*checksum1 = kind->call.get_adler_cs(task);
	else
		*checksum1 = kind->call.get_xxh_cs != NULL ? be32toh(kind->call.get_xxh_cs(task)) : 0; /* devices swap its bytes */
}

/** Returns the struct doca_buf of an entry. */
static inline struct doca_buf *bridge_buf(uint64_t buf)
{
	return (struct doca_buf *)(uintptr_t)buf;
}

#endif
