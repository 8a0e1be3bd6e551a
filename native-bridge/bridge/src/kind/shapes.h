#ifndef BRIDGE_SHAPES_H
#define BRIDGE_SHAPES_H

#include "task/kind.h"

extern const struct bridge_shape bridge_shape_transform, bridge_shape_lz4_stream, bridge_shape_hash;
extern const struct bridge_shape bridge_shape_object, bridge_shape_aead, bridge_shape_session;
extern const struct bridge_shape bridge_shape_control;
extern const struct bridge_shape bridge_shape_receive, bridge_shape_produce;
extern const struct bridge_shape bridge_shape_rdma_receive, bridge_shape_rdma_send, bridge_shape_rdma_send_imm;
extern const struct bridge_shape bridge_shape_rdma_read, bridge_shape_rdma_write, bridge_shape_rdma_write_imm;
extern const struct bridge_shape bridge_shape_rdma_cmp_swp, bridge_shape_rdma_fetch_add;
extern const struct bridge_shape bridge_shape_rdma_event_get, bridge_shape_rdma_event_set, bridge_shape_rdma_event_add;
extern const struct bridge_shape bridge_shape_event_get, bridge_shape_event_set, bridge_shape_event_add, bridge_shape_event_wait;

/** Part of shapes that receive: the peer writes to the end of the content, at dst_addr. */
int32_t bridge_receive_prepare(const struct bridge_pool *pool, const struct dpubridge_entry *entry);

/** @name Parts of shapes from a source to a destination: functions of struct bridge_shape */
/** @{ */
int32_t bridge_transform_prepare(const struct bridge_pool *pool, const struct dpubridge_entry *entry);
int32_t bridge_transform_refill(const struct bridge_kind *kind, void *task, const struct dpubridge_entry *entry);
/** @} */

#endif
