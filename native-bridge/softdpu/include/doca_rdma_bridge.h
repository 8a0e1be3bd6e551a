/*
 * Conversion between DOCA and verbs (libibverbs). The software DPU has no verbs device, and therefore no protection domains or
 * keys: with valid arguments all functions return NOT_SUPPORTED.
 *
 * This header only declares the types of verbs: a program that uses them includes infiniband/verbs.h.
 *
 * Thread: any. A NULL argument is INVALID_VALUE.
 */
#ifndef DOCA_RDMA_BRIDGE_H_
#define DOCA_RDMA_BRIDGE_H_

#include <stdint.h>

#include "doca_compat.h"
#include "doca_error.h"
#include "doca_types.h"

#ifdef __cplusplus
extern "C" {
#endif

struct doca_buf;
struct doca_dev;
struct doca_mmap;
struct ibv_pd;

/** Opens the device of a protection domain. */
DOCA_STABLE
doca_error_t doca_rdma_bridge_open_dev_from_pd(struct ibv_pd *pd, struct doca_dev **dev);
/** Returns the protection domain of a device. */
DOCA_STABLE
doca_error_t doca_rdma_bridge_get_dev_pd(const struct doca_dev *dev, struct ibv_pd **pd);
/** Returns the memory key of a buffer, for a device. */
DOCA_STABLE
doca_error_t doca_rdma_bridge_get_buf_mkey(const struct doca_buf *buf, struct doca_dev *dev, uint32_t *mkey);
/** Returns the memory key of a map, for the device of a protection domain. */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_bridge_get_mmap_mkey_from_pd(const struct doca_mmap *mmap, struct ibv_pd *pd, uint32_t *mkey);

#ifdef __cplusplus
}
#endif

#endif
