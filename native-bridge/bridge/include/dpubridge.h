/*
 * libdpubridge: a submission and a completion ring in front of any DOCA library.
 *
 *      Java (engine thread)                      this library                          DOCA (NVIDIA's or softdpu)
 *      ------------------------------------------------------------------------------------------------------------
 *      writes entries   ->  submission ring  ->  dpubridge_enter(): re-uses a task,  ->  doca_task_submit
 *                                                sets its buffers, submits
 *      reads records    <-  completion ring  <-  C callbacks write records           <-  doca_pe_progress
 *
 * Rules:
 *  - One engine, one thread: dpubridge_create() makes the calling thread the owner, and every function that takes a
 *    bridge, but dpubridge_wake(), dpubridge_memory() and dpubridge_memory_bytes(), is called by the owner. It is checked:
 *    on another thread nothing happens, dpubridge_error() names both threads, and the answer is the function's failure:
 *    -1 (destroy, wait), UINT32_MAX (enter, inflight), DOCA_ERROR_NOT_PERMITTED (attach, configure, detach).
 *  - The rings are plain memory shared with the caller of the same thread. Positions are free-running 32-bit counters,
 *    index = position & (capacity - 1). The caller owns the submission tail and the completion head; this library owns
 *    the submission head and the completion tail.
 *  - No call back into the caller. DOCA's callbacks are C functions of this library that write records. A callback that
 *    arrives on a foreign thread (quirk Q6) is queued aside under a lock and copied to the ring by the next enter.
 *  - No policy: an AGAIN of doca_task_submit becomes a record. Order is kept: after one entry of a context was answered
 *    AGAIN, all later entries of that context in the same enter are answered AGAIN without a try.
 *  - No record is ever dropped: enter() submits and progresses only while the completion ring has room for the answers.
 *    A quarter of the completion ring is kept for state changes: at most three quarters of its capacity can be unread or
 *    in flight when an entry is taken. State changes that find no room wait aside, and come in order with a later enter.
 *  - doca_* functions are resolved at run time (dlopen/dlsym) from the libraries that the caller names.
 *
 * The layout has a version; dpubridge_layout() reports every size and offset, so that the caller can compare its own
 * constants at start.
 */
#ifndef DPUBRIDGE_H
#define DPUBRIDGE_H

#include <stddef.h>
#include <stdint.h>

#define DPUBRIDGE_LAYOUT_VERSION 1u

/*
 * Header: one page, followed in the same allocation by the submission ring and the completion ring.
 *
 *   offset  size  field                writer
 *        0     4  layout_version       bridge
 *        4     4  submission_capacity  bridge   entries, a power of two
 *        8     4  completion_capacity  bridge   records, a power of two
 *       12     4  reserved
 *       64     4  submission_tail      caller
 *      128     4  submission_head      bridge
 *      192     4  completion_tail      bridge
 *      256     4  completion_head      caller
 *      320    64  counters (8 x u64)   bridge   see enum dpubridge_counter
 */
struct dpubridge_header {
	uint32_t layout_version;
	uint32_t submission_capacity;
	uint32_t completion_capacity;
	uint32_t reserved0;
	uint8_t pad0[48];
	uint32_t submission_tail;
	uint8_t pad1[60];
	uint32_t submission_head;
	uint8_t pad2[60];
	uint32_t completion_tail;
	uint8_t pad3[60];
	uint32_t completion_head;
	uint8_t pad4[60];
	uint64_t counters[8];
};

enum dpubridge_counter {
	DPUBRIDGE_COUNTER_SUBMITTED = 0,	/**< tasks that doca_task_submit accepted */
	DPUBRIDGE_COUNTER_COMPLETED = 1,	/**< task callbacks seen, success and error */
	DPUBRIDGE_COUNTER_REFUSED = 2,		/**< entries answered with DPUBRIDGE_RECORD_REFUSED */
	DPUBRIDGE_COUNTER_PROGRESSED = 3,	/**< doca_pe_progress calls that returned 1 */
	DPUBRIDGE_COUNTER_FOREIGN = 4,		/**< callbacks that arrived on a foreign thread */
	DPUBRIDGE_COUNTER_WAITS = 5,		/**< times the engine slept in dpubridge_wait */
	DPUBRIDGE_COUNTER_ENTERS = 6,		/**< dpubridge_enter calls */
	DPUBRIDGE_COUNTER_STALLED = 7		/**< enters that ended early because the completion ring was full */
};

