/*
 * Erasure coding by the device: redundancy blocks from which lost blocks can be computed. Arithmetic in GF(2^8), polynomial 0x11d.
 *
 *             source                                                destination
 *   create    all data blocks                                       all redundancy blocks
 *   recover   the first data_block_count blocks that are not        the missing blocks
 *             missing: data, then redundancy
 *   update    old and new block of each updated data block, then    all redundancy blocks
 *             all old redundancy blocks
 *   galois    as many blocks as the matrix has inputs               as many blocks as the matrix has outputs
 *   mul
 *
 * Blocks are in the order of their indices, without gaps; redundancy blocks follow data blocks. All blocks of a task have the same
 * length: that of the source divided by the number of its blocks. The size is a multiple of 64 bytes. An element of a list may
 * contain several blocks or parts of blocks.
 *
 * A task fails with IO_FAILED if the length of the source does not match its matrix, or the destination is too small.
 *
 * Thread: the thread of the context's progress engine. Matrices and capability calls with a devinfo: any. For a NULL argument, a
 * function returns INVALID_VALUE if it returns an error; otherwise the behavior is undefined.
 */
#ifndef DOCA_ERASURE_CODING_H_
#define DOCA_ERASURE_CODING_H_

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
struct doca_ec;
struct doca_ec_matrix;
struct doca_ec_task_create;
struct doca_ec_task_galois_mul;
struct doca_ec_task_recover;
struct doca_ec_task_update;
struct doca_task;

/** @name The context */
/** @{ */
/** Creates a context on an opened device. The device stays in use until the context is destroyed. NO_MEMORY. */
DOCA_EXPERIMENTAL
doca_error_t doca_ec_create(struct doca_dev *dev, struct doca_ec **ec);
/** Destroys the context. BAD_STATE: not IDLE. Matrices remain. */
DOCA_EXPERIMENTAL
doca_error_t doca_ec_destroy(struct doca_ec *ec);
/** Returns the generic context, which has the lifetime of ec. */
DOCA_EXPERIMENTAL
struct doca_ctx *doca_ec_as_ctx(struct doca_ec *ec);
/** Returns the largest length of one block in bytes. NOT_SUPPORTED. */
DOCA_EXPERIMENTAL
doca_error_t doca_ec_cap_get_max_block_size(const struct doca_devinfo *devinfo, uint64_t *max_block_size);
/** Returns the largest number of elements of a list; 1: no lists. NOT_SUPPORTED. */
DOCA_EXPERIMENTAL
doca_error_t doca_ec_cap_get_max_buf_list_len(const struct doca_devinfo *devinfo, uint32_t *max_buf_list_len);
/** @} */

/** @name Matrices */
/** @{ */
/** Formulas of coding matrices: coefficient of data block i in redundancy block j. */
enum doca_ec_matrix_type {
	DOCA_EC_MATRIX_TYPE_CAUCHY = 1,		/**< 1 / (i + (j + data_block_count)): any loss can be recovered */
	DOCA_EC_MATRIX_TYPE_VANDERMONDE = 2,	/**< (i + 1)^j: some losses cannot be recovered */
};

/**
 * Creates a coding matrix, for create tasks and for the matrices below. INVALID_VALUE: unknown type, a count of 0, or more than
 * 256 blocks; NOT_SUPPORTED: ISA-L is missing; NO_MEMORY.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_ec_matrix_create(struct doca_ec *ec, enum doca_ec_matrix_type type, size_t data_block_count,
				   size_t rdnc_block_count, struct doca_ec_matrix **matrix);
/**
 * Creates a coding matrix from its coefficients. The coefficients of data block 0 in all redundancy blocks are first, those of
 * the last data block are last. Errors as doca_ec_matrix_create().
 */
DOCA_EXPERIMENTAL
doca_error_t doca_ec_matrix_create_from_raw(struct doca_ec *ec, uint8_t *data, size_t data_block_count, size_t rdnc_block_count,
					    struct doca_ec_matrix **matrix);
/**
 * Creates the matrix of an update of some data blocks. INVALID_VALUE: the indices are not ascending indices of data blocks, or
 * coding_matrix is not a coding matrix; NO_MEMORY.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_ec_matrix_create_update(struct doca_ec *ec, const struct doca_ec_matrix *coding_matrix,
					  uint32_t update_indices[], size_t n_updates, struct doca_ec_matrix **matrix);
/**
 * Creates the matrix that recovers missing blocks, at most as many as redundancy blocks exist. INVALID_VALUE: the indices are not
 * ascending indices of blocks, this coding matrix cannot recover the loss, or coding_matrix is not a coding matrix; NO_MEMORY.
 */
DOCA_EXPERIMENTAL
doca_error_t doca_ec_matrix_create_recover(struct doca_ec *ec, const struct doca_ec_matrix *coding_matrix,
					   uint32_t missing_indices[], size_t n_missing, struct doca_ec_matrix **matrix);
