/* Structures of contexts, connections and tasks. See sd_rdma.h. */
#ifndef RDMA_TYPES_H
#define RDMA_TYPES_H

#include <pthread.h>

#include "doca_rdma.h"
#include "number.h"
#include "rdma_details.h"
#include "sd_address.h"
#include "sd_context.h"
#include "sd_line.h"
#include "sd_memory.h"
#include "sd_remote_event.h"
#include "sd_service.h"
#include "wire.h"

enum {
	RDMA_MAX_SEND_QUEUE_SIZE = 8192,
	RDMA_MAX_LIST_LEN = 32,
	RDMA_MAX_MESSAGE_SIZE = 1 << 30,
	RDMA_NUM_GIDS = 4,
	RDMA_FIRST_IPV4_GID = 2,
	RDMA_PART = 64 << 10,			/* bytes that a task moves before tasks that wait */
	RDMA_NO_RETRY_LIMIT = 7,		/* value of rnr_retry_count */
	RDMA_RETRY_NS = 655360000,		/* between attempts while the peer has no receive task; InfiniBand's timer value 0 */
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

/** Functions of the program; established is NULL, or all except request are set. Set while IDLE. */
struct rdma_callbacks {
	doca_rdma_connection_request_cb_t request;
	doca_rdma_connection_established_cb_t established;
	doca_rdma_connection_failure_cb_t failure;
	doca_rdma_connection_disconnection_cb_t disconnect;
};

/** Reasons to call the program, as bits. */
enum rdma_notice {
	RDMA_REQUESTED_NOTICE = 1,
	RDMA_ESTABLISHED_NOTICE = 2,
	RDMA_FAILURE_NOTICE = 4,
	RDMA_DISCONNECT_NOTICE = 8,
};

struct doca_rdma_addr {
	enum doca_rdma_addr_type type;
	uint16_t port;
	char text[64];
	uint8_t raw[SD_ADDRESS_LEN];		/**< IPv4 addresses are mapped */
	uint8_t is_part;			/**< of a connection; the program cannot destroy it */
	uint32_t num_connections;		/**< that are open and refer to the address; lock */
};

struct rdma_port;

struct doca_rdma {
	struct doca_ctx ctx;			/**< first member */
	uint8_t has_listener;			/**< since the first export of this run */
	uint64_t port;				/**< of the listener */
	struct rdma_callbacks callbacks;
	struct rdma_port *ports;		/**< of the connection manager; program's thread */
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
	uint32_t num_parked;			/**< connections that wait for a receive task or a near server */
	/** @} */
};

enum rdma_state {
	RDMA_EXPORTED,
	RDMA_CONNECTING,			/**< the peer has not answered yet */
	RDMA_REQUESTED,				/**< by a client; the program has not answered yet */
	RDMA_CONNECTED,
	RDMA_ENDED,
};

enum rdma_list_kind {
	RDMA_OF_OWNER,				/**< of a context, or of a DC connection */
	RDMA_STARVED,
	RDMA_ENDING,				/**< while they end together */
	RDMA_LIST_KINDS,
};

/** A message for a receive task. */
struct rdma_message {
	enum doca_rdma_opcode opcode;
	doca_be32_t immediate;
	size_t total;				/**< bytes */
};

/** A message of the peer that waits for a receive task, or for its data. */
struct rdma_incoming {
	struct rdma_incoming *next;
	struct rdma_message message;
	size_t len;				/**< bytes that arrived with it */
	uint8_t bytes[];
};

/** State of the oldest message without an answer. */
enum rdma_sending {
	RDMA_NOTHING,				/**< there is none */
	RDMA_ASKED,				/**< MESSAGE is sent, or on its way to the socket */
	RDMA_REFUSED,				/**< NOT_READY arrived */
	RDMA_IS_READY,				/**< READY arrived; the task is not at the device yet */
	RDMA_SENDING,				/**< DATA */
	RDMA_WAITING,				/**< all DATA; ANSWER is due */
};

/** A socket, or the line of a tunnel. Zero-initialise, then set the watch's descriptor or the line. */
struct rdma_channel {
	struct sd_watch watch;			/**< first member */
	struct sd_line *line;			/**< NULL: a socket */
};

/** Connection to another process. Under the lock. */
struct rdma_socket {
	struct rdma_channel channel;
	pid_t pid;				/**< of the peer */
	uint64_t peer_key;			/**< 0: no peer yet */
	uint8_t is_open;			/**< the channel is watched */
	uint8_t is_welcome;			/**< HELLO and WELCOME are exchanged */
	uint8_t is_crossed;			/**< the descriptor is of no use: the peer connects by its own one */
	uint8_t has_ends;			/**< the socket was open when the peer's process had this number of ends */
	uint64_t ends;				/**< see sd_latch_ends() */
	uint64_t check_ns;			/**< time of the next check of the wait; 0: none */
	uint32_t num_pending;
	struct rdma_packet pending[RDMA_MAX_PENDING];
	struct rdma_queue unanswered;		/**< messages without an answer */
	uint32_t num_unanswered;
	uint32_t carried;			/**< bytes that their MESSAGE packets carry */
	enum rdma_sending sending;
	uint8_t is_answered;			/**< ANSWER to the current task arrived, and the device did not see it yet */
	doca_error_t answer;
	struct rdma_incoming *incoming, *last_incoming; /**< messages of the peer, oldest first */
	uint32_t num_incoming;
	size_t incoming_bytes;			/**< that arrived with them */
	uint8_t is_starved;			/**< the oldest one waits for a receive task */
	uint8_t has_failed;			/**< a message did not fit: the peer fails the later ones */
	struct rdma_task *receive;		/**< taken for the oldest one; done: received bytes */
};

struct doca_rdma_connection {
	struct doca_rdma *rdma;
	uint32_t id;
	union doca_data user_data;
	uint8_t is_managed;			/**< by the connection manager, not by export and connect */
	struct doca_rdma_connection *target;	/**< of a sender: the DC connection that the program sees in its place; else NULL */
	uint8_t is_near;			/**< managed, and the peer is in this process: no socket */
	struct sd_event event;			/**< calls the program */
	struct rdma_details details;		/**< description for the peer */
	uint8_t has_failed_task;		/**< a fault will fail a submitted task; program's thread */
	struct sd_task_order order;		/**< tasks in flight */
	_Atomic uint32_t num_tasks;		/**< tasks in flight that name the connection */
	struct sd_job retry_job;		/**< ends the retries of the current task, or the time to connect */
	/** @name Under the lock */
	/** @{ */
	struct doca_rdma_addr *addr;		/**< of the program, until the connection ends, or own_addr; NULL: none */
	struct doca_rdma_addr own_addr;		/**< of a server's port; also of a client that connects to such an address */
	uint32_t notices;			/**< bits of enum rdma_notice */
	uint8_t is_event_posted;
	uint8_t is_rejected;			/**< by this program */
	struct doca_rdma_connection *same_hash;	/**< table of the connections that have not ended */
	struct doca_rdma_connection *next[RDMA_LIST_KINDS], *prev[RDMA_LIST_KINDS];
	enum rdma_state state;
	struct rdma_list senders;		/**< of a DC connection */
	struct doca_rdma_connection *peer;	/**< NULL: none connected yet, or ended */
	uint64_t joined_by;			/**< key of the peer that connected before this program; 0: none, or this program ended it */
	uint32_t peer_permissions;		/**< of the context of the peer; valid while CONNECTED */
	uint16_t peer_vhca_id;			/**< of its device */
	struct rdma_task *current;		/**< at the device, parked or held; NULL: none */
	struct rdma_queue waiting;		/**< behind the current task */
	uint8_t is_parked;			/**< the current task waits for a receive task of the peer */
	uint8_t is_held;			/**< the current task waits for room in the socket */
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
	uint32_t carried;			/**< bytes that the MESSAGE packet carries */
	uint8_t is_unanswered;			/**< in the list of its connection */
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

#endif
