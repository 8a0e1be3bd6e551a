/*
 * libdpubridge: a submission and a completion ring in front of any DOCA library.
 *
 *      Java (engine thread)                      this library                          DOCA (NVIDIA's or softdpu)
 *      ------------------------------------------------------------------------------------------------------------
 *      writes entries   ->  submission ring  ->  dpubridge_enter(): re-uses a task,  ->  doca_task_submit
 *                                                sets its buffers, submits
 *      reads records    <-  completion ring  <-  C callbacks write records           <-  doca_pe_progress
 *      reads messages   <-  message cells    <-  and copy messages
 *
 * Rules:
 *  - One engine, one thread: dpubridge_create() makes the calling thread the owner, and every function that takes a
 *    bridge, but dpubridge_wake(), dpubridge_memory() and dpubridge_memory_bytes(), is called by the owner. It is checked:
 *    on another thread nothing happens, dpubridge_error() names both threads, and the answer is the function's failure:
 *    -1 (destroy, wait), UINT32_MAX (enter, inflight), NULL (connection_pointer), DOCA_ERROR_NOT_PERMITTED (all else).
 *  - The rings are plain memory shared with the caller of the same thread; dpubridge_layout.h draws it. The caller owns the
 *    submission tail, the completion head and the message head; this library owns the other positions.
 *  - No call back into the caller. DOCA's callbacks are C functions of this library that write records. A callback that
 *    arrives on a foreign thread (quirk Q6) is queued aside under a lock and copied to the ring by the next enter.
 *  - A device that has done a task has the next one at once: where the caller lets entries wait (dpubridge_context_queue), they
 *    are submitted from the callbacks of those before them. Batches are many tasks in one entry, with one record.
 *  - No policy: an AGAIN of doca_task_submit becomes a record, at once or when the caller's patience with it is over
 *    (dpubridge_context_patience). Order is kept: after one entry of a context was answered
 *    AGAIN, all that it enters before the caller has read this is answered AGAIN without a try. A NO_MEMORY of a comch kind
 *    holds back what follows in the same way. Sends of a producer are in order for each of its consumers, and hold back no
 *    others.
 *  - No record is ever dropped: enter() submits and progresses only while the completion ring has room for the answers.
 *    A quarter of the completion ring is kept for records that are no answers, the unasked ones: state changes, connections,
 *    messages, consumers. At most three quarters of its capacity can be unread or in flight when an entry is taken. Unasked
 *    records that find no room wait aside, and come in order with a later enter.
 *  - No message is ever dropped: with comch on the bridge, enter() progresses only while a message cell is free, and a message
 *    that finds none waits aside with a copy of its bytes. Should there be no memory for what has to wait, it is lost, and the
 *    next enter fails and says so.
 *  - doca_* functions are resolved at run time (dlopen/dlsym) from the libraries that the caller names.
 */
#ifndef DPUBRIDGE_H
#define DPUBRIDGE_H

#include <stddef.h>
#include <stdint.h>

#include "dpubridge_layout.h"

struct dpubridge;

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
 * @param message_cells a power of two, at most 65536; 0: no comch on this bridge
 * @param message_bytes bytes per cell, a multiple of 64, at most 65536; ignored without cells
 * @return NULL on failure, see dpubridge_error()
 */
struct dpubridge *dpubridge_create(void *pe, uint32_t submission_capacity, uint32_t completion_capacity,
				   uint32_t message_cells, uint32_t message_bytes);

/** The shared memory, as drawn in dpubridge_layout.h. All counters and positions start at 0. Any thread. */
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
 * @param user_data comes back in CONTEXT_STATE and other unasked records
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
 * Let entries of a configured kind wait, when as many are in flight as it has tasks, instead of answering them NO_MEMORY. What
 * waits is submitted in order, each from the callback of a task that ends: the device has work again before the caller has so
 * much as woken. At first nothing may wait; batches always need room for at least one.
 * @param num_waiting so many at most
 * @return 0, NOT_FOUND for an unknown handle, BAD_STATE when the kind is not configured, IN_USE while entries wait, NO_MEMORY
 */
int32_t dpubridge_context_queue(struct dpubridge *bridge, uint32_t handle, uint16_t kind, uint32_t num_waiting);

/**
 * Have the bridge try again what the device answers with AGAIN, of a configured kind whose entries may wait, instead of answering it
 * so: in order, with each enter and all the time that dpubridge_wait would sleep, until the device takes it or patience_ns have
 * passed since the first AGAIN of its order. It becomes a record then, with all that waits behind it, and each further AGAIN at once,
 * until something of that order is taken. Other orders go on meanwhile. For the kinds of comch.
 * @param patience_ns on the monotonic clock; 0, as at first: none
 * @return 0, NOT_FOUND for an unknown handle, BAD_STATE when the kind is not configured or has no room to wait, IN_USE while
 *         entries wait, NOT_SUPPORTED for other kinds, NO_MEMORY
 */
int32_t dpubridge_context_patience(struct dpubridge *bridge, uint32_t handle, uint16_t kind, uint64_t patience_ns);

/**
 * Have one entry back, if it waits. Of a batch that was begun, the tasks that the device has not got have the status as their
 * result, and its record comes when the others have ended.
 * @return 1: it waited, and no record follows; 0: its record follows, or no such entry is there
 */
