/*
 * RDMA contexts, their connections, and the tasks of a connection.
 *
 *   program's thread   submit: latch lists -> queue of the connection -> device, one task per connection at a time
 *   hardware thread    execute: check the peer, copy, pass the next task of the connection to the device
 *   program's thread   complete: commit lengths, or end the connection
 *
 * One lock guards the states of all connections of the process, because a connection reads the state of its peer. Contexts are
 * ordered (is_ordered), so that tasks are reported in the order of their submission.
 */
#ifndef SD_RDMA_H
#define SD_RDMA_H

#include "doca_rdma.h"
#include "rdma_details.h"
#include "sd_context.h"
#include "sd_memory.h"

enum {
	RDMA_MAX_SEND_QUEUE_SIZE = 8192,
	RDMA_MAX_LIST_LEN = 32,
	RDMA_MAX_MESSAGE_SIZE = 1 << 30,
	RDMA_NUM_GIDS = 1,
};

struct rdma_task;

struct doca_rdma {
	struct doca_ctx ctx;			/**< first member */
	uint32_t send_queue_size;
	uint32_t max_send_buf_list_len;
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
	struct doca_rdma_connection *connections;	/**< since the last start, newest first */
};

enum rdma_state {
	RDMA_EXPORTED,
	RDMA_CONNECTED,
	RDMA_ENDED,
};

struct doca_rdma_connection {
	struct doca_rdma *rdma;
	struct doca_rdma_connection *next;	/**< of the context */
	uint32_t id;
	union doca_data user_data;
	struct rdma_details details;		/**< description for the peer */
	uint8_t has_failed_task;		/**< a fault will fail a submitted task; program's thread */
	/** @name Under the lock */
	/** @{ */
	struct doca_rdma_connection *all_next;	/**< connections of the process that have not ended */
	enum rdma_state state;
	struct doca_rdma_connection *peer;	/**< NULL: none connected yet, or ended */
	struct rdma_task *waiting_head, *waiting_tail;	/**< behind the task that the device has */
	uint8_t is_executing;			/**< the device has a task of the connection */
	/** @} */
};

/** @name Connections */
/** @{ */
/** Ends a connection and the one of its peer, and fails their waiting tasks. Idempotent. Thread: any. */
void rdma_connection_end(struct doca_rdma_connection *connection);
/** Ends all connections of a context. */
void rdma_connections_end(struct doca_rdma *rdma);
/** Frees all connections of a context without tasks. */
void rdma_connections_free(struct doca_rdma *rdma);
/**
 * Checks that a task may access memory of the peer; an empty latch names no memory. IO_FAILED: the connection has ended, the
 * context of the peer lacks the permission, or its device did not export the memory. Thread: any.
 */
doca_error_t rdma_connection_check(struct doca_rdma_connection *connection, uint32_t permission, const struct sd_latch *remote);
/** Passes a task to the device when all older tasks of its connection are executed. Thread: program's. */
void rdma_connection_submit(struct rdma_task *task);
/** Continues with the next task of the connection. result: of the executed one. Thread: any. */
void rdma_connection_executed(struct doca_rdma_connection *connection, doca_error_t result);
/** @} */

/** @name Tasks */
/** @{ */
struct rdma_task {
	struct doca_task base;			/**< first member */
	struct doca_rdma_connection *connection;
	const struct doca_buf *src;
	struct doca_buf *dst;
	struct sd_latch in, out;		/**< held from submit to completion */
	doca_error_t latched;			/**< result of latching both lists */
	uint8_t is_late;			/**< submitted after a task that a fault fails */
	size_t executed_len;			/**< bytes of the last successful execution */
	struct rdma_task *next_waiting;
};

struct doca_rdma_task_read {
	struct rdma_task task;
};

struct doca_rdma_task_write {
	struct rdma_task task;
};

/** One kind of task: a static record. */
struct rdma_kind {
	struct sd_task_operation operation;	/**< first member */
	uint32_t permission;			/**< that both the map and the context of the peer grant */
	doca_error_t (*latch)(struct rdma_task *task);	/**< latches both lists; one may stay latched after an error */
	/** Returns the latch of the memory of the peer. */
	const struct sd_latch *(*remote)(const struct rdma_task *task);
};

extern const struct rdma_kind rdma_read, rdma_write;
/** @} */

#endif
