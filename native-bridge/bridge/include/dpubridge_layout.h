/*
 * The memory that libdpubridge shares with its caller. The layout has a version. dpubridge_layout() reports the sizes and
 * offsets of the rings, entries, records and batches. The caller compares its constants with them at start.
 *
 *   +--------------------+  0
 *   | header, one page   |  positions and counters, each position on a separate cache line
 *   +--------------------+  4096
 *   | submission ring    |  submission_capacity x 64 bytes
 *   +--------------------+
 *   | completion ring    |  completion_capacity x 64 bytes
 *   +--------------------+
 *   | message cells      |  message_cells x message_bytes
 *   +--------------------+
 *
 * Positions are free-running 32-bit counters, index = position & (capacity - 1). A MESSAGE record's bytes are in the cell that
 * message_head points to when the caller takes the record; the caller then advances message_head by one.
 */
#ifndef DPUBRIDGE_LAYOUT_H
#define DPUBRIDGE_LAYOUT_H

#include <stdint.h>

#define DPUBRIDGE_LAYOUT_VERSION 5u

/*
 * Header: one page.
 *
 *   offset  size  field                writer
 *        0     4  layout_version       bridge
 *        4     4  submission_capacity  bridge   entries, a power of two
 *        8     4  completion_capacity  bridge   records, a power of two
 *       12     4  message_cells        bridge   a power of two, or 0: no comch on this bridge
 *       16     4  message_bytes        bridge   size of one cell, a multiple of 64; 0 without cells
 *       64     4  submission_tail      caller
 *      128     4  submission_head      bridge
 *      192     4  completion_tail      bridge
 *      256     4  completion_head      caller
 *      320    64  counters (8 x u64)   bridge   see enum dpubridge_counter
 *      384     4  message_tail         bridge
 *      448     4  message_head         caller
 */
struct dpubridge_header {
	uint32_t layout_version;
	uint32_t submission_capacity;
	uint32_t completion_capacity;
	uint32_t message_cells;
	uint32_t message_bytes;
	uint8_t pad0[44];
	uint32_t submission_tail;
	uint8_t pad1[60];
	uint32_t submission_head;
	uint8_t pad2[60];
	uint32_t completion_tail;
	uint8_t pad3[60];
	uint32_t completion_head;
	uint8_t pad4[60];
	uint64_t counters[8];
	uint32_t message_tail;
	uint8_t pad5[60];
	uint32_t message_head;
};

enum dpubridge_counter {
	DPUBRIDGE_COUNTER_SUBMITTED = 0,	/**< tasks that doca_task_submit accepted */
	DPUBRIDGE_COUNTER_COMPLETED = 1,	/**< task callbacks, success and error */
	DPUBRIDGE_COUNTER_REFUSED = 2,		/**< entries answered with DPUBRIDGE_RECORD_REFUSED */
	DPUBRIDGE_COUNTER_PROGRESSED = 3,	/**< doca_pe_progress calls that returned 1 */
	DPUBRIDGE_COUNTER_FOREIGN = 4,		/**< callbacks that arrived on a foreign thread */
	DPUBRIDGE_COUNTER_WAITS = 5,		/**< times the engine slept in dpubridge_wait */
	DPUBRIDGE_COUNTER_ENTERS = 6,		/**< dpubridge_enter calls */
	DPUBRIDGE_COUNTER_STALLED = 7		/**< enters that ended early: no room for records, or no free message cell */
};