/** Destroys a matrix. Tasks in flight that use it complete; other tasks must get another one before their next submission. */
DOCA_EXPERIMENTAL
doca_error_t doca_ec_matrix_destroy(struct doca_ec_matrix *matrix);
/** @} */

/** @name Create */
/** @{ */
/** Called from progress when a task of this type ended. */
typedef void (*doca_ec_task_create_completion_cb_t)(struct doca_ec_task_create *task, union doca_data task_user_data,
						  union doca_data ctx_user_data);
/** Returns SUCCESS if the device supports this task type; NOT_SUPPORTED if not. */
DOCA_EXPERIMENTAL
doca_error_t doca_ec_cap_task_create_is_supported(const struct doca_devinfo *devinfo);
/** Configures num_tasks tasks and their callbacks for success and failure. BAD_STATE: not IDLE; NOT_SUPPORTED. */
DOCA_EXPERIMENTAL
doca_error_t doca_ec_task_create_set_conf(struct doca_ec *ec, doca_ec_task_create_completion_cb_t successful_task_completion_cb,
					  doca_ec_task_create_completion_cb_t error_task_completion_cb, uint32_t num_tasks);
/** Allocates a task. BAD_STATE: not RUNNING; NO_MEMORY: all num_tasks tasks are allocated. */
DOCA_EXPERIMENTAL
doca_error_t doca_ec_task_create_allocate_init(struct doca_ec *ec, const struct doca_ec_matrix *coding_matrix,
					       const struct doca_buf *original_data_blocks, struct doca_buf *rdnc_blocks,
					       union doca_data user_data, struct doca_ec_task_create **task);
DOCA_EXPERIMENTAL
struct doca_task *doca_ec_task_create_as_task(struct doca_ec_task_create *task);
DOCA_EXPERIMENTAL
void doca_ec_task_create_set_coding_matrix(struct doca_ec_task_create *task, const struct doca_ec_matrix *coding_matrix);
DOCA_EXPERIMENTAL
const struct doca_ec_matrix *doca_ec_task_create_get_coding_matrix(const struct doca_ec_task_create *task);
DOCA_EXPERIMENTAL
void doca_ec_task_create_set_original_data_blocks(struct doca_ec_task_create *task, const struct doca_buf *original_data_blocks);
DOCA_EXPERIMENTAL
const struct doca_buf *doca_ec_task_create_get_original_data_blocks(const struct doca_ec_task_create *task);
DOCA_EXPERIMENTAL
void doca_ec_task_create_set_rdnc_blocks(struct doca_ec_task_create *task, struct doca_buf *rdnc_blocks);
DOCA_EXPERIMENTAL
struct doca_buf *doca_ec_task_create_get_rdnc_blocks(const struct doca_ec_task_create *task);
/** @} */

/** @name Recover; each function is as its counterpart of create */
/** @{ */
/** Called from progress when a task of this type ended. */
typedef void (*doca_ec_task_recover_completion_cb_t)(struct doca_ec_task_recover *task, union doca_data task_user_data,
						  union doca_data ctx_user_data);
DOCA_EXPERIMENTAL
doca_error_t doca_ec_cap_task_recover_is_supported(const struct doca_devinfo *devinfo);
DOCA_EXPERIMENTAL
doca_error_t doca_ec_task_recover_set_conf(struct doca_ec *ec, doca_ec_task_recover_completion_cb_t successful_task_completion_cb,
					  doca_ec_task_recover_completion_cb_t error_task_completion_cb, uint32_t num_tasks);
DOCA_EXPERIMENTAL
doca_error_t doca_ec_task_recover_allocate_init(struct doca_ec *ec, const struct doca_ec_matrix *recover_matrix,
					       const struct doca_buf *available_blocks, struct doca_buf *recovered_data_blocks,
					       union doca_data user_data, struct doca_ec_task_recover **task);
DOCA_EXPERIMENTAL
struct doca_task *doca_ec_task_recover_as_task(struct doca_ec_task_recover *task);
DOCA_EXPERIMENTAL
void doca_ec_task_recover_set_recover_matrix(struct doca_ec_task_recover *task, const struct doca_ec_matrix *recover_matrix);
DOCA_EXPERIMENTAL
const struct doca_ec_matrix *doca_ec_task_recover_get_recover_matrix(const struct doca_ec_task_recover *task);
DOCA_EXPERIMENTAL
void doca_ec_task_recover_set_available_blocks(struct doca_ec_task_recover *task, const struct doca_buf *available_blocks);
DOCA_EXPERIMENTAL
const struct doca_buf *doca_ec_task_recover_get_available_blocks(const struct doca_ec_task_recover *task);
DOCA_EXPERIMENTAL
void doca_ec_task_recover_set_recovered_data_blocks(struct doca_ec_task_recover *task, struct doca_buf *recovered_data_blocks);
DOCA_EXPERIMENTAL
struct doca_buf *doca_ec_task_recover_get_recovered_data(const struct doca_ec_task_recover *task);
/** @} */

