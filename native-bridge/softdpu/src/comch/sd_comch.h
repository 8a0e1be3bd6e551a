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
 * A connection belongs to its control context (server or client) and is used by consumers and producers, which may live on
 * other threads. It is counted by reference: the control context, each consumer and producer, and each posted event hold one.
 * A program that polls its engine reads the sockets itself: see poll.c.
 * Locks: connection before consumer, connection before that of the engine's sources. No lock is held while the program is called.
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
#include "sd_profile.h"
#include "sd_rendezvous.h"
#include "sd_service.h"
#include "sd_source.h"
#include "wire.h"

enum {
	COMCH_DEFAULT_RECV_QUEUE = 16,
	COMCH_MAX_ENDED = 32,			/* ended connections that a server remembers */
	COMCH_PACKETS_PER_TURN = 32,		/* that the service thread reads of one connection at once */
	COMCH_MIN_PACKET = 256,			/* room for any packet but MESSAGE */
};

struct comch_remote;
struct doca_comch_consumer;

/* What servers and clients have in common; their first member. */
struct comch_control {
	struct doca_ctx ctx;
	uint8_t is_server;
	char name[COMCH_NAME];
	char function[COMCH_FUNCTION];		/* host function: what the representor stands for, or the client's device */
	const struct sd_comch_limits *limits;
	uint32_t max_msg_size, recv_queue_size;
	doca_comch_event_msg_recv_cb_t received;
	doca_comch_event_consumer_cb_t new_consumer, expired_consumer;
	uint8_t *messages;			/* max_msg_size bytes per send task, while started */
	_Atomic uint32_t num_children;		/* consumers and producers that exist, */
	_Atomic uint32_t num_live;		/* and that are not IDLE */
	_Atomic uint32_t num_settling;		/* quirk Q3: consumers that became IDLE in this turn */

	pthread_mutex_t lock;			/* of the list */
	struct doca_comch_connection *connections;	/* of which the program does not know the end */
	uint32_t num_connections;
	uint8_t is_inline;			/* inline execution: the program's thread reads, always */

	uint32_t num_waiting;			/* program's thread: events that wait for completions */
	struct doca_comch_connection *ended, *ended_tail;	/* program's thread; oldest first */
	uint32_t num_ended;
};

struct doca_comch_server {
	struct comch_control control;
	struct doca_dev_rep *representor;
	doca_comch_event_connection_status_changed_cb_t connected, disconnected;
	struct sd_listener listener;
	struct sd_watch watch;
	struct sd_pause accept_pause;		/* during a shortage of descriptors */
	struct sd_event ended_event;		/* the turn in which a stopping server has let go of its clients */
};

struct doca_comch_client {
	struct comch_control control;
	doca_error_t failure;			/* why it could not connect */
	struct sd_event ended_event;
};

enum comch_state {
	COMCH_GREETING,				/* not both sides have agreed */
	COMCH_ESTABLISHED,
	COMCH_LOST,				/* the peer is gone; the control context was told by an event */
	COMCH_CLOSED,				/* ended on this side */
};

/* Waits to be sent; part of a send task, or on the heap. */
struct comch_out {
	struct comch_out *next;
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

/* A place in the receive queue. */
struct comch_message {
	struct comch_event base;
	struct comch_message *next_free;
	uint32_t len;
	uint8_t *bytes;
};

struct doca_comch_connection {
	struct comch_control *control;
	_Atomic uint32_t num_refs;
	union doca_data user_data;
	struct doca_comch_connection *next;	/* in one of the control's lists */
	pid_t peer;
	_Atomic uint32_t num_children, num_live;	/* as in the control, of this connection */
	uint8_t is_announced;			/* program's thread: the connect event told of it */
	uint8_t is_over;			/* program's thread: the program knows of its end, or asked for it */
	uint32_t num_disconnects;		/* quirk Q4: attempts so far */
	uint64_t noted[5];			/* counters, as of the last update_info */
	struct sd_peer device_peer;
	_Atomic uint32_t num_unreported;	/* sends of which the peer may know and the program does not */
	struct comch_event *waiting_head, *waiting_tail;	/* program's thread, as is what follows */
	struct sd_event release_event;
	uint8_t is_release_posted;