/*
 * Submission entry, 64 bytes, one cache line: one task.
 *
 *    0  u64 user_data   comes back in the record: the caller's slot and generation
 *    8  u32 context     handle from dpubridge_context_attach()
 *   12  u16 kind        enum dpubridge_kind
 *   14  u16 flags       reserved, 0
 *   16  u64 src_buf     struct doca_buf *, owned by the caller, window = the lease
 *   24  u64 src_addr    first byte of the content
 *   32  u64 src_len     bytes of content
 *   40  u64 dst_buf     struct doca_buf *; output is written from dst_addr to the end of the window
 *   48  u64 dst_addr
 *   56  u64 argument    kind-specific: LZ4 stream: bit 0 has_block_checksum, bit 1 are_blocks_independent
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

/** Kinds of tasks: rows of the table in kinds.c. */
enum dpubridge_kind {
	DPUBRIDGE_KIND_COMPRESS_DEFLATE = 0,
	DPUBRIDGE_KIND_DECOMPRESS_DEFLATE = 1,
	DPUBRIDGE_KIND_DECOMPRESS_LZ4_BLOCK = 2,
	DPUBRIDGE_KIND_DECOMPRESS_LZ4_STREAM = 3,
	DPUBRIDGE_KIND_DMA_MEMCPY = 4,
	DPUBRIDGE_KIND_COUNT
};

/*
 * Completion record, 64 bytes.
 *
 *    0  u64 user_data   of the entry; for a context's state record: the user_data given at attach
 *    8  u32 context
 *   12  u16 type        enum dpubridge_record_type
 *   14  u16 kind        of the task; 0 otherwise
 *   16  i32 status      doca_error_t
 *   20  u32 states      CONTEXT_STATE: previous state << 16 | next state; 0 otherwise
 *   24  u64 produced    TASK_DONE: bytes written to the destination
 *   32  u32 checksum0   TASK_DONE: CRC-32 (compress kinds); 0 otherwise
 *   36  u32 checksum1   TASK_DONE: Adler-32 (deflate kinds) or xxHash-32 (LZ4 kinds); 0 otherwise
 *   40  u8[24] reserved
 */
struct dpubridge_record {
	uint64_t user_data;
	uint32_t context;
	uint16_t type;
	uint16_t kind;
	int32_t status;
	uint32_t states;
	uint64_t produced;
	uint32_t checksum0;
	uint32_t checksum1;
	uint8_t reserved[24];
};

enum dpubridge_record_type {
	DPUBRIDGE_RECORD_TASK_DONE = 1,		/**< success callback */
	DPUBRIDGE_RECORD_TASK_FAILED = 2,	/**< error callback; status says why */
	DPUBRIDGE_RECORD_REFUSED = 3,		/**< nothing is in flight; status says why: what alloc or submit answered, or
						 *   NOT_FOUND (no such context), INVALID_VALUE (unknown kind, no buffer),
						 *   BAD_STATE (kind not configured), NO_MEMORY (num_tasks are in flight) */
	DPUBRIDGE_RECORD_CONTEXT_STATE = 4	/**< state-changed callback; IDLE is a stopped context's last record */
};

struct dpubridge;

/** Values of dpubridge_layout(), in this order. */
enum dpubridge_layout_value {
	DPUBRIDGE_LAYOUT_LAYOUT_VERSION,
	DPUBRIDGE_LAYOUT_HEADER_BYTES,		/**< distance from the mapping's start to the submission ring */
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
	DPUBRIDGE_LAYOUT_KIND_COUNT,
	DPUBRIDGE_LAYOUT_COUNT
};

/**
 * Describe the layout of the rings.
 * @param values array of count values, indexed by enum dpubridge_layout_value
 * @return number of values that this library knows (DPUBRIDGE_LAYOUT_COUNT); at most count are written
 */
uint32_t dpubridge_layout(uint32_t *values, uint32_t count);

/**
 * Resolve the functions of a DOCA library; call for doca_common first, then for each task library. Libraries stay loaded.
 * When another doca_common is loaded, all kinds of the former one are forgotten.
 * @param path what dlopen takes: a file or a soname
 * @return 0, or -1: dpubridge_error() says why. Loading the same path again is harmless.
 * Thread: any, but one at a time, and new libraries only while no bridge exists (-1 otherwise).
 */
int dpubridge_load(const char *path);

/** Why the last failed call of this thread failed, naming operation and cause; never NULL, valid until the next failure. */
const char *dpubridge_error(void);

/**
 * What stands in for a DOCA function that the loaded library lacks: bindings that must resolve every name at once bind
 * the name to this.
 * @return DOCA_ERROR_NOT_SUPPORTED, whatever it is called with. Thread: any.
 */