/*
 * Submission entry, 64 bytes, one cache line: one task.
 *
 *    0  u64 user_data   copied into the record: the caller's slot and generation
 *    8  u32 context     handle from dpubridge_context_attach()
 *   12  u16 kind        enum dpubridge_kind
 *   14  u16 flags       PRODUCER_SEND: number of immediate bytes; DPUBRIDGE_FLAG_BATCH: a batch; 0 otherwise
 *   16  u64 src_buf     struct doca_buf *, owned by the caller, window = the lease
 *   24  u64 src_addr    first byte of the content
 *   32  u64 src_len     bytes of content
 *   40  u64 dst_buf     struct doca_buf *; output is written from dst_addr to the end of the window
 *   48  u64 dst_addr
 *   56  u64 argument    kind-specific
 *
 * Fields that each kind uses in addition to user_data, context and kind; all other fields are 0:
 *
 *   compress, DMA       src_buf, src_addr, src_len, dst_buf, dst_addr; argument for LZ4 streams: bit 0 has_block_checksum, bit 1
 *                       are_blocks_independent
 *   SHA_HASH            as compress; argument: enum doca_sha_algorithm
 *   SHA_PARTIAL_HASH    as compress; argument: bits 0 to 15 number of the task, which is less than the number configured, 16 to 23
 *                       enum doca_sha_algorithm, 24 last part, 32 to 63 number of the session, which is not 0. The first entry
 *                       with another session than the task had begins a session; all its entries have the same dst_buf.
 *   kinds with a        as compress; argument: the matrix of the library
 *   matrix
 *   kinds with a key    as compress; argument: struct dpubridge_aead *, which stays valid until the record
 *   SERVER_SEND,        src_addr and src_len: the message, which stays valid until the record; argument: connection handle
 *   CLIENT_SEND
 *   CONSUMER_RECV       dst_buf, dst_addr
 *   PRODUCER_SEND       src_buf, src_addr, src_len (src_buf 0: immediate data only); dst_addr and flags: address and number of
 *                       the immediate bytes, 0 to 32, which stay valid until the record; argument: consumer id
 *   RDMA_RECEIVE        dst_buf, dst_addr
 *   other kinds of      argument: bits 0 to 31 connection handle, 32 to 63 immediate data of RDMA_SEND_IMM and RDMA_WRITE_IMM.
 *   RDMA                RDMA_SEND: src_buf (0: no bytes), src_addr, src_len. RDMA_READ, RDMA_WRITE: also dst_buf and dst_addr; one of
 *                       the buffers is the peer's. RDMA_CMP_SWP, RDMA_FETCH_ADD: src_buf and src_addr: number of the peer; src_len:
 *                       struct dpubridge_atomic *, which stays valid until the record; dst_buf, dst_addr: room for the old number
 *                       RDMA_EVENT_GET, RDMA_EVENT_ADD: src_addr: struct doca_sync_event_remote_net *; dst_buf, dst_addr: room for the
 *                       value; src_len: the summand. RDMA_EVENT_SET: src_buf, src_addr: the value; dst_addr: the event
 *   kinds of a sync     argument: the value to set, to add or to compare with; src_len: mask of a wait
 *   event
 *   batches             src_addr: struct dpubridge_batch *, which stays valid until the record
 *                       (of PRODUCER_SEND and RDMA also argument, the same for all its entries: the consumer id, or the
 *                       connection handle)
 */
struct dpubridge_entry {
	uint64_t user_data;
	uint32_t context;
	uint16_t kind;
	uint16_t flags;
	uint64_t src_buf;
	uint64_t src_addr;
	uint64_t src_len;
	uint64_t dst_buf;
	uint64_t dst_addr;
	uint64_t argument;
};

/**
 * Parameters of authenticated encryption with additional data.
 *
 *    0  u64 key         the key of the library
 *    8  u8  iv[12]      initialization vector
 *   20  u32 aad_size    leading bytes of the source that are authenticated and not encrypted
 *   24  u8  iv_length   1 to 12
 *   25  u8  tag_size    12 or 16
 */
struct dpubridge_aead {
	uint64_t key;
	uint8_t iv[12];
	uint32_t aad_size;
	uint8_t iv_length;
	uint8_t tag_size;
	uint8_t reserved[6];
};

/** Operands of an atomic task of RDMA. */
struct dpubridge_atomic {
	uint64_t operand;	/**< the new number, or the summand */
	uint64_t compared;	/**< RDMA_CMP_SWP: the number is replaced if it has this value */
};

/**
 * The entry is a batch: many tasks of its kind with one record. For compress, DMA, SHA_HASH, the kinds with a matrix or a key,
 * CONSUMER_RECV, PRODUCER_SEND, RDMA_SEND, RDMA_READ and RDMA_WRITE. Parts of a SHA_PARTIAL_HASH share one task, so that they
 * form no batch.
 */
#define DPUBRIDGE_FLAG_BATCH 0x8000u

/** Maximum number of tasks of one batch. */
#define DPUBRIDGE_BATCH_TASKS 65536u

