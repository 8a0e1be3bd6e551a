/*
 * The communication channel.
 *
 *   program's threads                                          service thread of the process
 *   doca_task_submit(send) -> connection's socket, or its queue <- socket has room again
 *   doca_pe_progress <- event of the control context            <- packet from the socket
 *   doca_task_submit(post_recv) -> ring shared with the peer
 *   doca_pe_progress <- end of the post_recv task               <- doorbell
 *                                                              hardware threads
 *   doca_task_submit(producer send) -> claim in the ring -> copy into the peer's memory -> slot, doorbell
 *
 * A connection belongs to its control context (server or client). Consumers and producers use it, possibly on other threads.
 * The record is reference-counted: the control context, each consumer and producer, and each posted event hold a reference. A
 * program that polls its engine reads the sockets itself: see poll.c. Order of locks: connection before consumer, connection
 * before the engine's sources. No thread holds a lock while it calls the program.
 *
 * Each file calls only files before it; what a server or client does with an event comes from a table (struct comch_side):
 *
 *   objects      ring, connection, ended, order, transmit, posted, copy, copy_socket
 *   data path    revoke, remote, post_recv, producer, producer_send, consumer, consumer_calls
 *   reading      receive, poll, life, inline
 *   contexts     control, send, server, disconnect, client, settings
 */
#ifndef SD_COMCH_H
#define SD_COMCH_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "doca_comch.h"
#include "sd_context.h"
#include "sd_memory.h"
#include "sd_peer.h"
#include "sd_config.h"
#include "sd_rendezvous.h"
#include "sd_service.h"
#include "sd_source.h"
#include "wire.h"

enum {
	COMCH_DEFAULT_RECV_QUEUE = 16,
	COMCH_MAX_ENDED = 32,			/* ended connections that a server keeps */
	COMCH_PACKETS_PER_TURN = 32,		/* packets that the service thread reads from one connection per turn */
	COMCH_MIN_PACKET = 256,			/* room for any packet except MESSAGE */
};

struct comch_remote;
struct doca_comch_consumer;

/* Handlers of a server or client for events of its connections. Lower parts of this library call them through this table. */
struct comch_side {
	/* Handle the greeting. Return 0 if it is invalid. The reading thread; the lock must be held. NULL: always invalid. */
	uint8_t (*greeted)(struct doca_comch_connection *connection, const struct comch_hello *hello);
	uint8_t (*welcomed)(struct doca_comch_connection *connection, uint32_t max_msg_size);
	uint8_t (*refused)(struct doca_comch_connection *connection, uint32_t error);
	/* comch_connection_lose() */
	void (*lose)(struct doca_comch_connection *connection);
	/* Reports the end of a connection, from its event. Control's thread. */
	uint8_t (*lost)(struct doca_comch_connection *connection);
};

/* Common part of servers and clients; their first member. */
struct comch_control {
	struct doca_ctx ctx;
	const struct comch_side *side;
	uint8_t is_server;
	char name[COMCH_NAME];
	char function[COMCH_FUNCTION];		/* host function: of the representor, or of the client's device */
	const struct sd_comch_limits *limits;
	uint32_t max_msg_size, recv_queue_size;
	doca_comch_event_msg_recv_cb_t received;
	doca_comch_event_consumer_cb_t new_consumer, expired_consumer;
	uint8_t *messages;			/* max_msg_size bytes per send task; NULL unless started */
	_Atomic uint32_t num_children;		/* existing consumers and producers */
	_Atomic uint32_t num_live;		/* consumers and producers that are not IDLE */
	_Atomic uint32_t num_settling;		/* quirk Q3: consumers that became IDLE in this turn */

	pthread_mutex_t lock;			/* guards the list of connections */
	struct doca_comch_connection *connections;	/* connections whose end the program has not seen */
	uint32_t num_connections;
	uint8_t is_inline;			/* inline execution: only the program's thread reads */

	uint32_t num_waiting;			/* program's thread: events that wait for completions */
	struct doca_comch_connection *ended, *ended_tail;	/* program's thread; oldest first */
	uint32_t num_ended;
	struct sd_event ended_event;		/* delays IDLE by one turn after a stop has closed connections */
};

struct doca_comch_server {
	struct comch_control control;
	struct doca_dev_rep *representor;
	doca_comch_event_connection_status_changed_cb_t connected, disconnected;
	struct sd_listener listener;
	struct sd_watch watch;
	struct sd_pause accept_pause;		/* during a shortage of descriptors */
};

