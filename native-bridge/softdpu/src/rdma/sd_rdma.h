/*
 * RDMA contexts, their connections, and their tasks.
 *
 *   program's thread   submit: latch lists -> queue of the connection -> device, one task per connection at a time
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
 * Each file of this folder calls only files before it: details, table, socket, proceed, receive, end, order, link, message,
 * execute, latch, kind, listener, connection, task_calls and the other public functions, rdma.
 */
#ifndef SD_RDMA_H
#define SD_RDMA_H

#include <pthread.h>

#include "doca_rdma.h"
#include "number.h"
#include "rdma_details.h"
#include "sd_context.h"
#include "sd_memory.h"
#include "sd_remote_event.h"
#include "sd_service.h"
#include "wire.h"

enum {
	RDMA_MAX_SEND_QUEUE_SIZE = 8192,
	RDMA_MAX_LIST_LEN = 32,
	RDMA_MAX_MESSAGE_SIZE = 1 << 30,
	RDMA_NUM_GIDS = 1,
	RDMA_PART = 64 << 10,			/* bytes that a task moves before tasks that wait */
	RDMA_NO_RETRY_LIMIT = 7,		/* value of rnr_retry_count */
	RDMA_RETRY_NS = 10000000,		/* time between two attempts while the peer has no receive task */
	RDMA_MAX_PENDING = 4,			/* packets that do not fit into a socket */
};

struct rdma_task;

/** Tasks, oldest first. */
struct rdma_queue {
	struct rdma_task *head, *tail;
};

/** Connections in a list. */
struct rdma_list {
	struct doca_rdma_connection *head, *tail;
};

struct doca_rdma {
	struct doca_ctx ctx;			/**< first member */
	uint8_t has_listener;			/**< since the first export of this run */
	uint64_t port;				/**< of the listener */
	uint32_t send_queue_size;
	uint32_t max_send_buf_list_len;
	uint32_t receive_list_len;
	enum doca_rdma_transport_type transport_type;
	enum doca_mtu_size mtu;
	uint32_t permissions;			/**< set while IDLE; hardware threads read it */
	uint32_t gid_index;
	uint32_t sl;
	uint16_t connection_request_timeout;	/**< ms */
	uint16_t max_num_connections;
	uint8_t grh_enabled;
	uint8_t rnr_retry_count;
	uint16_t vhca_id;			/**< of the device */
	uint32_t next_id;
	/** @name Under the lock */
	/** @{ */
	struct rdma_list open, ended;		/**< connections since the last start, oldest first */
	uint32_t num_open, num_ended;
	struct rdma_queue receives;		/**< posted receive tasks */
	uint8_t is_stopping;			/**< no receive task is posted again */
	struct rdma_list starved;		/**< connections of peers whose message waits for a receive task */
	uint32_t num_parked;			/**< connections of this context that wait for a receive task of their peer */
	/** @} */
};

enum rdma_state {
	RDMA_EXPORTED,
	RDMA_CONNECTING,			/**< the other process has not answered yet */
	RDMA_CONNECTED,
	RDMA_ENDED,
};

enum rdma_list_kind { RDMA_OF_CONTEXT, RDMA_STARVED, RDMA_LIST_KINDS };

/** A message for a receive task. */
struct rdma_message {
	enum doca_rdma_opcode opcode;
	doca_be32_t immediate;
	size_t total;				/**< bytes */
};

/** What the current task of a connection with a socket sends. */
enum rdma_sending {
	RDMA_NOTHING,
	RDMA_ASKED,				/**< MESSAGE; READY or ANSWER is due */
	RDMA_SENDING,				/**< DATA */
	RDMA_WAITING,				/**< all DATA; ANSWER is due */
};

/** Connection to another process. Under the lock. */
struct rdma_socket {
	struct sd_watch watch;
	pid_t pid;				/**< of the peer */
	uint64_t peer_key;			/**< 0: no peer yet */
	uint8_t is_open;			/**< the watch has a descriptor */
	uint8_t is_welcome;			/**< HELLO and WELCOME are exchanged */
	uint8_t is_crossed;			/**< the descriptor is of no use: the peer connects by its own one */
	uint32_t num_pending;
	struct rdma_packet pending[RDMA_MAX_PENDING];
	enum rdma_sending sending;
	uint8_t is_answered;			/**< ANSWER arrived while a thread sends */
	doca_error_t answer;
	uint8_t has_incoming;			/**< a message of the peer */
	uint8_t is_starved;			/**< that message waits for a receive task */
	struct rdma_message incoming;
	struct rdma_task *receive;		/**< taken for the incoming message; done: received bytes */
};

