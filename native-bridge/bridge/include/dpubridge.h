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
 *  - One engine has one thread. dpubridge_create() makes the calling thread the owner. Only the owner may call functions that
 *    take a bridge, except dpubridge_wake(), dpubridge_memory() and dpubridge_memory_bytes(). Each function checks this. On
 *    another thread it does nothing, and dpubridge_error() names both threads. The function then returns its failure value: -1
 *    (destroy, wait), UINT32_MAX (enter, poll, inflight), NULL (connection_pointer), 0 (withdraw, reclaim, retry_ns),
 *    DOCA_ERROR_NOT_PERMITTED (all others).
 *  - The rings are plain memory shared with the caller on the same thread; dpubridge_layout.h draws it. The caller owns the
 *    submission tail, the completion head and the message head; this library owns the other positions.
 *  - This library never calls the caller. DOCA's callbacks are C functions of this library that write records. A callback on
 *    a foreign thread (quirk Q6) puts its record into the overflow queue under a lock. The next enter copies it to the ring.
 *  - The device gets its next task without delay. Where the caller allows entries to wait (dpubridge_context_queue), the
 *    callbacks of completed tasks submit them. A batch is many tasks in one entry, with one record.
 *  - AGAIN of doca_task_submit never becomes a record. The entry waits, and the bridge submits it again when a task of its kind
 *    completes. Without a task of the kind in flight, the bridge submits it with each enter and during dpubridge_wait(). For
 *    comch, RDMA, and tasks that wait for a sync event, it does so always: their tasks in flight may last for ever. The entry
 *    waits until DOCA accepts it or refuses it with another error, the caller withdraws it, or its context drains. NO_MEMORY
 *    of a comch kind is treated in the same way.
 *  - The bridge submits the entries of one ordering key in order. All entries of a kind have one key, with three exceptions.
 *    The key of a message is its connection, and that of a producer's send is its consumer. The tasks of all kinds of an RDMA
 *    connection have one key. A refused key holds up no other key.
 *  - No answer is ever dropped: the bridge takes an entry only while the completion ring has room for its record, and reserves
 *    that room. The record of a second callback of a task is written only if there is room. A quarter of the completion ring
 *    is reserved for unsolicited records, which answer no entry: state changes, connections, messages, consumers. When an entry
 *    is taken, at most three quarters of the capacity may be unread or in flight. Unsolicited records without room wait in the
 *    overflow queue. A later enter delivers them in order.
 *  - With comch on the bridge, it progresses the device only while a message cell is free. A message without a free cell waits in
 *    the overflow queue, as a copy of its bytes. Without memory for the overflow queue, the record of a message, a connection or a
 *    consumer is lost, and the next enter fails and reports it. Changes of state need no memory.
 *  - doca_* functions are resolved at run time (dlopen/dlsym) from the libraries that the caller names.
 */
#ifndef DPUBRIDGE_H
#define DPUBRIDGE_H

#include <stddef.h>
#include <stdint.h>

#include "dpubridge_layout.h"

struct dpubridge;

/**
 * Resolves the functions of a DOCA library. Call it for doca_common first, then for each task library. Libraries stay loaded.
 * Loading another doca_common removes all kinds of the previous one.
 * @param path what dlopen takes: a file or a soname
 * @return 0, or -1 with the reason in dpubridge_error(). Loading the same path again has no effect.
 * Thread: any, but one at a time, and new libraries only while no bridge exists (-1 otherwise).
 */
int dpubridge_load(const char *path);

/** Returns the reason of the last failed call on this thread: operation and cause. Never NULL, valid until the next failure. */
const char *dpubridge_error(void);

/**
 * Replaces a DOCA function that the loaded library lacks. Bindings that must resolve every name at once bind the missing
 * name to this function.
 * @return DOCA_ERROR_NOT_SUPPORTED, for any arguments. Thread: any.
 */
int32_t dpubridge_absent(void);