/*
 * A batch, in memory of the caller, aligned to 8 bytes:
 *
 *   +--------------------+  0
 *   | struct             |  64 bytes
 *   |   dpubridge_batch  |
 *   +--------------------+  64
 *   | entries            |  count x 64 bytes: source, destination and argument of each task; user_data, context, kind and flags
 *   |                    |  are ignored
 *   +--------------------+
 *   | results            |  count x 16 bytes
 *   +--------------------+
 *
 * The caller sets count and sets the rest of the struct to 0. Before each run the caller sets next, ended and failures to 0. During
 * the run, the caller does not access the batch, with one exception: the owner's thread may read next and ended, and change limit.
 * A higher limit has effect when the next task ends. The run ends with one record:
 *
 *   TASK_DONE           every task has a result
 *   REFUSED             no task was begun
 *
 * Tasks are submitted in order, up to the number of tasks of the kind at a time. The callback of each task submits the next one.
 * A limit lowers this number: connections of RDMA share the tasks of a kind, and a batch of one of them leaves tasks to the others.
 * Entries of PRODUCER_SEND also use the argument, and the number of immediate bytes in the flags.
 * For a CONSUMER_RECV, the result's checksum0 is the id of the producer and checksum1 the length of its immediate data. The
 * immediate data is in the first bytes of the entry. More than 32 bytes fail the task with TOO_BIG.
 * A task whose submission fails with another error than AGAIN has this error as its result, and the other tasks continue.
 *
 * A run uses the buffers again as the previous run left them in DOCA. Between runs only src_len and argument of entries may
 * change, and the memory to which the argument points. The caller then lowers prepared to the first changed entry or below. If
 * another task used a buffer of the batch, the caller sets prepared to 0.
 */
struct dpubridge_batch {
	uint32_t count;		/**< caller: 1 to DPUBRIDGE_BATCH_TASKS */
	uint32_t next;		/**< bridge: tasks that were submitted, or have a result without submission */
	uint32_t ended;		/**< bridge: tasks that have their result */
	uint32_t failures;	/**< bridge: number of failed tasks among the ended ones */
	uint32_t prepared;	/**< both: number of leading entries whose buffers DOCA has */
	uint32_t limit;		/**< caller: maximum number of tasks in flight; 0: that of the kind */
	uint64_t tag;		/**< bridge: identity; 0 before the first run */
	uint64_t user_data;	/**< bridge: copied into the record */
	uint64_t unused[3];
};

/** Result of one task of a batch; valid when the batch has ended. */
struct dpubridge_result {
	int64_t outcome;	/**< bytes produced, as in a record; below 0: -doca_error_t of the failed task */
	uint32_t checksum0;	/**< as in a record */
	uint32_t checksum1;
};

/** Maximum number of immediate bytes of one fast-path transfer. */
#define DPUBRIDGE_IMMEDIATE_BYTES 32u

/** Kinds of tasks: rows of the table in src/kind/kinds.c. */
enum dpubridge_kind {
	DPUBRIDGE_KIND_COMPRESS_DEFLATE = 0,
	DPUBRIDGE_KIND_DECOMPRESS_DEFLATE = 1,
	DPUBRIDGE_KIND_DECOMPRESS_LZ4_BLOCK = 2,
	DPUBRIDGE_KIND_DECOMPRESS_LZ4_STREAM = 3,
	DPUBRIDGE_KIND_DMA_MEMCPY = 4,
	DPUBRIDGE_KIND_COMCH_SERVER_SEND = 5,
	DPUBRIDGE_KIND_COMCH_CLIENT_SEND = 6,
	DPUBRIDGE_KIND_COMCH_CONSUMER_RECV = 7,
	DPUBRIDGE_KIND_COMCH_PRODUCER_SEND = 8,
	DPUBRIDGE_KIND_SHA_HASH = 9,
	DPUBRIDGE_KIND_AES_GCM_ENCRYPT = 10,
	DPUBRIDGE_KIND_AES_GCM_DECRYPT = 11,
	DPUBRIDGE_KIND_EC_CREATE = 12,
	DPUBRIDGE_KIND_EC_RECOVER = 13,
	DPUBRIDGE_KIND_EC_UPDATE = 14,
	DPUBRIDGE_KIND_SHA_PARTIAL_HASH = 15,
	DPUBRIDGE_KIND_RDMA_RECEIVE = 16,
	DPUBRIDGE_KIND_RDMA_SEND = 17,
	DPUBRIDGE_KIND_RDMA_SEND_IMM = 18,
	DPUBRIDGE_KIND_RDMA_READ = 19,
	DPUBRIDGE_KIND_RDMA_WRITE = 20,
	DPUBRIDGE_KIND_RDMA_WRITE_IMM = 21,
	DPUBRIDGE_KIND_RDMA_CMP_SWP = 22,
	DPUBRIDGE_KIND_RDMA_FETCH_ADD = 23,
	DPUBRIDGE_KIND_EVENT_GET = 24,
	DPUBRIDGE_KIND_EVENT_SET = 25,
	DPUBRIDGE_KIND_EVENT_ADD = 26,
	DPUBRIDGE_KIND_EVENT_WAIT_EQUAL = 27,
	DPUBRIDGE_KIND_EVENT_WAIT_NOT_EQUAL = 28,
	DPUBRIDGE_KIND_RDMA_EVENT_GET = 29,
	DPUBRIDGE_KIND_RDMA_EVENT_SET = 30,
	DPUBRIDGE_KIND_RDMA_EVENT_ADD = 31,
	DPUBRIDGE_KIND_COUNT
};