struct doca_rdma_connection {
	struct doca_rdma *rdma;
	uint32_t id;
	union doca_data user_data;
	struct rdma_details details;		/**< description for the peer */
	uint8_t has_failed_task;		/**< a fault will fail a submitted task; program's thread */
	struct sd_task_order order;		/**< tasks in flight */
	_Atomic uint32_t num_tasks;		/**< tasks in flight that name the connection */
	struct sd_job retry_job;		/**< ends the retries of the current task, or the time to connect */
	/** @name Under the lock */
	/** @{ */
	struct doca_rdma_connection *same_hash;	/**< table of the connections that have not ended */
	struct doca_rdma_connection *next[RDMA_LIST_KINDS], *prev[RDMA_LIST_KINDS];
	enum rdma_state state;
	struct doca_rdma_connection *peer;	/**< NULL: none connected yet, or ended */
	uint32_t peer_permissions;		/**< of the context of the peer; valid while CONNECTED */
	uint16_t peer_vhca_id;			/**< of its device */
	struct rdma_task *current;		/**< at the device, or parked; NULL: none */
	struct rdma_queue waiting;		/**< behind the current task */
	uint8_t is_parked;			/**< the current task waits for a receive task of the peer */
	uint8_t is_held;			/**< the current task waits for a packet, or for room in the socket */
	uint8_t is_moving;			/**< a thread moves a part of the current task */
	uint64_t retry_until_ns;		/**< device's clock; end of the retries, or of the time to connect */
	struct rdma_socket socket;
	/** @} */
};

struct rdma_task {
	struct doca_task base;			/**< first member */
	struct doca_rdma_connection *connection;	/**< receive: connection of the message, NULL: none */
	const struct doca_buf *src;
	struct doca_buf *dst;
	struct doca_sync_event_remote_net *event;
	uint64_t operand, compared;		/**< of atomic tasks */
	doca_be32_t immediate;			/**< to send, or received */
	enum doca_rdma_opcode opcode;		/**< of the received message */
	struct sd_latch local, remote;		/**< held from submit to completion */
	struct doca_sync_event_remote_net *held_event;	/**< held from submit to completion */
	size_t total;				/**< bytes to move */
	doca_error_t latched;			/**< result of latching */
	uint8_t is_late;			/**< submitted after a task that a fault fails */
	size_t done;				/**< moved bytes */
	struct rdma_task *receive;		/**< the peer's receive task; lock */
	struct rdma_task *next;			/**< in a queue; lock */
	struct sd_event step;			/**< continues the task on the program's thread */
};

/** One kind of task of a connection: a static record. */
struct rdma_kind {
	struct sd_task_operation operation;	/**< first member */
	uint32_t permission;			/**< that the context of the peer grants; 0: none needed */
	uint8_t needs_receive;			/**< completes a receive task of the peer */
	enum doca_rdma_opcode opcode;		/**< that the peer receives */
	/** Latches the lists and sets the total. After an error, lists may stay latched. */
	doca_error_t (*latch)(struct rdma_task *task);
	/** Moves len bytes at task->done. Thread: hardware thread. */
	doca_error_t (*move)(struct rdma_task *task, size_t len);
};

extern pthread_mutex_t rdma_lock;

/** @name Table of the connections of this process that have not ended, by key; the lock must be held */
/** @{ */
/** Returns 0 without memory. */
uint8_t rdma_table_add(struct doca_rdma_connection *connection);
void rdma_table_remove(struct doca_rdma_connection *connection);
/** Returns the connection with this key, or NULL. */
struct doca_rdma_connection *rdma_table_find(uint64_t key);
/** @} */

/** @name Lists and queues; the lock must be held */
/** @{ */
void rdma_list_append(struct rdma_list *list, struct doca_rdma_connection *connection, enum rdma_list_kind kind);
void rdma_list_remove(struct rdma_list *list, struct doca_rdma_connection *connection, enum rdma_list_kind kind);
/** Removes and returns the first task, or NULL. */
struct rdma_task *rdma_queue_take(struct rdma_queue *queue);
/** @} */

