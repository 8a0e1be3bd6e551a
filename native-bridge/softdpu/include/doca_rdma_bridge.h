/*
 * From DOCA to verbs (libibverbs) and back. There is no RDMA device behind the software DPU whose protection domains and keys could be
 * handed out: with valid arguments all of these answer NOT_SUPPORTED.
 *
 * The types of verbs are named here and not included: a program that uses them includes infiniband/verbs.h itself.
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

/** The device that a protection domain belongs to. */
DOCA_STABLE
doca_error_t doca_rdma_bridge_open_dev_from_pd(struct ibv_pd *pd, struct doca_dev **dev);
/** The protection domain of a device. */
DOCA_STABLE
doca_error_t doca_rdma_bridge_get_dev_pd(const struct doca_dev *dev, struct ibv_pd **pd);
/** The memory key of a buffer, for a device. */
DOCA_STABLE
doca_error_t doca_rdma_bridge_get_buf_mkey(const struct doca_buf *buf, struct doca_dev *dev, uint32_t *mkey);
/** The memory key of a map, for the device of a protection domain. */
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_bridge_get_mmap_mkey_from_pd(const struct doca_mmap *mmap, struct ibv_pd *pd, uint32_t *mkey);

#ifdef __cplusplus
}
#endif

#endif