/*
 * Completion record, 64 bytes.
 *
 *    0  u64 user_data         of the entry; unsolicited records: the value given at attach
 *    8  u32 context
 *   12  u8  type              enum dpubridge_record_type
 *   13  u8  immediate_length  TASK_DONE of CONSUMER_RECV: 0 to 32; 0 otherwise
 *   14  u16 kind              of the task; 0 otherwise
 *   16  i32 status            doca_error_t
 *   20  u32 states            CONTEXT_STATE: previous state << 16 | next state; TASK_DONE of CONSUMER_RECV: producer id;
 *                             CONNECTED to REQUESTED, TASK_DONE of RDMA_RECEIVE: connection handle; 0 otherwise
 *   24  u64 produced          TASK_DONE: bytes written to the destination, 0 without one; of RDMA_RECEIVE: bytes that the peer sent or
 *                             wrote; of EVENT_GET and RDMA_EVENT_GET the value, of EVENT_ADD and RDMA_EVENT_ADD the value before; MESSAGE: its
 *                             length; CONSUMER_NEW, CONSUMER_EXPIRED: consumer id
 *   32  u32 checksum0         TASK_DONE: CRC-32 (compress kinds), immediate data (RDMA_RECEIVE); 0 otherwise
 *   36  u32 checksum1         TASK_DONE: Adler-32 (deflate kinds), xxHash-32 (LZ4 kinds), enum doca_rdma_opcode (RDMA_RECEIVE); 0
 *                             otherwise
 *   40  u8[24] reserved
 *   32  u8[32] immediate      TASK_DONE of CONSUMER_RECV: replaces the three fields above
 */
struct dpubridge_record {
	uint64_t user_data;
	uint32_t context;
	uint8_t type;
	uint8_t immediate_length;
	uint16_t kind;
	int32_t status;
	uint32_t states;
	uint64_t produced;
	union {
		struct {
			uint32_t checksum0;
			uint32_t checksum1;
			uint8_t reserved[24];
		};
		uint8_t immediate[DPUBRIDGE_IMMEDIATE_BYTES];
	};
};

/**
 * User data of a record about a task of a batch that a library has reported a second time. A single task's second record is a
 * TASK_DONE with the user data of its first one, which the caller has consumed before.
 */
#define DPUBRIDGE_NO_TASK UINT64_MAX

enum dpubridge_record_type {
	DPUBRIDGE_RECORD_TASK_DONE = 1,		/**< success callback */
	DPUBRIDGE_RECORD_TASK_FAILED = 2,	/**< error callback; status is its error */
	DPUBRIDGE_RECORD_REFUSED = 3,		/**< nothing is in flight; status is the error of alloc or submit, or
						 *   NOT_FOUND (no such context), INVALID_VALUE (unknown kind, no buffer),
						 *   BAD_STATE (kind not configured), NO_MEMORY (no place to wait),
						 *   NOT_CONNECTED (the connection has ended) */
	DPUBRIDGE_RECORD_CONTEXT_STATE = 4,	/**< state-changed callback; IDLE is the last record of a stopped context */
	DPUBRIDGE_RECORD_CONNECTED = 5,		/**< a server has a new connection, or one of RDMA is established; status CONNECTION_ABORTED and handle 0:
						 *   an attempt has failed */
	DPUBRIDGE_RECORD_DISCONNECTED = 6,	/**< the peer disconnected from a server; the handle is invalid. Of RDMA: the connection
						 *   has ended or could not be established; dpubridge_rdma_disconnect() ends the handle */
	DPUBRIDGE_RECORD_MESSAGE = 7,		/**< a message is in the next cell; status TOO_BIG and length 0: the message was
						 *   longer than a cell */
	DPUBRIDGE_RECORD_CONSUMER_NEW = 8,	/**< the peer has created a consumer */
	DPUBRIDGE_RECORD_CONSUMER_EXPIRED = 9,	/**< the peer has destroyed a consumer */
	DPUBRIDGE_RECORD_REQUESTED = 10		/**< a peer asks an RDMA context for a connection: accept or reject it */
};

