/*
 * The communication channel's fast path, sending side.
 *
 * A producer is created on an established connection and fills the buffers that consumers of the other side posted. The
 * producer and its connection may use different progress engines.
 *
 *   create -> set_conf -> start (RUNNING at once) -> send tasks -> stop -> destroy, before the connection ends
 *
 * Submitting a send returns AGAIN while the consumer has no posted buffer. New buffers become visible without progress, so a
 * program may repeat the submission until it succeeds.
 *
 * Thread: the thread of the context's progress engine. Capability calls with a devinfo: any. For a NULL argument, a function
 * returns INVALID_VALUE if it returns an error; otherwise the behavior is undefined.
 */
#ifndef DOCA_COMCH_PRODUCER_H_
#define DOCA_COMCH_PRODUCER_H_

#include <stddef.h>
#include <stdint.h>

#include "doca_compat.h"
#include "doca_error.h"
#include "doca_types.h"

#ifdef __cplusplus
extern "C" {
#endif

struct doca_buf;
struct doca_comch_connection;
struct doca_comch_gpu_producer;
struct doca_comch_producer;
struct doca_comch_producer_task_send;
struct doca_ctx;
struct doca_devinfo;
struct doca_dpa_completion;
struct doca_task;

/** @name Limits of a device */
/** @{ */
/** Returns SUCCESS if the device supports producers; NOT_SUPPORTED if not. */
DOCA_STABLE
doca_error_t doca_comch_producer_cap_is_supported(const struct doca_devinfo *devinfo);
/** Returns the largest number of producers of one connection on this side. */
DOCA_STABLE
doca_error_t doca_comch_producer_cap_get_max_producers(const struct doca_devinfo *devinfo, uint32_t *max_producers);
/** Returns the limit of num_send_tasks. */
DOCA_STABLE
doca_error_t doca_comch_producer_cap_get_max_num_tasks(const struct doca_devinfo *devinfo, uint32_t *max_num_tasks);
/** Returns the largest size of a transfer in bytes, over all elements of a list. */
DOCA_STABLE
doca_error_t doca_comch_producer_cap_get_max_buf_size(const struct doca_devinfo *devinfo, uint32_t *max_buf_size);
/** Returns the largest number of elements of a list; 1: no lists. */
DOCA_STABLE
doca_error_t doca_comch_producer_cap_get_max_buf_list_len(const struct doca_devinfo *devinfo,
	uint32_t *max_buf_list_len);
/** @} */

/** @name The context */
/** @{ */
/** Creates a producer on an established connection (else BAD_STATE). NO_MEMORY: also at the connection's limit of producers. */
DOCA_STABLE
doca_error_t doca_comch_producer_create(struct doca_comch_connection *comch_connection,
	struct doca_comch_producer **producer);
/** Destroys the producer. IN_USE: not IDLE. */
DOCA_STABLE
doca_error_t doca_comch_producer_destroy(struct doca_comch_producer *producer);
/** Returns the context of the producer, which has the lifetime of producer. */
DOCA_STABLE
struct doca_ctx *doca_comch_producer_as_ctx(struct doca_comch_producer *producer);
/**
 * Returns the number that consumers see in doca_comch_consumer_task_post_recv_get_producer_id(); never 0, unique on the
 * connection.
 */
DOCA_STABLE
doca_error_t doca_comch_producer_get_id(const struct doca_comch_producer *producer, uint32_t *id);
/** @} */

/** @name Sending */
/** @{ */
/** Called from progress when the remote buffer was filled, or when the send failed. */
typedef void (*doca_comch_producer_task_send_completion_cb_t)(struct doca_comch_producer_task_send *task,
	union doca_data task_user_data, union doca_data ctx_user_data);
/** Configures num_send_tasks tasks and their callbacks for success and failure. BAD_STATE: not IDLE. */
DOCA_STABLE
doca_error_t doca_comch_producer_task_send_set_conf(struct doca_comch_producer *producer,
	doca_comch_producer_task_send_completion_cb_t task_completion_cb,
	doca_comch_producer_task_send_completion_cb_t task_error_cb, uint32_t num_send_tasks);
/**
 * Allocates a task that sends the content of buf and imm_data_len bytes of immediate data to the consumer of this id. The call
 * copies the immediate data. buf may be NULL if there is immediate data; immediate data may be absent (NULL, 0) if there is a
 * buffer. The task fails with NOT_CONNECTED if the consumer does not exist (any more). The task and the receiving task fail
 * with IO_FAILED if the posted buffer is too small. INVALID_VALUE: also if the immediate data is too long; NO_MEMORY: all tasks
 * are allocated; BAD_STATE: not RUNNING.
 */
DOCA_STABLE
doca_error_t doca_comch_producer_task_send_alloc_init(struct doca_comch_producer *producer, const struct doca_buf *buf,
	uint8_t *imm_data, uint32_t imm_data_len, uint32_t consumer_id, struct doca_comch_producer_task_send **task);
DOCA_STABLE
struct doca_task *doca_comch_producer_task_send_as_task(struct doca_comch_producer_task_send *task);
DOCA_STABLE
void doca_comch_producer_task_send_set_buf(struct doca_comch_producer_task_send *task, const struct doca_buf *buf);
DOCA_STABLE
const struct doca_buf *doca_comch_producer_task_send_get_buf(const struct doca_comch_producer_task_send *task);
DOCA_STABLE
void doca_comch_producer_task_send_set_consumer_id(struct doca_comch_producer_task_send *task,
	const uint32_t consumer_id);
DOCA_STABLE
uint32_t doca_comch_producer_task_send_get_consumer_id(const struct doca_comch_producer_task_send *task);
/** Copies the immediate data into the task. Data above the limit of the device makes the task fail. */
DOCA_STABLE
void doca_comch_producer_task_send_set_imm_data(struct doca_comch_producer_task_send *task, uint8_t *imm_data,
	uint32_t imm_data_len);
/** Returns the task's copy of the immediate data; NULL if there is none. */
DOCA_STABLE
uint8_t *doca_comch_producer_task_send_get_imm_data(const struct doca_comch_producer_task_send *task);
DOCA_STABLE
uint32_t doca_comch_producer_task_send_get_imm_data_len(const struct doca_comch_producer_task_send *task);
/** @} */

/** @name Data path on accelerators; NOT_SUPPORTED by the software DPU, after validation of the arguments */
/** @{ */
/** Handle of the data-path accelerator. */
typedef uint64_t doca_dpa_dev_comch_producer_t;
DOCA_EXPERIMENTAL
doca_error_t doca_comch_producer_dpa_completion_attach(struct doca_comch_producer *producer,
	struct doca_dpa_completion *dpa_comp);
DOCA_EXPERIMENTAL
doca_error_t doca_comch_producer_get_dpa_handle(struct doca_comch_producer *producer,
	doca_dpa_dev_comch_producer_t *dpa_producer);
DOCA_EXPERIMENTAL
doca_error_t doca_comch_producer_get_gpu_handle(struct doca_comch_producer *producer,
	struct doca_comch_gpu_producer **handle);
DOCA_EXPERIMENTAL
doca_error_t doca_comch_producer_set_dev_max_num_send(struct doca_comch_producer *producer, uint32_t dev_num_send);
/** @} */

#ifdef __cplusplus
}
#endif

#endif
