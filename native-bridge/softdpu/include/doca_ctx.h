/*
 * What all contexts (compress, DMA, ...) have in common: a life of four states, a progress engine, a callback.
 *
 *   IDLE --start--> (STARTING) --> RUNNING --stop--> (STOPPING) --> IDLE
 *
 * Configuration belongs to IDLE, tasks to RUNNING. A context reaches IDLE only after all its tasks were freed.
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

/** Where a context is in its life. */
enum doca_ctx_states {
	DOCA_CTX_STATE_IDLE = 0,	/**< as created: may be configured, started, destroyed */
	DOCA_CTX_STATE_STARTING = 1,	/**< progress brings it to RUNNING */
	DOCA_CTX_STATE_RUNNING = 2,	/**< tasks may be allocated and submitted */
	DOCA_CTX_STATE_STOPPING = 3,	/**< tasks come back; progress brings it to IDLE */
};

/** Called after each change of state; the context already is in next_state. Runs on the engine's thread and may
 *  submit, stop and, when next_state is IDLE, destroy the context; may not progress the engine. */
typedef void (*doca_ctx_state_changed_callback_t)(const union doca_data user_data, struct doca_ctx *ctx,
						  enum doca_ctx_states prev_state, enum doca_ctx_states next_state);

/**
 * Start a configured context.
 * @return DOCA_SUCCESS: RUNNING; DOCA_ERROR_IN_PROGRESS: STARTING, the rest happens in progress;
 *         INVALID_VALUE: NULL; NOT_CONNECTED: no progress engine; NOT_SUPPORTED: the device cannot do it;
 *         INITIALIZATION: a resource is missing; BAD_STATE: not IDLE.
 */
DOCA_STABLE
doca_error_t doca_ctx_start(struct doca_ctx *ctx);

/**
 * Stop a context.
 * @return DOCA_SUCCESS: IDLE; DOCA_ERROR_IN_PROGRESS: STOPPING, tasks are outstanding or a callback is running, the rest
 *         happens in progress; INVALID_VALUE: NULL; NOT_CONNECTED: no progress engine.
 */
DOCA_STABLE
doca_error_t doca_ctx_stop(struct doca_ctx *ctx);

/** State now. INVALID_VALUE: NULL argument. */
DOCA_STABLE
doca_error_t doca_ctx_get_state(const struct doca_ctx *ctx, enum doca_ctx_states *state);

/** Tasks submitted whose callback was not yet called. INVALID_VALUE: NULL argument. */
DOCA_STABLE
doca_error_t doca_ctx_get_num_inflight_tasks(const struct doca_ctx *ctx, size_t *num_inflight_tasks);

/** Value that callbacks of this context receive. INVALID_VALUE: NULL argument. */
DOCA_STABLE
doca_error_t doca_ctx_set_user_data(struct doca_ctx *ctx, union doca_data user_data);
/** Value set before; all zero by default. INVALID_VALUE: NULL argument. */
DOCA_STABLE
doca_error_t doca_ctx_get_user_data(const struct doca_ctx *ctx, union doca_data *user_data);

/** Function to call after each change of state; replaces the one before. INVALID_VALUE: NULL argument. */
DOCA_STABLE
doca_error_t doca_ctx_set_state_changed_cb(struct doca_ctx *ctx, doca_ctx_state_changed_callback_t cb);

/** Hand over to the device what was submitted without DOCA_TASK_SUBMIT_FLAG_FLUSH. Not in IDLE. */
DOCA_EXPERIMENTAL
void doca_ctx_flush_tasks(struct doca_ctx *ctx);

/** Number of completion vectors that contexts of a device may choose from. INVALID_VALUE: NULL argument. */
DOCA_EXPERIMENTAL
doca_error_t doca_ctx_cap_get_num_completion_vectors(const struct doca_devinfo *devinfo, uint32_t *num_comp_vectors);
/** Choose the completion vector, below the number above. BAD_STATE: not IDLE; INVALID_VALUE; NOT_SUPPORTED. */
DOCA_EXPERIMENTAL
doca_error_t doca_ctx_set_completion_vector(struct doca_ctx *ctx, uint32_t comp_vector);

/** Let a GPU drive the context. The software DPU answers NOT_SUPPORTED. BAD_STATE: not IDLE; INVALID_VALUE: NULL. */
DOCA_EXPERIMENTAL
doca_error_t doca_ctx_set_datapath_on_gpu(struct doca_ctx *ctx, struct doca_gpu *gpu_dev);
/** Let the data-path accelerator drive the context. The software DPU answers NOT_SUPPORTED. BAD_STATE; INVALID_VALUE. */
DOCA_EXPERIMENTAL
doca_error_t doca_ctx_set_datapath_on_dpa(struct doca_ctx *ctx, struct doca_dpa *dpa_dev);

#ifdef __cplusplus
}
#endif

#endif