/** @name Socket of a connection; the lock must be held, except for send_data and close */
/** @{ */
/** Sends a packet without data, now or later. */
void rdma_socket_send(struct doca_rdma_connection *connection, const struct rdma_packet *packet);
void rdma_socket_answer(struct doca_rdma_connection *connection, enum rdma_packet_type type, doca_error_t status);
/** Sends a packet with data. Returns 0 if the socket is full. Thread: the one that moves the current task. */
uint8_t rdma_socket_send_data(struct doca_rdma_connection *connection, const uint8_t *bytes, size_t len);
/** Sends the packets that did not fit. Returns true if none is left. */
uint8_t rdma_socket_flush(struct doca_rdma_connection *connection);
/** Ends the socket for both sides; the descriptor stays open. */
void rdma_socket_end(struct doca_rdma_connection *connection);
/** @} */

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
/** Accepts the incoming message of a socket; lets it wait for a receive task if there is none. The lock must be held. */
void rdma_receive_incoming(struct doca_rdma_connection *connection);
/** Completes the incoming message. The lock must be held. */
void rdma_receive_finish(struct doca_rdma_connection *connection, doca_error_t status);
/** Drops the incoming message of an ended connection. The lock must be held. */
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
/** Ends all connections of a context. */
void rdma_connections_end(struct doca_rdma *rdma);
/** Ends a connection whose retries are over. */
void rdma_connection_check_retries(struct doca_rdma_connection *connection);
/** Does the same for all connections of a context. Returns whether any task stays parked. Thread: program's. */
uint8_t rdma_connections_check_retries(struct doca_rdma *rdma);
/** @} */

/** @name Order of the tasks of a connection */
/** @{ */
/** Passes a task to the device when all older tasks of its connection are executed. Thread: program's. */
void rdma_connection_submit(struct rdma_task *task);
/** Passes the next task to the device, if any. The lock must be held. */
void rdma_connection_next(struct doca_rdma_connection *connection);
/** Continues with the next task. result: of the executed one. Thread: any. */
void rdma_connection_executed(struct rdma_task *task, doca_error_t result);
/** @} */

/** @name Sockets */
/** @{ */
/** Starts to read a socket with a descriptor. The lock must be held. NO_MEMORY, OPERATING_SYSTEM. */
doca_error_t rdma_link_open(struct doca_rdma_connection *connection, int fd);
/** The peer is known on both sides: passes the first task to the device. The lock must be held. */
void rdma_link_welcome(struct doca_rdma_connection *connection, const struct rdma_packet *packet);
/** Closes the descriptor, if any. Service thread. The lock must be held. */
void rdma_link_drop(struct doca_rdma_connection *connection);
/** Closes the descriptor of an ended connection. Thread: program's. Takes the lock. */
void rdma_link_close(struct doca_rdma_connection *connection);
/** Returns the monotonic time. */
uint64_t rdma_now(void);
/** Limits the wait of the connection, from now on. The lock must be held. */
void rdma_limit_wait(struct doca_rdma_connection *connection, uint64_t limit_ns);
/** Returns whether the peer is in another process. Any thread, for tasks at the device. */
static inline uint8_t rdma_has_socket(const struct doca_rdma_connection *connection)
{
	return connection->socket.peer_key != 0;
}
/** Checks the state and the permissions for a task. IO_FAILED. The lock must be held. */
doca_error_t rdma_check(const struct rdma_task *task);
/** Sends the message of the current task. AGAIN: data is left; IN_PROGRESS: the task waits. Hardware thread. */
doca_error_t rdma_message_execute(struct rdma_task *task);
/** Accepts sockets for the connections of this process. DRIVER: the log names the cause. Thread: program's. */
doca_error_t rdma_listener_acquire(uint64_t *port);
void rdma_listener_release(void);
/** Connects to the socket of another process. CONNECTION_ABORTED: there is none. Thread: program's. */
doca_error_t rdma_listener_connect(const struct rdma_details *details, int *fd);
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

/** Frees all connections of a context without tasks. Thread: program's. */
void rdma_connections_free(struct doca_rdma *rdma);
/** Ends the work of the service thread for the ended connections of a context. Thread: program's. */
void rdma_connections_withdraw(struct doca_rdma *rdma);

#endif