/**
 * Creates the bridge of one engine in front of an existing progress engine. The calling thread becomes the owner.
 * @param pe struct doca_pe *, owned by the caller
 * @param submission_capacity entries, a power of two, 2 to 65536
 * @param completion_capacity records, a power of two, at least twice the submission capacity, at most 2^24
 * @param message_cells a power of two, at most 65536; 0: no comch on this bridge
 * @param message_bytes bytes per cell, a multiple of 64, at most 65536; ignored without cells
 * @return NULL on failure, see dpubridge_error()
 */
struct dpubridge *dpubridge_create(void *pe, uint32_t submission_capacity, uint32_t completion_capacity,
				   uint32_t message_cells, uint32_t message_bytes);

/** Returns the shared memory, as drawn in dpubridge_layout.h. All counters and positions start at 0. Thread: any. */
void *dpubridge_memory(struct dpubridge *bridge);
/** Returns the size of the shared memory in bytes. Thread: any. */
uint64_t dpubridge_memory_bytes(const struct dpubridge *bridge);

/**
 * Destroys the bridge. The caller detaches all contexts before. After success no thread may call dpubridge_wake().
 * @return 0, or -1 without any effect while contexts are attached
 */
int dpubridge_destroy(struct dpubridge *bridge);

/**
 * Attaches an idle context: registers the state-changed callback and the context's user data.
 * @param ctx struct doca_ctx *, not yet started, connected to the bridge's engine by the caller
 * @param object the library object (struct doca_compress *, ...) that task functions take
 * @param user_data copied into CONTEXT_STATE and other unsolicited records
 * @param handle out: names the context in entries and records
 * @return doca_error_t of the failing call, or 0
 */
int32_t dpubridge_context_attach(struct dpubridge *bridge, void *ctx, void *object, uint64_t user_data, uint32_t *handle);

/**
 * Configures a task kind on an attached, idle context, with callbacks of the bridge. At most num_tasks entries of the kind may
 * wait or be in flight, until dpubridge_context_queue() adds places. The bridge refuses further entries with NO_MEMORY.
 * @param num_tasks DOCA's pool size: the maximum number of entries of this kind in flight
 * @return 0, or doca_error_t of <kind>_set_conf; NOT_SUPPORTED: no loaded library has the kind; INVALID_VALUE: unknown kind, or
 *         num_tasks 0; NOT_FOUND: unknown handle; IN_USE: tasks of the kind are not freed
 */
int32_t dpubridge_context_configure(struct dpubridge *bridge, uint32_t handle, uint16_t kind, uint32_t num_tasks);

/**
 * Lets entries of a configured kind wait while all its tasks are in flight. The callback of each completed task submits the next
 * waiting entry, in order. The device thus has work before the caller runs again. A batch needs one place; one batch may always
 * wait. The kinds of RDMA connections share one queue.
 * @param num_waiting number of places for waiting entries, in addition to num_tasks
 * @return 0, NOT_FOUND for an unknown handle, BAD_STATE when the kind is not configured, IN_USE while entries wait, NO_MEMORY
 */
int32_t dpubridge_context_queue(struct dpubridge *bridge, uint32_t handle, uint16_t kind, uint32_t num_waiting);

/**
 * Withdraws one waiting entry. In a batch that has begun, the tasks not yet submitted get the status as their result. The
 * batch's record follows when the other tasks have ended.
 * @return 1: the entry was waiting, and no record follows; 0: its record follows, or there is no such entry
 */
int32_t dpubridge_context_withdraw(struct dpubridge *bridge, uint32_t handle, uint64_t user_data, int32_t status);

/**
 * Takes back an entry that waits behind another entry of its ordering key. The caller may enter it again later, and gains its
 * place for an entry of another key. Take back the youngest entries first, and enter them again in order.
 * @return 1: the entry was waiting, and no record follows; 0: the first of its key, not waiting, or unknown
 */
int32_t dpubridge_context_reclaim(struct dpubridge *bridge, uint32_t handle, uint64_t user_data);

/**
 * Frees the DOCA tasks kept for re-use. From now on each task is freed as it completes: a context reaches IDLE only after that.
 * Waiting entries end as REFUSED with BAD_STATE. Idempotent. Call before doca_ctx_stop. A context that changes to STOPPING drains
 * automatically. Draining ends when the context leaves IDLE again.
 */