int32_t dpubridge_absent(void);

/**
 * Create the bridge of one engine in front of an existing progress engine, owned by the caller's thread.
 * @param pe struct doca_pe *, stays the caller's
 * @param submission_capacity entries, a power of two, 2 to 65536
 * @param completion_capacity records, a power of two, at least twice the submission capacity, at most 2^24
 * @return NULL on failure, see dpubridge_error()
 */
struct dpubridge *dpubridge_create(void *pe, uint32_t submission_capacity, uint32_t completion_capacity);

/** The shared memory: header, submission ring, completion ring. All counters and positions start at 0. Any thread. */
void *dpubridge_memory(struct dpubridge *bridge);
/** Its size in bytes. */
uint64_t dpubridge_memory_bytes(const struct dpubridge *bridge);

/**
 * Destroy the bridge; contexts must have been detached.
 * @return 0, or -1 when contexts are still attached (nothing was destroyed). Nobody may call dpubridge_wake() any more.
 */
int dpubridge_destroy(struct dpubridge *bridge);

/**
 * Put the bridge in front of an idle context: registers the state-changed callback and the context's user data.
 * @param ctx struct doca_ctx *, not yet started, connected to the bridge's engine by the caller
 * @param object the library object (struct doca_compress *, ...) that task functions take
 * @param user_data comes back in CONTEXT_STATE records
 * @param handle out: what entries and records name the context by
 * @return doca_error_t of the failing call, or 0
 */
int32_t dpubridge_context_attach(struct dpubridge *bridge, void *ctx, void *object, uint64_t user_data, uint32_t *handle);

/**
 * Configure a task kind on an attached, idle context, with callbacks of the bridge.
 * @param num_tasks DOCA's pool size: at most so many entries of this kind can be in flight
 * @return doca_error_t of <kind>_set_conf, NOT_SUPPORTED when no loaded library has the kind, INVALID_VALUE for an unknown
 *         kind or num_tasks 0, NOT_FOUND for an unknown handle, IN_USE while tasks of the kind are not freed, or 0
 */
int32_t dpubridge_context_configure(struct dpubridge *bridge, uint32_t handle, uint16_t kind, uint32_t num_tasks);

/**
 * Free the DOCA tasks that are kept for re-use, and from now on free each task as it completes: a context reaches IDLE
 * only after that. Idempotent. Call before doca_ctx_stop. A context that changes to STOPPING drains by itself; draining
 * ends when it leaves IDLE again.
 */
void dpubridge_context_drain(struct dpubridge *bridge, uint32_t handle);

/** Tasks of this context that were submitted and whose record is not in the ring yet; 0 for an unknown handle. */
uint32_t dpubridge_context_inflight(const struct dpubridge *bridge, uint32_t handle);

/**
 * Forget a context that is IDLE with nothing in flight; its handle is invalid afterwards (a generation makes a late use
 * of it answer REFUSED / NOT_FOUND). Makes no DOCA call on the context, so that it may be destroyed before or after; it
 * must not be started any more.
 * @return 0, NOT_FOUND, or IN_USE: not IDLE, or DOCA tasks not freed (drain), or records not delivered (enter)
 */
int32_t dpubridge_context_detach(struct dpubridge *bridge, uint32_t handle);

/**
 * One turn: submit what is in the submission ring, call doca_pe_progress until it returns 0 or budget calls have
 * returned 1, and leave the records in the completion ring. Entries for which there is no room stay in the submission ring.
 * @return number of records in the completion ring that the caller has not consumed; UINT32_MAX when the caller is a
 *         foreign thread or a position of the caller is impossible: nothing was done, dpubridge_error() says which
 */
uint32_t dpubridge_enter(struct dpubridge *bridge, uint32_t budget);

/**
 * Sleep until the device has something, dpubridge_wake() was called, or timeout_ns has passed. Arms the progress engine,
 * looks for records once more, polls its handle and the wake-up's together, then clears. Returns at once while records are
 * unread or wait aside. Does not progress: call enter until nothing happens before, and enter again after.
 * @param timeout_ns bound in nanoseconds on the monotonic clock; 0 looks without sleeping
 * @return 1 woken by the device, 2 woken by dpubridge_wake, 3 both, 0 time-out, -1 error (dpubridge_error)
 */
int32_t dpubridge_wait(struct dpubridge *bridge, uint64_t timeout_ns);

/** Wake dpubridge_wait() or make the next one return at once. Any thread; one system call; coalesces. */
void dpubridge_wake(struct dpubridge *bridge);

#endif
