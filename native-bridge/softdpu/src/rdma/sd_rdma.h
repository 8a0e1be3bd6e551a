/*
 * RDMA contexts, their connections, and their tasks.
 *
 *   program's thread   submit: latch lists -> queue of the connection -> device, one task per connection at a time
 *   hardware thread    message to another process: send it, then the next one; the service thread completes it
 *   hardware thread    execute: check the peer, move one part of 64 KiB, and the next one after the tasks that wait
 *                      last part: complete the peer's receive task, pass the next task of the connection to the device
 *   program's thread   complete: commit lengths, or end the connection
 *
 * Connections of different processes have a socket (wire.h). The service thread reads it, so that a blocking program does not
 * delay its peer. Reads, writes, atomic tasks and events need no socket: they use the exports of the peer's process (import.h).
 *
 * One lock guards the states of all connections of the process and all queues of receive tasks, because a connection accesses
 * its peer. The lock is not held during copies, except for a packet of a message.
 *
 * Each file of this folder calls only files before it: details, table, channel, socket, notify, proceed, receive, end, flight,
 * order, link, message, execute, latch, kind, guest, sender, listener, connection, address, port, manager, task_calls and the other
 * public functions, rdma.
 */
#ifndef SD_RDMA_H
#define SD_RDMA_H

#include "rdma_types.h"

extern pthread_mutex_t rdma_lock;

/** @name Table of the connections of this process that have not ended, by key; the lock must be held */
/** @{ */
/** Returns 0 without memory. */
uint8_t rdma_table_add(struct doca_rdma_connection *connection);
void rdma_table_remove(struct doca_rdma_connection *connection);
/** Returns the connection with this key, or NULL. */
struct doca_rdma_connection *rdma_table_find(uint64_t key);
/** @} */
/** Returns whether the connection with this key has not ended, and its context permits its peer an access. Takes the lock. */
uint8_t rdma_table_permits(uint64_t key, uint32_t permission);

/** @name Lists and queues; the lock must be held */
/** @{ */
void rdma_list_append(struct rdma_list *list, struct doca_rdma_connection *connection, enum rdma_list_kind kind);
void rdma_list_remove(struct rdma_list *list, struct doca_rdma_connection *connection, enum rdma_list_kind kind);
/** Removes and returns the first task, or NULL. */
struct rdma_task *rdma_queue_take(struct rdma_queue *queue);
/** @} */

/** @name Channels, with the rules of sd_line.h; a socket has the same ones */
/** @{ */
doca_error_t rdma_channel_watch(struct rdma_channel *channel, uint32_t events,
				void (*ready)(struct sd_watch *watch, uint32_t events));
void rdma_channel_unwatch(struct rdma_channel *channel);
void rdma_channel_rearm(struct rdma_channel *channel, uint32_t events);
enum sd_line_result rdma_channel_send(struct rdma_channel *channel, const struct rdma_packet *packet, const void *bytes, size_t len);
enum sd_line_result rdma_channel_receive(struct rdma_channel *channel, struct rdma_packet *packet, void *bytes, size_t *len);
uint8_t rdma_channel_has_ended(const struct rdma_channel *channel);
void rdma_channel_end(struct rdma_channel *channel);
void rdma_channel_close(struct rdma_channel *channel);
/** @} */

/** @name Socket of a connection; the lock must be held, except for send_data and close */
/** @{ */
/** Sends a packet without data, now or later. */
void rdma_socket_send(struct doca_rdma_connection *connection, const struct rdma_packet *packet);
/** Sends WELCOME. */
void rdma_socket_welcome(struct doca_rdma_connection *connection);
void rdma_socket_answer(struct doca_rdma_connection *connection, enum rdma_packet_type type, doca_error_t status);
/** Sends the packets that did not fit. Returns true if none is left. */
uint8_t rdma_socket_flush(struct doca_rdma_connection *connection);
/** Ends the socket for both sides; the descriptor stays open. */
void rdma_socket_end(struct doca_rdma_connection *connection);
/** @} */

/** Calls the program in progress, if it has set callbacks. The lock must be held. */
void rdma_notify(struct doca_rdma_connection *connection, enum rdma_notice notice);

/** @name Progress of a task; any thread */
/** @{ */
/** Passes a task to the device. */
void rdma_proceed(struct rdma_task *task);
/** Ends a task that the device does not execute. */
void rdma_end_task(struct rdma_task *task, doca_error_t status);
/** @} */

/** @name Receive tasks */
/** @{ */
extern const struct sd_task_operation rdma_receive;
/** Removes the first posted receive task; NULL: none. The lock must be held. */
struct rdma_task *rdma_receive_take(struct doca_rdma *rdma);
/** Returns a receive task whose message did not begin, as the next one to take. The lock must be held. */
void rdma_receive_return(struct rdma_task *receive);
/**
 * Ends a taken receive task. connection: of the responder, or NULL. message: the received one, if the status is SUCCESS. The
 * lock must be held.
 */
