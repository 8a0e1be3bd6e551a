/*
 * A DOCA that tests control. The library exports the doca_* functions that the bridge resolves, and the fake_* functions below.
 * With these a test sets the results of submissions, and when, where and in which order tasks finish.
 *
 * All fake_* functions may be called from any thread; callbacks run without a lock held.
 */
#ifndef FAKE_DOCA_H
#define FAKE_DOCA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct doca_pe;
struct doca_ctx;
struct doca_comch_connection;

struct doca_buf {
	uint8_t *head;
	size_t len;
	uint8_t *data;
	size_t data_len;
};

struct doca_pe *fake_pe_create(void);
void fake_pe_destroy(struct doca_pe *pe);

/** Creates a context of a library that has every kind; serves as the library's object as well. */
struct doca_ctx *fake_ctx_create(struct doca_pe *pe);
void fake_ctx_destroy(struct doca_ctx *ctx);

/** Changes to a state and calls the state callback at once, on the calling thread. */
void fake_ctx_change(struct doca_ctx *ctx, int next);

/** Changes to a state without a call of the callback. Returns the previous state. */
int fake_ctx_enter(struct doca_ctx *ctx, int next);

/** Calls the state callback, on the calling thread. The state may be another one. */
void fake_ctx_report(struct doca_ctx *ctx, int previous, int next);

/** Acts as doca_ctx_stop: STOPPING now; IDLE, with one more progress, when all tasks are freed. */
void fake_ctx_stop(struct doca_ctx *ctx);

/** Makes IDLE and its callback happen inside the doca_task_free of the last task instead of in the next progress. */
void fake_ctx_idle_at_once(struct doca_ctx *ctx, bool at_once);

/** Makes the count submissions after the next skip ones return status. */
void fake_submit_answers(struct doca_ctx *ctx, uint32_t skip, uint32_t count, int status);

/** Makes each send to this consumer return AGAIN; 0: none. Needs the library of fake_producer.c. */
void fake_refuse_consumer(struct doca_ctx *ctx, uint32_t consumer);

/** Sets the immediate data of all buffers that this consumer receives; the caller keeps it. Needs the library of fake_producer.c. */
void fake_receive_immediate(struct doca_ctx *ctx, const uint8_t *bytes, uint32_t len);

/** Finishes each task as soon as it is submitted, successfully; its callback still needs progress. */
void fake_ctx_finish_at_once(struct doca_ctx *ctx, bool at_once);

/** Finishes the oldest task, successfully, in each progress without an event; its callback needs a further progress. */
void fake_ctx_finish_when_idle(struct doca_ctx *ctx, bool when_idle);

/** Makes the library call the callback of each task twice, also of a freed task, unless the first call submits a task. */
void fake_ctx_report_twice(struct doca_ctx *ctx, bool twice);

/** Returns the number of tasks that were submitted and not finished. */
uint32_t fake_ctx_num_submitted(struct doca_ctx *ctx);

/** Returns the number of tasks that were allocated and not freed. */
uint32_t fake_ctx_num_allocated(struct doca_ctx *ctx);

/** Returns the number of task allocations since creation. */
uint32_t fake_ctx_num_allocations(struct doca_ctx *ctx);

/**
 * Finishes the index-th of the submitted, unfinished tasks, in the order of submission. The callback of the task runs in a
 * later progress. A task writes produced bytes and has the checksums 1000 + produced and 2000 + produced.
 * @param status 0 for success
 */
void fake_finish(struct doca_ctx *ctx, uint32_t index, int status, size_t produced);

/** Works as fake_finish(), but the callback runs now, on the calling thread. @return false when there is no such task */
bool fake_finish_here(struct doca_ctx *ctx, uint32_t index, int status, size_t produced);

/** Returns the flags of the last submitted stream task: bit 0 block checksum, bit 1 independent blocks. */
uint32_t fake_last_lz4_flags(void);

/** Makes the next progress call turn(argument), once: imitates a library that reports several events in one progress. */
void fake_pe_next_turn(struct doca_pe *pe, void (*turn)(void *argument), void *argument);

/* Comch. Callbacks run on the calling thread. Any context serves as a server or a client. */

/** Creates a connection; calls the connect event when ctx is a server. A disconnect ends it without an event. */
struct doca_comch_connection *fake_connect(struct doca_ctx *ctx);
/** Makes a connection attempt that fails. */
void fake_connect_in_vain(struct doca_ctx *ctx);
/** Disconnects the peer: calls the disconnect event of a server, and frees the connection. */
void fake_peer_leaves(struct doca_comch_connection *connection);
/** Frees a connection that ended without an event. */
void fake_connection_free(struct doca_comch_connection *connection);
void fake_message(struct doca_comch_connection *connection, const void *bytes, uint32_t len);
void fake_consumer(struct doca_comch_connection *connection, uint32_t id, bool is_new);
/** Sets the result of doca_comch_server_disconnect(). */
void fake_disconnect_answers(struct doca_ctx *ctx, int status);
/** Sets the result of get_max_msg_size; initially 64. */
void fake_max_msg_size(struct doca_ctx *ctx, uint32_t size);

/** Returns how often the engine was armed and cleared. */
uint32_t fake_pe_num_requests(struct doca_pe *pe);
uint32_t fake_pe_num_clears(struct doca_pe *pe);

/** Calls hook(argument) inside doca_pe_request_notification, before it arms: in this moment events could get lost. */
void fake_pe_before_arming(struct doca_pe *pe, void (*hook)(void *argument), void *argument);

#endif
