/* Internals shared by the files of the fake. */
#ifndef FAKE_INSIDE_H
#define FAKE_INSIDE_H

#include <pthread.h>

#include "fake_doca.h"

#define FAKE_NUM_KINDS 9

union doca_data {
	void *ptr;
	uint64_t u64;
};

typedef void (*fake_completion_cb)(void *task, union doca_data task_user_data, union doca_data ctx_user_data);
typedef void (*fake_state_cb)(union doca_data user_data, struct doca_ctx *ctx, int previous, int next);

typedef void (*fake_message_cb)(void *event, uint8_t *bytes, uint32_t len, struct doca_comch_connection *connection);
typedef void (*fake_connection_cb)(void *event, struct doca_comch_connection *connection, uint8_t is_successful);
typedef void (*fake_consumer_cb)(void *event, struct doca_comch_connection *connection, uint32_t id);

struct doca_comch_connection {
	struct doca_ctx *ctx;
	union doca_data user_data;
};

struct doca_task {
	struct doca_ctx *ctx;
	struct doca_task *next;
	union doca_data user_data;
	const struct doca_buf *src;
	struct doca_buf *dst;
	uint32_t kind;
	uint32_t lz4_flags;
	uint32_t consumer;			/* consumer of a producer send */
	int status;
	size_t produced;
};

struct doca_ctx {
	struct doca_pe *pe;
	union doca_data user_data;
	fake_state_cb state_changed;
	int state;
	struct {
		fake_completion_cb done, failed;
		uint32_t num_tasks, num_allocated;
	} kinds[FAKE_NUM_KINDS];
	struct doca_task *submitted_head, *submitted_tail;
	uint32_t num_submitted, num_allocated, num_allocations;
	uint32_t skip, count;
	int answer;
	uint32_t refused_consumer;
	const uint8_t *immediate;		/* immediate data of all received buffers */
	uint32_t immediate_len;
	bool finishes_at_once, finishes_when_idle, reports_twice, is_idle_at_once, is_idle_due;
	struct doca_ctx *next;
	/* State as a server or client of comch. */
	bool is_server;
	uint32_t max_msg_size;
	int disconnect_answer;
	fake_message_cb received;
	fake_connection_cb connected, disconnected;
	fake_consumer_cb consumer_new, consumer_expired;
	struct doca_comch_connection *connection;	/* connection of a client */
};

struct doca_pe {
	int fd;
	bool is_armed;
	struct doca_task *ready_head, *ready_tail;
	struct doca_ctx *contexts;
	uint32_t num_requests, num_clears;
	void (*before_arming)(void *argument);
	void *argument;
	void (*turn)(void *argument);
	void *turn_argument;
};

/** Guards all state of the fake. */
extern pthread_mutex_t fake_lock;
extern uint32_t fake_lz4_flags;

/* The caller holds the lock. */
void fake_append(struct doca_task **head, struct doca_task **tail, struct doca_task *task);
void fake_notify(struct doca_pe *pe);
void fake_check_idle(struct doca_ctx *ctx);
void fake_make_ready(struct doca_task *task, int status, size_t produced);
struct doca_task *fake_take_submitted(struct doca_ctx *ctx, uint32_t index);

/* The caller does not hold the lock. */
int fake_set_conf(struct doca_ctx *ctx, uint32_t kind, fake_completion_cb done, fake_completion_cb failed, uint32_t num_tasks);
int fake_alloc_init(struct doca_ctx *ctx, uint32_t kind, const struct doca_buf *src, struct doca_buf *dst,
		    union doca_data user_data, struct doca_task **out);
void fake_call_back(struct doca_task *task);

#endif