/** @name Update; each function is as its counterpart of create */
/** @{ */
/** Called from progress when a task of this type ended. */
typedef void (*doca_ec_task_update_completion_cb_t)(struct doca_ec_task_update *task, union doca_data task_user_data,
						  union doca_data ctx_user_data);
DOCA_EXPERIMENTAL
doca_error_t doca_ec_cap_task_update_is_supported(const struct doca_devinfo *devinfo);
DOCA_EXPERIMENTAL
doca_error_t doca_ec_task_update_set_conf(struct doca_ec *ec, doca_ec_task_update_completion_cb_t successful_task_completion_cb,
					  doca_ec_task_update_completion_cb_t error_task_completion_cb, uint32_t num_tasks);
DOCA_EXPERIMENTAL
doca_error_t doca_ec_task_update_allocate_init(struct doca_ec *ec, const struct doca_ec_matrix *update_matrix,
					       const struct doca_buf *original_updated_and_rdnc_blocks, struct doca_buf *updated_rdnc_blocks,
					       union doca_data user_data, struct doca_ec_task_update **task);
DOCA_EXPERIMENTAL
struct doca_task *doca_ec_task_update_as_task(struct doca_ec_task_update *task);
DOCA_EXPERIMENTAL
void doca_ec_task_update_set_update_matrix(struct doca_ec_task_update *task, const struct doca_ec_matrix *update_matrix);
DOCA_EXPERIMENTAL
const struct doca_ec_matrix *doca_ec_task_update_get_update_matrix(const struct doca_ec_task_update *task);
DOCA_EXPERIMENTAL
void doca_ec_task_update_set_original_updated_and_rdnc_blocks(struct doca_ec_task_update *task,
	const struct doca_buf *original_updated_and_rdnc_blocks);
DOCA_EXPERIMENTAL
const struct doca_buf *doca_ec_task_update_get_original_updated_and_rdnc_blocks(
	const struct doca_ec_task_update *task);
DOCA_EXPERIMENTAL
void doca_ec_task_update_set_updated_rdnc_blocks(struct doca_ec_task_update *task, struct doca_buf *updated_rdnc_blocks);
DOCA_EXPERIMENTAL
struct doca_buf *doca_ec_task_update_get_updated_rdnc_blocks(const struct doca_ec_task_update *task);
/** @} */

/** @name Galois multiplication; each function is as its counterpart of create */
/** @{ */
/** Called from progress when a task of this type ended. */
typedef void (*doca_ec_task_galois_mul_completion_cb_t)(struct doca_ec_task_galois_mul *task, union doca_data task_user_data,
						  union doca_data ctx_user_data);
DOCA_EXPERIMENTAL
doca_error_t doca_ec_cap_task_galois_mul_is_supported(const struct doca_devinfo *devinfo);
DOCA_EXPERIMENTAL
doca_error_t doca_ec_task_galois_mul_set_conf(struct doca_ec *ec, doca_ec_task_galois_mul_completion_cb_t successful_task_completion_cb,
					  doca_ec_task_galois_mul_completion_cb_t error_task_completion_cb, uint32_t num_tasks);
DOCA_EXPERIMENTAL
doca_error_t doca_ec_task_galois_mul_allocate_init(struct doca_ec *ec, const struct doca_ec_matrix *coding_matrix,
					       const struct doca_buf *src_buf, struct doca_buf *dst_buf,
					       union doca_data user_data, struct doca_ec_task_galois_mul **task);
DOCA_EXPERIMENTAL
struct doca_task *doca_ec_task_galois_mul_as_task(struct doca_ec_task_galois_mul *task);
DOCA_EXPERIMENTAL
void doca_ec_task_galois_mul_set_coding_matrix(struct doca_ec_task_galois_mul *task, const struct doca_ec_matrix *coding_matrix);
DOCA_EXPERIMENTAL
const struct doca_ec_matrix *doca_ec_task_galois_mul_get_coding_matrix(const struct doca_ec_task_galois_mul *task);
DOCA_EXPERIMENTAL
void doca_ec_task_galois_mul_set_src_buf(struct doca_ec_task_galois_mul *task, const struct doca_buf *src_buf);
DOCA_EXPERIMENTAL
const struct doca_buf *doca_ec_task_galois_mul_get_src_buf(const struct doca_ec_task_galois_mul *task);
DOCA_EXPERIMENTAL
void doca_ec_task_galois_mul_set_dst_buf(struct doca_ec_task_galois_mul *task, struct doca_buf *dst_buf);
DOCA_EXPERIMENTAL
struct doca_buf *doca_ec_task_galois_mul_get_dst_buf(const struct doca_ec_task_galois_mul *task);
/** @} */

#ifdef __cplusplus
}
#endif

#endif