/** Values of dpubridge_layout(), in this order. */
enum dpubridge_layout_value {
	DPUBRIDGE_LAYOUT_LAYOUT_VERSION,
	DPUBRIDGE_LAYOUT_HEADER_BYTES,		/**< distance from the start of the mapping to the submission ring */
	DPUBRIDGE_LAYOUT_SUBMISSION_TAIL_OFFSET,
	DPUBRIDGE_LAYOUT_SUBMISSION_HEAD_OFFSET,
	DPUBRIDGE_LAYOUT_COMPLETION_TAIL_OFFSET,
	DPUBRIDGE_LAYOUT_COMPLETION_HEAD_OFFSET,
	DPUBRIDGE_LAYOUT_COUNTERS_OFFSET,
	DPUBRIDGE_LAYOUT_ENTRY_BYTES,
	DPUBRIDGE_LAYOUT_ENTRY_USER_DATA,
	DPUBRIDGE_LAYOUT_ENTRY_CONTEXT,
	DPUBRIDGE_LAYOUT_ENTRY_KIND,
	DPUBRIDGE_LAYOUT_ENTRY_FLAGS,
	DPUBRIDGE_LAYOUT_ENTRY_SRC_BUF,
	DPUBRIDGE_LAYOUT_ENTRY_SRC_ADDR,
	DPUBRIDGE_LAYOUT_ENTRY_SRC_LEN,
	DPUBRIDGE_LAYOUT_ENTRY_DST_BUF,
	DPUBRIDGE_LAYOUT_ENTRY_DST_ADDR,
	DPUBRIDGE_LAYOUT_ENTRY_ARGUMENT,
	DPUBRIDGE_LAYOUT_RECORD_BYTES,
	DPUBRIDGE_LAYOUT_RECORD_USER_DATA,
	DPUBRIDGE_LAYOUT_RECORD_CONTEXT,
	DPUBRIDGE_LAYOUT_RECORD_TYPE,
	DPUBRIDGE_LAYOUT_RECORD_KIND,
	DPUBRIDGE_LAYOUT_RECORD_STATUS,
	DPUBRIDGE_LAYOUT_RECORD_STATES,
	DPUBRIDGE_LAYOUT_RECORD_PRODUCED,
	DPUBRIDGE_LAYOUT_RECORD_CHECKSUM0,
	DPUBRIDGE_LAYOUT_RECORD_CHECKSUM1,
	DPUBRIDGE_LAYOUT_RECORD_IMMEDIATE_LENGTH,
	DPUBRIDGE_LAYOUT_RECORD_IMMEDIATE,
	DPUBRIDGE_LAYOUT_MESSAGE_TAIL_OFFSET,
	DPUBRIDGE_LAYOUT_MESSAGE_HEAD_OFFSET,
	DPUBRIDGE_LAYOUT_HEADER_MESSAGE_CELLS,
	DPUBRIDGE_LAYOUT_HEADER_MESSAGE_BYTES,
	DPUBRIDGE_LAYOUT_BATCH_BYTES,		/**< distance from the start of a batch to its entries */
	DPUBRIDGE_LAYOUT_BATCH_COUNT,
	DPUBRIDGE_LAYOUT_BATCH_NEXT,
	DPUBRIDGE_LAYOUT_BATCH_ENDED,
	DPUBRIDGE_LAYOUT_BATCH_FAILURES,
	DPUBRIDGE_LAYOUT_BATCH_PREPARED,
	DPUBRIDGE_LAYOUT_BATCH_LIMIT,
	DPUBRIDGE_LAYOUT_RESULT_BYTES,
	DPUBRIDGE_LAYOUT_RESULT_OUTCOME,
	DPUBRIDGE_LAYOUT_RESULT_CHECKSUM0,
	DPUBRIDGE_LAYOUT_RESULT_CHECKSUM1,
	DPUBRIDGE_LAYOUT_FLAG_BATCH,
	DPUBRIDGE_LAYOUT_KIND_COUNT,
	DPUBRIDGE_LAYOUT_COUNT
};

/**
 * Describes the layout of the shared memory.
 * @param values array of count values, indexed by enum dpubridge_layout_value
 * @return number of values that this library has (DPUBRIDGE_LAYOUT_COUNT); at most count are written
 */
uint32_t dpubridge_layout(uint32_t *values, uint32_t count);

#endif