void dpubridge_context_drain(struct dpubridge *bridge, uint32_t handle);

/** Returns the number of submitted tasks of this context whose record is not in the ring yet; 0 for an unknown handle. */
uint32_t dpubridge_context_inflight(const struct dpubridge *bridge, uint32_t handle);

/**
 * Removes a context that is IDLE with nothing in flight. The handle of the context becomes invalid; its generation makes a late
 * use return REFUSED / NOT_FOUND. After the event of IDLE this function makes no DOCA call on the context, so that the caller may
 * destroy it before or after. Without that event it asks DOCA for the state. The context must not be started any more.
 * @return 0, NOT_FOUND, or IN_USE: not IDLE, or DOCA tasks not freed (drain), or records not delivered (enter)
 */
int32_t dpubridge_context_detach(struct dpubridge *bridge, uint32_t handle);

/** Roles of dpubridge_comch_configure(). */
enum dpubridge_comch_role { DPUBRIDGE_COMCH_SERVER = 0, DPUBRIDGE_COMCH_CLIENT = 1 };

/**
 * Makes the bridge receive comch events on an attached, idle context. Registers the callbacks for messages, for consumers of
 * the peer and, for a server, for connections. The bridge uses the connections' user data.
 * dpubridge_context_configure() configures send tasks. Consumers and producers need no such call.
 * @param role enum dpubridge_comch_role; the object given at attach is a struct doca_comch_server * or doca_comch_client *
 * @return 0, or doca_error_t of the failing call; NOT_FOUND: unknown handle; INVALID_VALUE: unknown role, no message cells, or
 *         messages that may be larger than a cell; NOT_SUPPORTED: no comch library is loaded
 */
int32_t dpubridge_comch_configure(struct dpubridge *bridge, uint32_t handle, uint32_t role);

/**
 * Returns the connection of a RUNNING client. Connection handles are generation << 16 | index, like context handles, and never 0.
 * Records of messages or consumers before this call name the same handle. A client's handle becomes invalid when the client
 * becomes IDLE. A server's handle becomes invalid with its DISCONNECTED record, with a successful dpubridge_comch_disconnect(),
 * or when the server becomes IDLE.
 * @return 0, NOT_FOUND for an unknown context handle, INVALID_VALUE when the context is no client, BAD_STATE while it is not
 *         connected
 */
int32_t dpubridge_comch_connection(struct dpubridge *bridge, uint32_t handle, uint32_t *connection);

/**
 * Disconnects a connection of a server. On success the handle is invalid at once and no DISCONNECTED record follows. Messages
 * that arrived before may still be in the ring or in the overflow queue.
 * @return 0; NOT_FOUND: this server does not have the connection (any more); INVALID_VALUE: the context is no server; else the
 *         result of doca_comch_server_disconnect(): IN_USE, AGAIN, ...
 */
int32_t dpubridge_comch_disconnect(struct dpubridge *bridge, uint32_t handle, uint32_t connection);

/**
 * Returns the struct doca_comch_connection * or doca_rdma_connection * of a handle. NULL while an attempt to connect continues,
 * and after the end of the connection, also before the caller has read its DISCONNECTED. Valid until the next enter.
 */
void *dpubridge_connection_pointer(struct dpubridge *bridge, uint32_t connection);

/**
 * Makes the bridge receive the connection events of an attached, idle RDMA context, whose object is a struct doca_rdma *. The
 * bridge uses the connections' user data.
 * @return doca_error_t of the failing call, NOT_FOUND for an unknown handle, NOT_SUPPORTED when no RDMA library is loaded, or 0
 */
int32_t dpubridge_rdma_configure(struct dpubridge *bridge, uint32_t handle);

/**
 * Begins a connection that doca_rdma_export() has returned. The handle of the connection ends with dpubridge_rdma_disconnect(),
 * or when the context becomes IDLE, as all handles of RDMA connections do.
 * @return 0, NOT_FOUND, INVALID_VALUE when the context is none of RDMA, NO_MEMORY
 */
int32_t dpubridge_rdma_adopt(struct dpubridge *bridge, uint32_t handle, void *pointer, uint32_t *connection);

