/*
 * The communication channel's fast path, receiving side.
 *
 * A consumer is created on an established connection and posts buffers of one memory map. Producers of the other side fill
 * these buffers: one transfer fills one buffer, in the order of posting. The consumer and its connection may use different
 * progress engines.
 *
 *   create -> set_conf -> start (IN_PROGRESS; needs progress of both engines and of the other side) -> RUNNING -> post_recv tasks
 *          -> stop: posted buffers return through the error callback -> destroy, before the connection ends
 *
 * A start is AGAIN while the other side has not answered as many earlier starts as its connection may have consumers.
 *
 * Thread: the thread of the context's progress engine. Capability calls with a devinfo: any. For a NULL argument, a function
 * returns INVALID_VALUE if it returns an error; otherwise the behavior is undefined.
 */
#ifndef DOCA_COMCH_CONSUMER_H_
#define DOCA_COMCH_CONSUMER_H_

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
struct doca_comch_consumer;
struct doca_comch_consumer_completion;
struct doca_comch_consumer_task_post_recv;
struct doca_comch_gpu_consumer;
struct doca_ctx;
struct doca_devinfo;
struct doca_dpa_thread;
struct doca_mmap;
struct doca_task;

/** @name Limits of a device */
/** @{ */
/** Returns SUCCESS if the device supports consumers; NOT_SUPPORTED if not. */
DOCA_STABLE
doca_error_t doca_comch_consumer_cap_is_supported(const struct doca_devinfo *devinfo);
/** Returns the largest number of consumers of one connection on this side. */
DOCA_STABLE
doca_error_t doca_comch_consumer_cap_get_max_consumers(const struct doca_devinfo *devinfo, uint32_t *max_consumers);
/** Returns the limit of num_post_recv_tasks. */
DOCA_STABLE
doca_error_t doca_comch_consumer_cap_get_max_num_tasks(const struct doca_devinfo *devinfo, uint32_t *max_num_tasks);
/** Returns the largest size of a transfer in bytes. */
DOCA_STABLE
doca_error_t doca_comch_consumer_cap_get_max_buf_size(const struct doca_devinfo *devinfo, uint32_t *max_buf_size);
/** Returns the largest number of elements of a posted buffer; 1: no lists. */
DOCA_STABLE
doca_error_t doca_comch_consumer_cap_get_max_buf_list_len(const struct doca_devinfo *devinfo,
	uint32_t *max_buf_list_len);
/** Returns the largest length of immediate data in bytes. */
DOCA_STABLE
doca_error_t doca_comch_consumer_cap_get_max_imm_data_len(const struct doca_devinfo *devinfo,
	uint32_t *max_imm_data_len);
/** @} */

/** @name The context */
/** @{ */
/**
 * Creates a consumer whose buffers are from buf_mmap, a started map with the permission PCI_READ_WRITE. BAD_STATE: the
 * connection is not established, or the map not started; NOT_PERMITTED: the map lacks the permission; NO_MEMORY: also at the
 * connection's limit of consumers.
 */
DOCA_STABLE
doca_error_t doca_comch_consumer_create(struct doca_comch_connection *comch_connection, struct doca_mmap *buf_mmap,
	struct doca_comch_consumer **consumer);
/** Destroys the consumer. IN_USE: not IDLE. */
DOCA_STABLE
doca_error_t doca_comch_consumer_destroy(struct doca_comch_consumer *consumer);
/** Returns the context of the consumer, which has the lifetime of consumer. */
DOCA_STABLE
struct doca_ctx *doca_comch_consumer_as_ctx(struct doca_comch_consumer *consumer);
/** Returns the number that identifies the consumer to the other side; never 0, unique on the connection. */
DOCA_STABLE
doca_error_t doca_comch_consumer_get_id(const struct doca_comch_consumer *consumer, uint32_t *id);
/** Sets the largest length of accepted immediate data, in bytes. Default: the limit of the device. BAD_STATE: not IDLE. */
DOCA_STABLE
doca_error_t doca_comch_consumer_set_imm_data_len(struct doca_comch_consumer *consumer, uint32_t imm_data_len);
DOCA_STABLE
doca_error_t doca_comch_consumer_get_imm_data_len(const struct doca_comch_consumer *consumer, uint32_t *imm_data_len);
/** @} */

/** @name Receiving */
/** @{ */
/** Called from progress when a producer filled the buffer, or when the buffer returns unfilled. */
typedef void (*doca_comch_consumer_task_post_recv_completion_cb_t)(struct doca_comch_consumer_task_post_recv *task,
	union doca_data task_user_data, union doca_data ctx_user_data);
/** Configures num_post_recv_tasks tasks and their callbacks for success and failure. BAD_STATE: not IDLE. */
DOCA_STABLE
doca_error_t doca_comch_consumer_task_post_recv_set_conf(struct doca_comch_consumer *consumer,
	doca_comch_consumer_task_post_recv_completion_cb_t task_completion_cb,
	doca_comch_consumer_task_post_recv_completion_cb_t task_error_cb, uint32_t num_post_recv_tasks);
