/*
 * The part of DOCA's binary interface that this library uses: opaque names, one union passed by value, and numbers.
 * Building the bridge needs no DOCA header. One build works with every DOCA that keeps this interface (2.9 to 3.x).
 */
#ifndef BRIDGE_DOCA_ABI_H
#define BRIDGE_DOCA_ABI_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

struct doca_buf;
struct doca_comch_connection;
struct doca_ctx;
struct doca_pe;
struct doca_rdma_connection;
struct doca_task;

/** User data of contexts and tasks; passed by value, one register on x86-64 and on aarch64. */
union doca_data {
	void *ptr;
	uint64_t u64;
};

static_assert(sizeof(union doca_data) == 8, "doca_data is one register");
static_assert(sizeof(size_t) == 8, "the rings carry 64-bit addresses and lengths");

/** Values of doca_error_t that the bridge returns. */
enum {
	DOCA_SUCCESS = 0,
	DOCA_ERROR_NOT_PERMITTED = 2,
	DOCA_ERROR_IN_USE = 3,
	DOCA_ERROR_NOT_SUPPORTED = 4,
	DOCA_ERROR_AGAIN = 5,
	DOCA_ERROR_INVALID_VALUE = 6,
	DOCA_ERROR_NO_MEMORY = 7,
	DOCA_ERROR_SHUTDOWN = 10,
	DOCA_ERROR_CONNECTION_ABORTED = 12,
	DOCA_ERROR_NOT_CONNECTED = 14,
	DOCA_ERROR_NOT_FOUND = 16,
	DOCA_ERROR_BAD_STATE = 18,
	DOCA_ERROR_TOO_BIG = 27
};

/** enum doca_ctx_states */
enum { DOCA_CTX_STATE_IDLE = 0, DOCA_CTX_STATE_STARTING = 1, DOCA_CTX_STATE_RUNNING = 2, DOCA_CTX_STATE_STOPPING = 3 };

/** Completion callback of any task kind. The type of the first parameter differs by kind, its calling convention does not. */
typedef void (*doca_completion_cb)(void *task, union doca_data task_user_data, union doca_data ctx_user_data);

typedef void (*doca_state_cb)(union doca_data user_data, struct doca_ctx *ctx, int previous, int next);

#endif