struct doca_comch_client {
	struct comch_control control;
	doca_error_t failure;			/* cause of a failed start; SUCCESS: none */
};

enum comch_state {
	COMCH_GREETING,				/* the two sides have not agreed yet */
	COMCH_ESTABLISHED,
	COMCH_LOST,				/* the peer has ended; an event reports it to the control context */
	COMCH_CLOSED,				/* this side ended the connection */
};

/* A packet in the send queue; part of a send task, or on the heap. */
struct comch_out {
	struct comch_out *next;
	uint64_t due_ns;			/* time of the device's clock until which a fault delays the packet; 0: none */
	struct comch_packet packet;
	const void *bytes;
	uint32_t len;
	int fds[COMCH_MAX_FDS];			/* closed when the packet is sent or dropped */
	int num_fds;
	struct doca_comch_task_send *task;	/* NULL: on the heap */
};

/* An event of a connection on its control context; holds a reference. */
struct comch_event {
	struct sd_event event;
	struct doca_comch_connection *connection;
	uint8_t (*run)(struct sd_event *event);
	const _Atomic uint32_t *awaited;	/* runs when this number is 0; NULL: at once. See order.c */
	struct comch_event *next_waiting;
};

/* A message of the receive queue. */
struct comch_message {
	struct comch_event base;
	struct comch_message *next_free;
	uint32_t len;
	uint8_t *bytes;
};

/* Number and last id of the consumers, or producers, of one side of a connection. */
struct comch_ids {
	uint32_t count, last;
};

struct doca_comch_connection {
	struct comch_control *control;
	_Atomic uint32_t num_refs;
	union doca_data user_data;
	struct doca_comch_connection *next;	/* in one of the control's lists */
	pid_t peer;
	_Atomic uint32_t num_children, num_live;	/* as in the control, for this connection */
	uint8_t is_announced;			/* program's thread: the connect event has reported it */
	uint8_t is_over;			/* program's thread: the program has seen or requested its end */
	uint32_t num_disconnects;		/* quirk Q4: attempts so far */
	uint64_t noted[5];			/* counters at the last update_info */
	struct sd_peer device_peer;
	_Atomic uint32_t num_unreported;	/* sends that the peer may see and the program has not seen */
	struct comch_event *waiting_head, *waiting_tail;	/* program's thread; also the next two members */
	struct sd_event release_event;
	uint8_t is_release_posted;

	pthread_mutex_t lock;			/* guards all members below */
	enum comch_state state;
	uint8_t is_attached;			/* the control context accepts events */
	uint8_t is_greeted;			/* server: HELLO has arrived */
	uint8_t owes_welcome;			/* server: WELCOME must precede any other packet */
	uint32_t max_msg;			/* smaller limit of the two sides */
	int fd;
	struct sd_watch watch;
	struct sd_job resume_job, deadline_job, delay_job;
	uint64_t deadline_ns;
	uint8_t is_output_watched;		/* the socket is full */
	uint8_t is_polled;			/* the program's thread reads the socket */
	struct sd_source source;		/* registers the socket with the program's engine */
	uint8_t is_input_paused;		/* the receive queue is full */
	uint8_t has_hung_up;			/* the peer has ended, and its last packets are unread */
	struct comch_out *out_head, *out_tail;
	struct comch_message *messages, *free_messages;
	uint8_t *message_bytes;
	uint32_t num_socket_users;		/* copies into the peer's memory and ends in progress; the last closes fd */
	uint64_t counters[5];			/* indexed by enum doca_comch_counter */
	struct comch_ids consumer_ids, producer_ids;	/* existing ones of this side */
	struct doca_comch_consumer *consumers;	/* started consumers of this side */
	uint32_t num_unanswered;		/* starts of consumers of this side without an acknowledgement */
	struct comch_remote *remotes;		/* consumers of the peer */
	_Atomic uint32_t num_remotes;		/* remotes that are not freed */
	struct comch_event changed_event;	/* reports the connect */
	struct comch_event lost_event;
	doca_error_t failure;			/* client: cause of the failed connect */
};

/* The delayed end of a task, for fault "delay". */
struct comch_delay {
	struct sd_event event;
	struct doca_task *task;
};