void rdma_receive_end(struct rdma_task *receive, struct doca_rdma_connection *connection, const struct rdma_message *message,
		      doca_error_t status);
/**
 * Accepts a message of a socket, with len bytes. It waits for a receive task and for older messages of the connection. Returns 0 if too
 * many messages wait, or without memory. The lock must be held.
 */
uint8_t rdma_receive_incoming(struct doca_rdma_connection *connection, const struct rdma_message *message, const uint8_t *bytes,
			      size_t len);
/** Completes the oldest incoming message, whose receive task has all data. The lock must be held. */
void rdma_receive_finish(struct doca_rdma_connection *connection);
/** Drops the incoming messages of an ended connection. The lock must be held. */
void rdma_receive_drop(struct doca_rdma_connection *connection);
/** Stops the wait of the current task for a receive task of the peer, if any. The lock must be held. */
void rdma_unpark(struct doca_rdma_connection *connection);
/** Fails the posted receive tasks, because the context stops. Takes the lock. */
void rdma_receives_flush(struct doca_rdma *rdma);
/** @} */

/** @name End of connections; any thread */
/** @{ */
/** Ends a connection and the one of its peer, and fails their tasks. Idempotent. */
void rdma_connection_end(struct doca_rdma_connection *connection);
/** The same; the lock must be held. */
void rdma_connection_end_locked(struct doca_rdma_connection *connection);
/** The same for a connection that the process of the peer has ended: a late connect of this program succeeds. The lock must be held. */
void rdma_connection_end_by_peer(struct doca_rdma_connection *connection);
/** Ends all connections of a context. */
void rdma_connections_end(struct doca_rdma *rdma);
/** Ends a connection whose retries are over. */
void rdma_connection_check_retries(struct doca_rdma_connection *connection);
/** Does the same for all connections of a context. Returns whether any task stays parked. Thread: program's. */
uint8_t rdma_connections_check_retries(struct doca_rdma *rdma);
/** Inline execution: returns the virtual end of the first wait for a receive task or a near server; UINT64_MAX: none ends. */
uint64_t rdma_connections_next_due(const struct doca_rdma *rdma);
/** @} */

/** @name Senders of DC connections */
/** @{ */
/** Ended ones, and requests that ended before the program received them, until they are freed; lock. */
extern struct rdma_list rdma_ended_unseen;
/** Creates a connection for a sender. NULL: no memory. The lock must be held. */
struct doca_rdma_connection *rdma_sender_new(struct doca_rdma_connection *target);
/** Frees the ended connections that the program never received. Each arriving connection and each stop calls it. Any thread. */
void rdma_unseen_free(void);
/** Returns whether the connection accepts any number of peers. */
static inline uint8_t rdma_is_dc(const struct doca_rdma_connection *connection)
{
	return connection->rdma->transport_type == DOCA_RDMA_TRANSPORT_TYPE_DC;
}
/** @} */

/** @name Messages without an answer, and limits of waits; the lock must be held */
/** @{ */
/** Returns whether the task may be at the device while older messages have no answer. */
uint8_t rdma_flight_admits(const struct doca_rdma_connection *connection, const struct rdma_task *task);
void rdma_flight_add(struct rdma_task *task);
/** Removes the oldest message: its answer is here. */
void rdma_flight_take(struct doca_rdma_connection *connection);
/** Returns the status of an answered task. An answer before the last byte cannot be a success. */
static inline doca_error_t rdma_flight_status(const struct rdma_task *task, doca_error_t answer)
{
	return task->done < task->total ? DOCA_ERROR_IO_FAILED : answer;
}
/** Limits the wait for the next packet, or for room in the socket, from now on; or ends the limit if there is no such wait. */
void rdma_flight_limit(struct doca_rdma_connection *connection);
/** Limits the wait of the connection, from now on. */
void rdma_limit_wait(struct doca_rdma_connection *connection, uint64_t limit_ns);
/** @} */

/** @name Order of the tasks of a connection */
/** @{ */
/** Passes a task to the device when all older tasks of its connection are executed. Thread: program's. */
void rdma_connection_submit(struct rdma_task *task);
/** Passes the next task to the device, if none is there and the next one may follow. The lock must be held. */
void rdma_connection_next(struct doca_rdma_connection *connection);
/** Continues with the next task. result: of the executed one. Thread: any. */
void rdma_connection_executed(struct rdma_task *task, doca_error_t result);
/** @} */