/**
 * Allocates a task that receives into the free room of buf, a single buffer. NO_MEMORY: all tasks are allocated; BAD_STATE: not
 * RUNNING.
 */
DOCA_STABLE
doca_error_t doca_comch_consumer_task_post_recv_alloc_init(struct doca_comch_consumer *consumer, struct doca_buf *buf,
	struct doca_comch_consumer_task_post_recv **task);
DOCA_STABLE
struct doca_task *doca_comch_consumer_task_post_recv_as_task(struct doca_comch_consumer_task_post_recv *task);
DOCA_STABLE
void doca_comch_consumer_task_post_recv_set_buf(struct doca_comch_consumer_task_post_recv *task, struct doca_buf *buf);
DOCA_STABLE
struct doca_buf *doca_comch_consumer_task_post_recv_get_buf(const struct doca_comch_consumer_task_post_recv *task);
/** Returns the id of the producer that filled the buffer; 0: none did. */
DOCA_STABLE
uint32_t doca_comch_consumer_task_post_recv_get_producer_id(const struct doca_comch_consumer_task_post_recv *task);
/**
 * Returns the immediate data of a successful task; valid until the task is submitted again or freed. NULL: no immediate data.
 */
DOCA_STABLE
const uint8_t *doca_comch_consumer_task_post_recv_get_imm_data(const struct doca_comch_consumer_task_post_recv *task);
/** Returns the length of the immediate data in bytes. */
DOCA_STABLE
uint32_t doca_comch_consumer_task_post_recv_get_imm_data_len(const struct doca_comch_consumer_task_post_recv *task);
/** @} */

/** @name Data path on accelerators; NOT_SUPPORTED by the software DPU, after validation of the arguments */
/** @{ */
/** Handles of the data-path accelerator. */
typedef uint64_t doca_dpa_dev_comch_consumer_completion_t;
typedef uint64_t doca_dpa_dev_comch_consumer_t;
DOCA_EXPERIMENTAL
doca_error_t doca_comch_consumer_completion_create(struct doca_comch_consumer_completion **consumer_comp);
DOCA_EXPERIMENTAL
doca_error_t doca_comch_consumer_completion_destroy(struct doca_comch_consumer_completion *consumer_comp);
DOCA_EXPERIMENTAL
doca_error_t doca_comch_consumer_completion_get_dpa_handle(struct doca_comch_consumer_completion *consumer_comp,
	doca_dpa_dev_comch_consumer_completion_t *consumer_comp_handle);
DOCA_EXPERIMENTAL
doca_error_t doca_comch_consumer_completion_get_imm_data_len(const struct doca_comch_consumer_completion *consumer_comp,
	uint32_t *imm_data_len);
DOCA_EXPERIMENTAL
doca_error_t doca_comch_consumer_completion_get_max_num_consumers(const struct doca_comch_consumer_completion *consumer_comp,
	uint32_t *max_num_consumers);
DOCA_EXPERIMENTAL
doca_error_t doca_comch_consumer_completion_get_max_num_recv(const struct doca_comch_consumer_completion *consumer_comp,
	uint32_t *max_num_recv);
DOCA_EXPERIMENTAL
doca_error_t doca_comch_consumer_completion_set_dpa_thread(struct doca_comch_consumer_completion *consumer_comp,
	struct doca_dpa_thread *dpa_thread);
DOCA_EXPERIMENTAL
doca_error_t doca_comch_consumer_completion_set_imm_data_len(struct doca_comch_consumer_completion *consumer_comp,
	uint32_t imm_data_len);
DOCA_EXPERIMENTAL
doca_error_t doca_comch_consumer_completion_set_max_num_consumers(struct doca_comch_consumer_completion *consumer_comp,
	uint32_t max_num_consumers);
DOCA_EXPERIMENTAL
doca_error_t doca_comch_consumer_completion_set_max_num_recv(struct doca_comch_consumer_completion *consumer_comp,
	uint32_t max_num_recv);
DOCA_EXPERIMENTAL
doca_error_t doca_comch_consumer_completion_start(struct doca_comch_consumer_completion *consumer_comp);
DOCA_EXPERIMENTAL
doca_error_t doca_comch_consumer_completion_stop(struct doca_comch_consumer_completion *consumer_comp);
DOCA_EXPERIMENTAL
doca_error_t doca_comch_consumer_get_dpa_handle(struct doca_comch_consumer *consumer,
	doca_dpa_dev_comch_consumer_t *dpa_consumer);
DOCA_EXPERIMENTAL
doca_error_t doca_comch_consumer_set_completion(struct doca_comch_consumer *consumer,
	struct doca_comch_consumer_completion *consumer_comp, uint32_t user_data);
DOCA_EXPERIMENTAL
doca_error_t doca_comch_consumer_set_dev_max_num_recv(struct doca_comch_consumer *consumer, uint32_t dev_num_recv);
DOCA_EXPERIMENTAL
doca_error_t doca_comch_consumer_get_gpu_handle(struct doca_comch_consumer *consumer,
	struct doca_comch_gpu_consumer **handle);
/** @} */

#ifdef __cplusplus
}
#endif

#endif
