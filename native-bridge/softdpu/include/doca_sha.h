/*
 * Hashes by the device: SHA-1, SHA-256 and SHA-512 (FIPS 180-4).
 *
 * A hash task reads the content of the source list and appends the digest to the content of the destination list. The order of
 * bytes is that of the standard. A partial hash task does that over several submissions with a source each. The state of the
 * hash stays in the task between them:
 *
 *   alloc_init -> submit -> [set_src -> submit]... -> set_src -> set_is_final_buf -> submit -> digest
 *
 * The length of each source except the last one is a multiple of doca_sha_cap_get_partial_hash_block_size(). One submission of
 * the task is in flight at a time. A submission that fails adds nothing to the hash, so it can be repeated. After the digest, the
 * task can be used again after doca_sha_task_partial_hash_reset().
 *
 * A task fails with IO_FAILED if the source is empty, its length is illegal, or the destination is too small.
 *
 * Thread: the thread of the context's progress engine. Capability calls with a devinfo: any. For a NULL argument, a function
 * returns INVALID_VALUE if it returns an error; otherwise the behavior is undefined.
 */
#ifndef DOCA_SHA_H_
#define DOCA_SHA_H_

#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>

#include "doca_compat.h"
#include "doca_error.h"
#include "doca_types.h"

#ifdef __cplusplus
extern "C" {
#endif

struct doca_buf;
struct doca_ctx;
struct doca_dev;
struct doca_devinfo;
struct doca_sha;
struct doca_sha_task_hash;
struct doca_sha_task_partial_hash;
struct doca_task;

enum doca_sha_algorithm {
	DOCA_SHA_ALGORITHM_SHA1 = 0,	/**< digest of 20 bytes */
	DOCA_SHA_ALGORITHM_SHA256 = 1,	/**< 32 bytes */
	DOCA_SHA_ALGORITHM_SHA512 = 2,	/**< 64 bytes */
};

/** @name The context */
/** @{ */
/** Creates a context on an opened device. The device stays in use until the context is destroyed. NO_MEMORY. */
DOCA_EXPERIMENTAL
doca_error_t doca_sha_create(struct doca_dev *dev, struct doca_sha **sha);
/** Destroys the context. IN_USE: not IDLE, or tasks exist. */
DOCA_EXPERIMENTAL
doca_error_t doca_sha_destroy(struct doca_sha *sha);
/** Returns the generic context, which has the lifetime of sha. */
DOCA_EXPERIMENTAL
struct doca_ctx *doca_sha_as_ctx(struct doca_sha *sha);
/** Returns the limit for the sum of tasks over both kinds. */
DOCA_EXPERIMENTAL
doca_error_t doca_sha_cap_get_max_num_tasks(struct doca_sha *sha, uint32_t *max_num_tasks);
/** @} */

/** @name Capabilities; INVALID_VALUE: a NULL argument or an unknown algorithm; NOT_SUPPORTED: the device cannot hash */
/** @{ */
/** Returns the largest number of elements of a list; 1: no lists. */
DOCA_EXPERIMENTAL
doca_error_t doca_sha_cap_get_max_list_buf_num_elem(const struct doca_devinfo *devinfo, uint32_t *max_list_buf_num_elem);
/** Returns the largest size of one source in bytes, over all elements of a list. */
DOCA_EXPERIMENTAL
doca_error_t doca_sha_cap_get_max_src_buf_size(const struct doca_devinfo *devinfo, uint64_t *max_src_buf_size);
/** Returns the room in bytes that a destination needs: the length of the digest. */
DOCA_EXPERIMENTAL
doca_error_t doca_sha_cap_get_min_dst_buf_size(const struct doca_devinfo *devinfo, enum doca_sha_algorithm algorithm,
					       uint32_t *min_dst_buf_size);
/** Returns the size in bytes whose multiples are legal lengths of the sources of a partial hash, except the last one. */
DOCA_EXPERIMENTAL
doca_error_t doca_sha_cap_get_partial_hash_block_size(const struct doca_devinfo *devinfo, enum doca_sha_algorithm algorithm,
						      uint32_t *partial_block_size);
DOCA_EXPERIMENTAL
doca_error_t doca_sha_cap_task_hash_get_supported(const struct doca_devinfo *devinfo, enum doca_sha_algorithm algorithm);
DOCA_EXPERIMENTAL
doca_error_t doca_sha_cap_task_partial_hash_get_supported(const struct doca_devinfo *devinfo,
							  enum doca_sha_algorithm algorithm);
/** @} */

/** @name Hash */
/** @{ */
/** Called from progress when a hash task ended. */
typedef void (*doca_sha_task_hash_completion_cb_t)(struct doca_sha_task_hash *task, union doca_data task_user_data,
						   union doca_data ctx_user_data);
/**
 * Configures 2^log_num_tasks tasks and their callbacks for success and failure. BAD_STATE: not IDLE; NOT_SUPPORTED: the device
 * cannot hash.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sha_task_hash_set_conf(struct doca_sha *sha, doca_sha_task_hash_completion_cb_t task_completion_cb,
					 doca_sha_task_hash_completion_cb_t task_error_cb, uint8_t log_num_tasks);
/** Allocates a task. BAD_STATE: not RUNNING; NO_MEMORY: all tasks are allocated; INVALID_VALUE: unknown algorithm. */
DOCA_EXPERIMENTAL
doca_error_t doca_sha_task_hash_alloc_init(struct doca_sha *sha, enum doca_sha_algorithm algorithm,
					   const struct doca_buf *src_buf, struct doca_buf *dst_buf,
					   union doca_data user_data, struct doca_sha_task_hash **task);
DOCA_EXPERIMENTAL
struct doca_task *doca_sha_task_hash_as_task(struct doca_sha_task_hash *task);
DOCA_EXPERIMENTAL
doca_error_t doca_sha_task_hash_set_src(struct doca_sha_task_hash *task, const struct doca_buf *src_buf);
DOCA_EXPERIMENTAL
const struct doca_buf *doca_sha_task_hash_get_src(const struct doca_sha_task_hash *task);
/** Sets the destination. BAD_STATE: the task is in flight. */
DOCA_EXPERIMENTAL
doca_error_t doca_sha_task_hash_set_dst(struct doca_sha_task_hash *task, struct doca_buf *dst_buf);
DOCA_EXPERIMENTAL
const struct doca_buf *doca_sha_task_hash_get_dst(const struct doca_sha_task_hash *task);
/** Sets the algorithm. BAD_STATE: the task is in flight. */
DOCA_EXPERIMENTAL
doca_error_t doca_sha_task_hash_set_algorithm(struct doca_sha_task_hash *task, enum doca_sha_algorithm algorithm);
DOCA_EXPERIMENTAL
enum doca_sha_algorithm doca_sha_task_hash_get_algorithm(const struct doca_sha_task_hash *task);
/** @} */

/** @name Partial hash */
/** @{ */
/** Called from progress when a submission of a partial hash task ended. */
typedef void (*doca_sha_task_partial_hash_completion_cb_t)(struct doca_sha_task_partial_hash *task,
							   union doca_data task_user_data,
							   union doca_data ctx_user_data);
/** Configures 2^log_num_tasks tasks and their callbacks. As doca_sha_task_hash_set_conf(). */
DOCA_EXPERIMENTAL
doca_error_t doca_sha_task_partial_hash_set_conf(struct doca_sha *sha,
						 doca_sha_task_partial_hash_completion_cb_t task_completion_cb,
						 doca_sha_task_partial_hash_completion_cb_t task_error_cb,
						 uint8_t log_num_tasks);
/** Allocates a task with the first source. As doca_sha_task_hash_alloc_init(). */
DOCA_EXPERIMENTAL
doca_error_t doca_sha_task_partial_hash_alloc_init(struct doca_sha *sha, enum doca_sha_algorithm algorithm,
						   const struct doca_buf *src_buf, struct doca_buf *dst_buf,
						   union doca_data user_data,
						   struct doca_sha_task_partial_hash **task);
DOCA_EXPERIMENTAL
struct doca_task *doca_sha_task_partial_hash_as_task(struct doca_sha_task_partial_hash *task);
/** Sets the source of the next submission. */
DOCA_EXPERIMENTAL
doca_error_t doca_sha_task_partial_hash_set_src(struct doca_sha_task_partial_hash *task, const struct doca_buf *src_buf);
DOCA_EXPERIMENTAL
const struct doca_buf *doca_sha_task_partial_hash_get_src(const struct doca_sha_task_partial_hash *task);
/** Sets the destination of the digest. BAD_STATE: a submission was made, and the task was not reset since. */
DOCA_EXPERIMENTAL
doca_error_t doca_sha_task_partial_hash_set_dst(struct doca_sha_task_partial_hash *task, struct doca_buf *dst_buf);
DOCA_EXPERIMENTAL
const struct doca_buf *doca_sha_task_partial_hash_get_dst(const struct doca_sha_task_partial_hash *task);
/** Sets the algorithm. BAD_STATE: a submission was made, and the task was not reset since. */
DOCA_EXPERIMENTAL
doca_error_t doca_sha_task_partial_hash_set_algorithm(struct doca_sha_task_partial_hash *task,
						      enum doca_sha_algorithm algorithm);
DOCA_EXPERIMENTAL
enum doca_sha_algorithm doca_sha_task_partial_hash_get_algorithm(const struct doca_sha_task_partial_hash *task);
/**
 * Marks the next submission as the last one of the hash. BAD_STATE: no submission has succeeded yet (use a hash task for a single
 * source), or the task is in flight.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_sha_task_partial_hash_set_is_final_buf(struct doca_sha_task_partial_hash *task);
/** Returns 1 after doca_sha_task_partial_hash_set_is_final_buf(), until a reset. */
DOCA_EXPERIMENTAL
uint8_t doca_sha_task_partial_hash_get_is_final(const struct doca_sha_task_partial_hash *task);
/** Returns 1 if the destination has the digest. */
DOCA_EXPERIMENTAL
uint8_t doca_sha_task_partial_hash_get_has_result(const struct doca_sha_task_partial_hash *task);
/** Discards the state of the hash: the next submission starts a new one. In flight, it takes effect when the task ends. */
DOCA_EXPERIMENTAL
doca_error_t doca_sha_task_partial_hash_reset(struct doca_sha_task_partial_hash *task);
/** @} */

#ifdef __cplusplus
}
#endif

#endif