/** @name Sockets */
/** @{ */
/** Takes over a channel and starts to read it. The lock must be held. NO_MEMORY, OPERATING_SYSTEM: the caller keeps it. */
doca_error_t rdma_link_open(struct doca_rdma_connection *connection, const struct rdma_channel *channel);
/** The peer is known on both sides: passes the first task to the device. The lock must be held. */
void rdma_link_welcome(struct doca_rdma_connection *connection, const struct rdma_packet *packet);
/** Closes the channel, if any. Service thread. The lock must be held. */
void rdma_link_drop(struct doca_rdma_connection *connection);
/** Ends the work of the service thread for an ended connection. Any thread. Takes the lock. */
void rdma_link_close(struct doca_rdma_connection *connection);
/** Returns the monotonic time. */
uint64_t rdma_now(void);
/** Returns whether the peer is in another process. Any thread, for tasks at the device. */
static inline uint8_t rdma_has_socket(const struct doca_rdma_connection *connection)
{
	return connection->socket.peer_key != 0 || (connection->is_managed && !connection->is_near);
}
/** Checks the state and the permissions for a task. IO_FAILED. The lock must be held. */
doca_error_t rdma_check(const struct rdma_task *task);
/** Sends the message of the current task. AGAIN: data is left; IN_PROGRESS: the task waits. Hardware thread. */
doca_error_t rdma_message_execute(struct rdma_task *task);
/** Accepts sockets for the connections of this process. DRIVER: the log names the cause. Thread: program's. */
doca_error_t rdma_listener_acquire(uint64_t *port);
void rdma_listener_release(void);
/** Connects to the socket of another process. CONNECTION_ABORTED: there is none. Thread: program's. */
doca_error_t rdma_listener_connect(const struct rdma_details *details, struct rdma_channel *channel);
/** Connects to a name in the rendezvous folder; waits a moment for a full backlog. Errors: as sd_rendezvous_connect(). */
doca_error_t rdma_connect_to(const char *name, struct rdma_channel *channel, pid_t *pid);
/** @} */

/** Implements execute of all kinds. */
doca_error_t rdma_execute(struct doca_task *base, void *unit);

/** @name Latching of the kinds */
/** @{ */
doca_error_t rdma_latch_read(struct rdma_task *task);
doca_error_t rdma_latch_write(struct rdma_task *task);
doca_error_t rdma_latch_send(struct rdma_task *task);
doca_error_t rdma_latch_atomic(struct rdma_task *task);
doca_error_t rdma_latch_event_result(struct rdma_task *task);
doca_error_t rdma_latch_event_value(struct rdma_task *task);
/** Latches and checks all lists; after an error nothing stays latched. */
doca_error_t rdma_latch(struct rdma_task *task);
void rdma_release(struct rdma_task *task);
/** @} */

extern const struct rdma_kind rdma_read, rdma_write, rdma_write_imm, rdma_send, rdma_send_imm, rdma_atomic_cmp_swp,
	rdma_atomic_fetch_add, rdma_remote_net_sync_event_get, rdma_remote_net_sync_event_notify_set,
	rdma_remote_net_sync_event_notify_add;

static inline const struct rdma_kind *rdma_kind_of(const struct rdma_task *task)
{
	return (const struct rdma_kind *)task->base.pool->operation;
}

/** Returns whether the data of a message goes to the task's remote buffer, not to the peer's receive task. */
static inline uint8_t rdma_is_written(const struct rdma_task *task)
{
	return rdma_kind_of(task)->opcode == DOCA_RDMA_OPCODE_RECV_WRITE_WITH_IMM;
}

/** @name Memory of connections */
/** @{ */
/** Creates a connection with a new key. NO_MEMORY; DRIVER: no key. Any thread. */
doca_error_t rdma_connection_new(struct doca_rdma *rdma, enum rdma_state state, struct doca_rdma_connection **connection);
/** Adds it to its context and to the table. FULL; NO_MEMORY. The lock must be held. */
doca_error_t rdma_connection_enter(struct doca_rdma_connection *connection);
/** Frees the oldest ended connections, if there are too many. Thread: program's. */
void rdma_connections_free_surplus(struct doca_rdma *rdma);
/** Gives a server's connection the address of its device and the number of the port. Before any program receives the connection. */
void rdma_address_of_port(struct doca_rdma_connection *connection, uint16_t port);
/** Gives a client's connection an address of the program. The lock must be held. */
void rdma_address_use(struct doca_rdma_connection *connection, struct doca_rdma_addr *addr);
/**
 * Sends the request of a client to a port of this process, without a socket. NOT_FOUND: there is none; other errors: it refuses the
 * request. Thread: program's.
 */
doca_error_t rdma_port_request(struct doca_rdma_connection *client, uint16_t vhca_id, uint16_t port);
/** All ports accept no requests from now on; the program can still close them. Thread: program's. */
void rdma_ports_end(struct doca_rdma *rdma);
/** Stops to listen to all ports. Thread: program's. */
void rdma_ports_close(struct doca_rdma *rdma);
/** @} */
/** Frees all connections of a context without tasks. Thread: program's. */
void rdma_connections_free(struct doca_rdma *rdma);
/** Ends the work of the service thread for the ended connections of a context. Thread: program's. */
void rdma_connections_withdraw(struct doca_rdma *rdma);

#endif
