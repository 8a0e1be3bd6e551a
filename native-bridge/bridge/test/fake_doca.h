/*
 * A DOCA that does what a test says. It exports the doca_* functions that the bridge resolves, and the fake_* functions
 * below, by which a test decides what submissions answer, and when, where and in which order tasks finish.
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

/** A context of a library that has every kind; serves as the library's object as well. */
struct doca_ctx *fake_ctx_create(struct doca_pe *pe);
void fake_ctx_destroy(struct doca_ctx *ctx);

/** Go to a state and call back at once, on the calling thread. */
void fake_ctx_change(struct doca_ctx *ctx, int next);

/** doca_ctx_stop: STOPPING now; IDLE, with one more progress, when all tasks are freed. */
void fake_ctx_stop(struct doca_ctx *ctx);

/** Reach IDLE, with its callback, inside the doca_task_free of the last task instead of in the next progress. */
void fake_ctx_idle_at_once(struct doca_ctx *ctx, bool at_once);

/** Answer status to the count submissions that follow the next skip ones. */
void fake_submit_answers(struct doca_ctx *ctx, uint32_t skip, uint32_t count, int status);

/** Answer AGAIN to each send to this consumer; 0: to none. Needs the library of fake_producer.c. */
void fake_refuse_consumer(struct doca_ctx *ctx, uint32_t consumer);

/** Finish each task as soon as it is submitted, successfully; its callback still needs progress. */
void fake_ctx_finish_at_once(struct doca_ctx *ctx, bool at_once);

/** Finish the oldest task, successfully, in each progress that finds nothing; its callback needs a further progress. */
void fake_ctx_finish_when_idle(struct doca_ctx *ctx, bool when_idle);

/** Tasks that were submitted and not finished. */
uint32_t fake_ctx_num_submitted(struct doca_ctx *ctx);

/** Tasks that were allocated and not freed. */
uint32_t fake_ctx_num_allocated(struct doca_ctx *ctx);

/** Tasks that were ever allocated. */
uint32_t fake_ctx_num_allocations(struct doca_ctx *ctx);

/**
 * Finish the index-th of the tasks that are submitted and not finished, in the order of submission; its callback runs in
 * the progress that gets to it. A task writes produced bytes and has the checksums 1000 + produced and 2000 + produced.
 * @param status 0 for success
 */
void fake_finish(struct doca_ctx *ctx, uint32_t index, int status, size_t produced);

/** The same, but the callback runs now, on the calling thread. @return false when there is no such task */
bool fake_finish_here(struct doca_ctx *ctx, uint32_t index, int status, size_t produced);

/** Last flags that a stream task was submitted with: bit 0 block checksum, bit 1 independent blocks. */
uint32_t fake_last_lz4_flags(void);

/** Have the next progress call turn(argument), once: what a library does that reports several things at a time. */
void fake_pe_next_turn(struct doca_pe *pe, void (*turn)(void *argument), void *argument);

/* Comch. Callbacks run on the calling thread. Any context serves as a server or a client. */

/** A connection, with its connect event when ctx is a server's; disconnect ends it without an event. */
struct doca_comch_connection *fake_connect(struct doca_ctx *ctx);
/** An attempt that fails. */
void fake_connect_in_vain(struct doca_ctx *ctx);
/** The peer leaves: the disconnect event, for a server; the connection is gone. */
void fake_peer_leaves(struct doca_comch_connection *connection);
/** Free a connection that ended without an event. */
void fake_connection_free(struct doca_comch_connection *connection);
void fake_message(struct doca_comch_connection *connection, const void *bytes, uint32_t len);
void fake_consumer(struct doca_comch_connection *connection, uint32_t id, bool is_new);
/** What doca_comch_server_disconnect() answers from now on. */
void fake_disconnect_answers(struct doca_ctx *ctx, int status);
/** What get_max_msg_size answers; 64 at first. */
void fake_max_msg_size(struct doca_ctx *ctx, uint32_t size);

/** Times the engine was armed and cleared. */
uint32_t fake_pe_num_requests(struct doca_pe *pe);
uint32_t fake_pe_num_clears(struct doca_pe *pe);

/** Call hook(argument) inside doca_pe_request_notification, before it arms: the moment in which events get lost. */
void fake_pe_before_arming(struct doca_pe *pe, void (*hook)(void *argument), void *argument);

#endif