	pthread_mutex_t lock;			/* of all below */
	enum comch_state state;
	uint8_t is_attached;			/* events may be posted to the control context */
	uint8_t is_greeted;			/* server: HELLO has come */
	uint8_t owes_welcome;			/* server: goes out before anything else */
	uint32_t max_msg;			/* of both sides the smaller */
	int fd;
	struct sd_watch watch;
	struct sd_job resume_job, deadline_job;
	uint64_t deadline_ns;
	uint8_t is_output_watched;
	uint8_t is_polled;			/* the program's thread reads it */
	struct sd_source source;		/* by which it does */
	uint8_t is_input_paused;		/* the receive queue is full */
	uint8_t has_hung_up;			/* the peer is gone, and something of it is still to be read */
	struct comch_out *out_head, *out_tail;
	struct comch_message *messages, *free_messages;
	uint8_t *message_bytes;
	uint32_t num_copying;			/* hardware threads that write into the peer's memory; the last one closes fd */
	uint64_t counters[5];			/* by enum doca_comch_counter */
	uint32_t last_consumer_id, last_producer_id;
	uint32_t num_consumers, num_producers;	/* of this side, that exist */
	struct doca_comch_consumer *consumers;	/* started ones of this side */
	struct comch_remote *remotes;		/* consumers of the other side */
	_Atomic uint32_t num_remotes;		/* that are not freed */
	struct comch_event changed_event;	/* connected */
	struct comch_event lost_event;
	doca_error_t failure;			/* client: why it could not connect */
};

/* The end of a task that a fault delays. */
struct comch_delay {
	struct sd_event event;
	struct doca_task *task;
};

struct doca_comch_task_send {
	struct doca_task base;
	struct doca_comch_connection *connection;
	uint8_t is_held;			/* in flight, with a reference to its connection */
	const void *message;
	uint32_t len;
	struct comch_out out;
	struct comch_delay delay;
};

/* @name Control contexts; program's thread */
/* @{ */
/* Prepare a zeroed control; INVALID_VALUE: bad name. */
doca_error_t comch_control_init(struct comch_control *control, const struct sd_context_ops *ops, struct doca_dev *dev,
				const char *name);
doca_error_t comch_control_destroy(struct comch_control *control);
/* Start: memory of send tasks, service thread. */
doca_error_t comch_control_open(struct comch_control *control);
void comch_control_close(struct comch_control *control);
/* Veto on stop. */
doca_error_t comch_control_may_stop(const struct doca_ctx *ctx);
/* Add a connection to the list, any thread. NO_MEMORY: max_clients are there. */
doca_error_t comch_control_add(struct comch_control *control, struct doca_comch_connection *connection);
/* Take a connection out of the list; 0: it is not there. */
uint8_t comch_control_remove(struct comch_control *control, const struct doca_comch_connection *connection);
uint8_t comch_control_has(struct comch_control *control, struct doca_comch_connection *connection);
/* Remember an ended connection for a while; takes over the list's reference. */
void comch_control_bury(struct comch_control *control, struct doca_comch_connection *connection);
/* Close and bury all connections; 1 when there were some. */
uint8_t comch_control_close_all(struct comch_control *control);
/* @} */

/* @name Connections */
/* @{ */
/* A connection in state GREETING on a socket (-1: none yet), with one reference. NULL without memory. */
struct doca_comch_connection *comch_connection_create(struct comch_control *control, int fd, pid_t peer);
void comch_connection_ref(struct doca_comch_connection *connection);
void comch_connection_unref(struct doca_comch_connection *connection);
/* Listen to the socket. */
doca_error_t comch_connection_watch(struct doca_comch_connection *connection);
/* Service thread: the socket is ready. */
void comch_connection_ready(struct sd_watch *watch, uint32_t events);
/* Lock held, any thread: post an event if the control context can take it. */
void comch_connection_post(struct doca_comch_connection *connection, struct comch_event *event,
			   uint8_t (*run)(struct sd_event *event));
/* The same for an event that waits until a number of unreported sends is 0. */
void comch_connection_post_behind(struct doca_comch_connection *connection, struct comch_event *event,
				  uint8_t (*run)(struct sd_event *event), const _Atomic uint32_t *awaited);
/* Control's thread: a number of unreported sends has changed. */
void comch_connection_release(struct doca_comch_connection *connection);
/* Hook of control contexts: events wait for completions. */
uint8_t comch_control_is_busy(const struct doca_ctx *ctx);
/* Who reads the socket, no lock: the peer is gone or speaks nonsense. */
void comch_connection_lose(struct doca_comch_connection *connection);
/* Control's thread, no lock: end the connection on this side. */
void comch_connection_close(struct doca_comch_connection *connection);
/* Hardware thread, no lock: one copy less goes on. */
void comch_connection_end_copying(struct doca_comch_connection *connection);
/* A consumer or producer begins (1) or ends (-1) to exist, or to be other than IDLE. */
void comch_count_child(struct doca_comch_connection *connection, int change);
void comch_count_live(struct doca_comch_connection *connection, int change);
/* The connection must be established by the deadline. */
void comch_connection_expect(struct doca_comch_connection *connection, uint64_t delay_ns);
/* Who reads: what a server and a client make of the greeting; 0: nonsense. Lock held. */
uint8_t comch_server_greeted(struct doca_comch_connection *connection, const struct comch_hello *hello);
uint8_t comch_client_welcomed(struct doca_comch_connection *connection, uint32_t max_msg_size);
uint8_t comch_client_refused(struct doca_comch_connection *connection, uint32_t error);
/* Control's thread: the end of a connection, as its event reports it. */
uint8_t comch_server_lost(struct doca_comch_connection *connection);
uint8_t comch_client_lost(struct doca_comch_connection *connection);
/* @} */

/* @name Polling */
/* @{ */
/* Start of the control context. INITIALIZATION: out of descriptors. */
doca_error_t comch_poll_open(struct comch_control *control);
/* Hooks of control contexts. */
uint8_t comch_control_poll(struct doca_ctx *ctx, uint32_t budget);
void comch_control_rest(struct doca_ctx *ctx);
/* Service thread, connection's lock held: something has arrived; 1 when it is for the program's thread to read. */
uint8_t comch_poll_offer(struct doca_comch_connection *connection);
/* Connection's lock held: the program's thread reads no more. */
void comch_poll_withdraw(struct doca_comch_connection *connection);
/* Client's thread, inline execution: connect, if there was no place among those who wait for the server. */
void comch_client_try_again(struct doca_comch_connection *connection);
/* @} */

/* @name Sockets; lock held */
/* @{ */
/* Send now or as soon as there is room. */
void comch_transmit(struct doca_comch_connection *connection, struct comch_out *out);
/* The same for a packet without bytes; takes over the descriptors. 0: without memory. */
uint8_t comch_transmit_packet(struct doca_comch_connection *connection, uint32_t type, uint32_t value, const int *fds,
			      int num_fds);
/* Wait for what the connection is interested in now. */
void comch_rearm(struct doca_comch_connection *connection);
/* Send what waits. */
void comch_flush(struct doca_comch_connection *connection);
/* Drop what waits; tasks end with this result. */
void comch_drop_output(struct doca_comch_connection *connection, doca_error_t result);
/* No lock: read what there is, as many packets as the budget allows. */
enum comch_received { COMCH_RECEIVED_NOTHING, COMCH_RECEIVED_SOMETHING, COMCH_RECEIVED_END /* the connection is over */ };
enum comch_received comch_receive(struct doca_comch_connection *connection, uint32_t budget);
/* The receive queue of a connection. NO_MEMORY. */
doca_error_t comch_messages_create(struct doca_comch_connection *connection);
/* @} */

/* @name Send tasks */
/* @{ */
extern const struct sd_task_operation comch_send;
doca_error_t comch_send_set_conf(struct comch_control *control, doca_comch_task_send_completion_cb_t completed,
				 doca_comch_task_send_completion_cb_t failed, uint32_t num_tasks);
doca_error_t comch_send_alloc(struct comch_control *control, struct doca_comch_connection *connection, const void *message,
			      uint32_t len, struct doca_comch_task_send **task);
/* Any thread: the message was handed over, or will not be. */
void comch_send_ended(struct doca_comch_task_send *task, doca_error_t outcome);
/* Any thread: a task that a library carried out by itself comes to its end, later if a fault says so. */
void comch_task_ended(struct doca_task *task, doca_error_t outcome, struct comch_delay *delay);
/* @} */

#endif
