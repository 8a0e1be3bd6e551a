#ifndef BRIDGE_SHAPES_H
#define BRIDGE_SHAPES_H

#include "task/kind.h"

extern const struct bridge_shape bridge_shape_transform, bridge_shape_lz4_stream, bridge_shape_hash;
extern const struct bridge_shape bridge_shape_control;
extern const struct bridge_shape bridge_shape_receive, bridge_shape_produce;

#endif