/**
 * Connects to the address of a listening context. CONNECTED follows, or DISCONNECTED with status CONNECTION_ABORTED.
 * @param addr struct doca_rdma_addr *, which stays valid until the handle ends
 * @return doca_error_t of doca_rdma_connect_to_addr(), or as dpubridge_rdma_adopt()
 */
int32_t dpubridge_rdma_connect(struct dpubridge *bridge, uint32_t handle, void *addr, uint32_t *connection);

/**
 * Disconnects a connection, unless it has ended already, and ends its handle. Tasks in flight then fail; receives that complete
 * later may still name the handle.
 * @return 0, NOT_FOUND for a connection that this context does not have (any more), AGAIN while it is being established, or the
 *         result of doca_rdma_connection_disconnect()
 */
int32_t dpubridge_rdma_disconnect(struct dpubridge *bridge, uint32_t handle, uint32_t connection);

/**
 * Runs one turn. Submits the entries of the submission ring. Calls doca_pe_progress until it returns 0, or has returned 1 budget
 * times. Leaves the records in the completion ring. Entries without room stay in the submission ring.
 * @return number of records in the completion ring that the caller has not consumed; UINT32_MAX when the caller is on a
 *         foreign thread, a position of the caller is impossible, or a record was lost for lack of memory. In these cases
 *         enter did nothing; dpubridge_error() names the case.
 */
uint32_t dpubridge_enter(struct dpubridge *bridge, uint32_t budget);

/**
 * Works as dpubridge_enter(), for a caller without other work: while there is no record, polls the device for up to poll_ns. The
 * latency is that of a program that calls doca_pe_progress in a loop.
 * @param poll_ns nanoseconds on the monotonic clock; ends early with a record, with dpubridge_wake(), or at the time of a retry
 *        (see dpubridge_retry_ns()). A dpubridge_wake() that ends the call is consumed: the next dpubridge_wait() ignores it
 * @return as dpubridge_enter()
 */
uint32_t dpubridge_poll(struct dpubridge *bridge, uint32_t budget, uint64_t poll_ns);

/**
 * Returns the time after which the next dpubridge_enter() should submit a refused entry again, in nanoseconds; 0: no entry is
 * refused, or only entries that the bridge submits again when a task completes. For callers with a sleep other than
 * dpubridge_wait(). Owner.
 */
uint64_t dpubridge_retry_ns(const struct dpubridge *bridge);

/**
 * Polls, then sleeps, until there is a record for the caller, dpubridge_wake() was called, or a time limit is reached.
 *
 * While the device makes progress, this function progresses it: the callbacks of completed tasks submit the waiting entries.
 * After spin_ns without progress it arms the progress engine and checks for records once more. Then the function polls the
 * handles of the engine and the wake-up together, and clears the notification. If the device ended the sleep without a record,
 * as most tasks of a batch do, polling starts again. Returns at once while records are unread or in the overflow queue. For
 * about a millisecond after DOCA has refused an entry, this function does not sleep but submits the entry again. Later it
 * sleeps until the next retry at most, and returns 0. Before, call enter until it finds no more work; afterwards, call enter
 * again.
 * @param timeout_ns time limit of the call, in nanoseconds on the monotonic clock
 * @param quiet_ns time limit without progress of the device, in nanoseconds. 0 for either limit polls without sleeping
 * @param spin_ns how long to poll a device without progress before each sleep, in nanoseconds; the thread yields between polls.
 *        0 sleeps at once
 * @param budget maximum number of doca_pe_progress calls that return 1 between two checks for records, wake-ups and time limits.
 *        0: no call and no polling; the next enter does the work
 * @return 1 the device has a record for the caller, 2 woken by dpubridge_wake, 3 both, 0 time-out, -1 error (dpubridge_error)
 */
int32_t dpubridge_wait(struct dpubridge *bridge, uint64_t timeout_ns, uint64_t quiet_ns, uint64_t spin_ns, uint32_t budget);

/**
 * Ends dpubridge_wait(), or makes the next one return at once. Any thread; coalesces; makes a system call only to end a sleep.
 */
void dpubridge_wake(struct dpubridge *bridge);

#endif