struct doca_comch_task_send {
	struct doca_task base;
	struct doca_comch_connection *connection;
	uint8_t is_held;			/* the task is in flight and holds a reference to its connection */
	const void *message;
	uint32_t len;
	struct comch_out out;
	struct comch_delay delay;
};

/* @name Control contexts; program's thread */
/* @{ */
/* Prepares a zeroed control. INVALID_VALUE: the name is invalid. */
doca_error_t comch_control_init(struct comch_control *control, const struct comch_side *side, const struct sd_context_ops *ops,
				struct doca_dev *dev, const char *name);
doca_error_t comch_control_destroy(struct comch_control *control);
/* Starts a control: allocates the memory of send tasks and acquires the service thread. */
doca_error_t comch_control_open(struct comch_control *control);
/* Reverses open. */
void comch_control_close(struct doca_ctx *ctx);
/* Returns IN_USE while a stop is forbidden. */
doca_error_t comch_control_may_stop(const struct doca_ctx *ctx);
/* Adds a connection to the list. NO_MEMORY: the list holds the maximum number of clients. Any thread. */
doca_error_t comch_control_add(struct comch_control *control, struct doca_comch_connection *connection);
/* Removes a connection from the list. Returns 0 if the list does not contain it. */
uint8_t comch_control_remove(struct comch_control *control, const struct doca_comch_connection *connection);
uint8_t comch_control_has(struct comch_control *control, struct doca_comch_connection *connection);
/* Keeps an ended connection for some time; takes over the list's reference. */
void comch_control_keep_ended(struct comch_control *control, struct doca_comch_connection *connection);
/* Closes all connections. */
void comch_control_stop(struct doca_ctx *ctx);
/* Loses all connections, because the host ends. No thread may add connections. */
void comch_control_die(struct doca_ctx *ctx);
/* @} */

/* @name Connections */
/* @{ */
/* Creates a connection in state GREETING on a socket (-1: none yet), with one reference. NULL without memory. */
struct doca_comch_connection *comch_connection_create(struct comch_control *control, int fd, pid_t peer);
void comch_connection_ref(struct doca_comch_connection *connection);
void comch_connection_unref(struct doca_comch_connection *connection);
/* Polls the socket on the service thread. */
doca_error_t comch_connection_watch(struct doca_comch_connection *connection);
/* Handles events of the socket. Service thread. */
void comch_connection_ready(struct sd_watch *watch, uint32_t events);
/* Posts an event if the control context accepts events. Any thread; the lock must be held. */
void comch_connection_post(struct doca_comch_connection *connection, struct comch_event *event,
			   uint8_t (*run)(struct sd_event *event));
/* Posts an event that waits until the awaited number of unreported sends is 0. */
void comch_connection_post_behind(struct doca_comch_connection *connection, struct comch_event *event,
				  uint8_t (*run)(struct sd_event *event), const _Atomic uint32_t *awaited);
/* Releases waiting events after a number of unreported sends has changed. Control's thread. */
void comch_connection_release(struct doca_comch_connection *connection);
/* Hook of control contexts: returns true while events wait for completions. */
uint8_t comch_control_is_busy(const struct doca_ctx *ctx);
/* Ends a connection whose peer has ended or sent an invalid packet. The reading thread; no lock may be held. */
void comch_connection_lose(struct doca_comch_connection *connection);
/* Ends the connection on this side. Control's thread; no lock may be held. */
void comch_connection_close(struct doca_comch_connection *connection);
/* Ends one use of the socket. Any thread; no lock may be held. */
void comch_connection_release_socket(struct doca_comch_connection *connection);
/*
 * Adds a consumer or producer, with a reference, and assigns its id; or removes it. BAD_STATE: not established; NO_MEMORY: there
 * are max already. No lock may be held.
 */
doca_error_t comch_connection_join(struct doca_comch_connection *connection, struct comch_ids *ids, uint32_t max, uint32_t *id);
void comch_connection_leave(struct doca_comch_connection *connection, struct comch_ids *ids);
/* Counts consumers and producers that exist, or that are not IDLE: change is 1 or -1. */
void comch_count_child(struct doca_comch_connection *connection, int change);
void comch_count_live(struct doca_comch_connection *connection, int change);
/*
 * Sets the deadline for the greeting, after which the connection ends. None in inline execution if the socket is connected and the
 * peer is this process. While the backlog of the server is full, the peer is unknown.
 */
void comch_connection_expect(struct doca_comch_connection *connection, uint64_t delay_ns);
/* @} */

#endif
