/*
 * The common part of all contexts (compress, DMA, ...): four states, a progress engine, a callback.
 *
 *   IDLE --start--> (STARTING) --> RUNNING --stop--> (STOPPING) --> IDLE
 *
 * A context is configured in IDLE and runs tasks in RUNNING. A context reaches IDLE only after all its tasks were freed.
 *
 * Thread: only the thread that progresses the context's engine.
 */
#ifndef DOCA_CTX_H_
#define DOCA_CTX_H_

#include <stddef.h>
#include <stdint.h>

#include "doca_compat.h"
#include "doca_error.h"
#include "doca_types.h"

#ifdef __cplusplus
extern "C" {
#endif

struct doca_ctx;
struct doca_devinfo;
struct doca_dpa;
struct doca_gpu;

/** State of a context. */
enum doca_ctx_states {
	DOCA_CTX_STATE_IDLE = 0,	/**< initial state: the context may be configured, started or destroyed */
	DOCA_CTX_STATE_STARTING = 1,	/**< progress moves the context to RUNNING */
	DOCA_CTX_STATE_RUNNING = 2,	/**< tasks may be allocated and submitted */
	DOCA_CTX_STATE_STOPPING = 3,	/**< tasks end; progress moves the context to IDLE */
};

/**
 * Called after each change of state; the context already is in next_state. Runs on the engine's thread. The callback may
 * submit, stop and, if next_state is IDLE, destroy the context; it must not progress the engine.
 */
typedef void (*doca_ctx_state_changed_callback_t)(const union doca_data user_data, struct doca_ctx *ctx,
						  enum doca_ctx_states prev_state, enum doca_ctx_states next_state);

/**
 * Starts a configured context.
 * @return DOCA_SUCCESS: RUNNING; DOCA_ERROR_IN_PROGRESS: STARTING, progress completes the start;
 *         INVALID_VALUE: NULL; NOT_CONNECTED: no progress engine; NOT_SUPPORTED: the device does not support it;
 *         INITIALIZATION: a resource is missing; BAD_STATE: not IDLE.
 */
DOCA_STABLE
doca_error_t doca_ctx_start(struct doca_ctx *ctx);

/**
 * Stops a context.
 * @return DOCA_SUCCESS: IDLE; DOCA_ERROR_IN_PROGRESS: STOPPING, because tasks exist or a callback runs; progress completes the
 * stop; INVALID_VALUE: NULL; NOT_CONNECTED: no progress engine.
 */
DOCA_STABLE
doca_error_t doca_ctx_stop(struct doca_ctx *ctx);

/** Returns the current state. INVALID_VALUE: NULL argument. */
DOCA_STABLE
doca_error_t doca_ctx_get_state(const struct doca_ctx *ctx, enum doca_ctx_states *state);

/** Returns the number of submitted tasks whose callback has not run yet. INVALID_VALUE: NULL argument. */
DOCA_STABLE
doca_error_t doca_ctx_get_num_inflight_tasks(const struct doca_ctx *ctx, size_t *num_inflight_tasks);

/** Sets the value that callbacks of this context receive. INVALID_VALUE: NULL argument. */
DOCA_STABLE
doca_error_t doca_ctx_set_user_data(struct doca_ctx *ctx, union doca_data user_data);
/** Returns the value that callbacks receive; all zero by default. INVALID_VALUE: NULL argument. */
DOCA_STABLE
doca_error_t doca_ctx_get_user_data(const struct doca_ctx *ctx, union doca_data *user_data);

/** Sets the callback for changes of state and replaces the previous one. INVALID_VALUE: NULL argument. */
DOCA_STABLE
doca_error_t doca_ctx_set_state_changed_cb(struct doca_ctx *ctx, doca_ctx_state_changed_callback_t cb);

/** Passes the tasks that were submitted without DOCA_TASK_SUBMIT_FLAG_FLUSH to the device. Not in IDLE. */
DOCA_EXPERIMENTAL
void doca_ctx_flush_tasks(struct doca_ctx *ctx);

/** Returns the number of completion vectors of a device. INVALID_VALUE: NULL argument. */
DOCA_EXPERIMENTAL
doca_error_t doca_ctx_cap_get_num_completion_vectors(const struct doca_devinfo *devinfo, uint32_t *num_comp_vectors);
/** Selects the completion vector, below the number above. BAD_STATE: not IDLE; INVALID_VALUE; NOT_SUPPORTED. */
DOCA_EXPERIMENTAL
doca_error_t doca_ctx_set_completion_vector(struct doca_ctx *ctx, uint32_t comp_vector);

/** Moves the data path to a GPU. The software DPU returns NOT_SUPPORTED. BAD_STATE: not IDLE; INVALID_VALUE: NULL. */
DOCA_EXPERIMENTAL
doca_error_t doca_ctx_set_datapath_on_gpu(struct doca_ctx *ctx, struct doca_gpu *gpu_dev);
/** Moves the data path to the data-path accelerator. The software DPU returns NOT_SUPPORTED. BAD_STATE; INVALID_VALUE. */
DOCA_EXPERIMENTAL
doca_error_t doca_ctx_set_datapath_on_dpa(struct doca_ctx *ctx, struct doca_dpa *dpa_dev);

#ifdef __cplusplus
}
#endif

#endif