int32_t dpubridge_context_withdraw(struct dpubridge *bridge, uint32_t handle, uint64_t user_data, int32_t status);

/**
 * Free the DOCA tasks that are kept for re-use, and from now on free each task as it completes: a context reaches IDLE
 * only after that. What waits comes back REFUSED with BAD_STATE. Idempotent. Call before doca_ctx_stop. A context that changes to STOPPING drains by itself; draining
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

/** Roles of dpubridge_comch_configure(). */
enum dpubridge_comch_role { DPUBRIDGE_COMCH_SERVER = 0, DPUBRIDGE_COMCH_CLIENT = 1 };

/**
 * Have the bridge receive what comch says unasked, on an attached, idle context: registers the callbacks for messages, for
 * consumers of the peer and, for a server, for connections. The bridge takes the user data of the connections for itself.
 * Send tasks are configured with dpubridge_context_configure(). Consumers and producers need no such call.
 * @param role enum dpubridge_comch_role; the object given at attach is a struct doca_comch_server * or doca_comch_client *
 * @return doca_error_t of the failing call, NOT_FOUND for an unknown handle, INVALID_VALUE for an unknown role, when the bridge
 *         has no message cells, or when the context's messages may be larger than a cell; NOT_SUPPORTED when no comch library
 *         is loaded; or 0
 */
int32_t dpubridge_comch_configure(struct dpubridge *bridge, uint32_t handle, uint32_t role);

/**
 * The connection of a RUNNING client. Connection handles are generation << 16 | index, as those of contexts, and never 0. A
 * record of a message or a consumer that comes before this call names the same handle. A client's handle dies when the client
 * becomes IDLE; a server's dies with its DISCONNECTED, with a successful dpubridge_comch_disconnect(), or when the server
 * becomes IDLE.
 * @return 0, NOT_FOUND for an unknown context handle, INVALID_VALUE when it is no client's, BAD_STATE while it is not connected
 */
int32_t dpubridge_comch_connection(struct dpubridge *bridge, uint32_t handle, uint32_t *connection);

/**
 * End a connection of a server. On success the handle is invalid at once and no DISCONNECTED record follows; messages that came
 * before may still be in the ring or aside.
 * @return 0, NOT_FOUND for a connection that this server does not have (any more), INVALID_VALUE when the context is no server,
 *         or what doca_comch_server_disconnect() answers: IN_USE, AGAIN, ...
 */
int32_t dpubridge_comch_disconnect(struct dpubridge *bridge, uint32_t handle, uint32_t connection);

/** struct doca_comch_connection * behind a handle, to make consumers and producers on; NULL once it is gone. Valid until the
 *  next enter. */
void *dpubridge_connection_pointer(struct dpubridge *bridge, uint32_t connection);

/**
 * One turn: submit what is in the submission ring, call doca_pe_progress until it returns 0 or budget calls have
 * returned 1, and leave the records in the completion ring. Entries for which there is no room stay in the submission ring.
 * @return number of records in the completion ring that the caller has not consumed; UINT32_MAX when the caller is a
 *         foreign thread, a position of the caller is impossible, or something was lost for lack of memory: nothing
 *         was done, dpubridge_error() says which
 */
uint32_t dpubridge_enter(struct dpubridge *bridge, uint32_t budget);

/**
 * dpubridge_enter(), for a caller that has nothing else to do: while there is no record, the device is looked at for look_ns more.
 * What a device has to say is known as soon as in a program that calls doca_pe_progress in a loop of its own.
 * @param look_ns nanoseconds on the monotonic clock; ends early with a record, dpubridge_wake(), or patience (see
 *        dpubridge_context_patience()). A dpubridge_wake() that ends it is taken: the next dpubridge_wait() does not see it
 * @return as of dpubridge_enter()
 */
uint32_t dpubridge_look(struct dpubridge *bridge, uint32_t budget, uint64_t look_ns);

/**
 * Look, then sleep, until there is something for the caller, dpubridge_wake() was called, or a bound was reached. While the device does
 * something it is progressed: what waits for a task is submitted from the callback of the one that has ended. When it has done nothing
 * for spin_ns: arms the progress engine, looks for records once more, polls its handle and the wake-up's together, then clears. If the
 * device has ended that and no record has come of it, as with most tasks of a batch, the look begins anew. Returns at once while
 * records are unread or wait aside. While there is patience with something that was refused it does not sleep but asks the device, and
 * returns when that is over. Call enter until nothing happens before, and enter again after.
 * @param timeout_ns bound in nanoseconds on the monotonic clock
 * @param quiet_ns another: so long without anything that the device has done. 0 for one of them looks without sleeping
 * @param spin_ns how long to look at a device that does nothing before each sleep, in nanoseconds, giving way to other threads in
 *        between; 0 sleeps at once
 * @param budget calls of doca_pe_progress in a row that may bring something. 0: none, and no look: all is left to the next enter
 * @return 1 the device has something for the caller, 2 woken by dpubridge_wake, 3 both, 0 time-out, -1 error (dpubridge_error)
 */
int32_t dpubridge_wait(struct dpubridge *bridge, uint64_t timeout_ns, uint64_t quiet_ns, uint64_t spin_ns, uint32_t budget);

/** End dpubridge_wait() or make the next one return at once. Any thread; coalesces; a system call only when it ends a sleep. */
void dpubridge_wake(struct dpubridge *bridge);

#endif
