/* Functions of doca_rdma, resolved at run time. */
#ifndef BRIDGE_RDMA_H
#define BRIDGE_RDMA_H

#include "base/doca_abi.h"

typedef void (*doca_rdma_request_cb)(struct doca_rdma_connection *connection, union doca_data ctx_user_data);
typedef void (*doca_rdma_state_cb)(struct doca_rdma_connection *connection, union doca_data connection_user_data,
				   union doca_data ctx_user_data);

/** Functions of doca_rdma that the bridge calls. All are set, or none. */
struct doca_rdma_functions {
	int (*set_connection_state_callbacks)(void *rdma, doca_rdma_request_cb requested, doca_rdma_state_cb established,
					      doca_rdma_state_cb failed, doca_rdma_state_cb disconnected);
	int (*connect_to_addr)(void *rdma, void *addr, union doca_data connection_user_data);
	int (*connection_disconnect)(struct doca_rdma_connection *connection);
	int (*connection_set_user_data)(struct doca_rdma_connection *connection, union doca_data user_data);
	int (*connection_get_user_data)(const struct doca_rdma_connection *connection, union doca_data *user_data);
};

extern struct doca_rdma_functions bridge_rdma;

/** Resolves the functions of doca_rdma if the library is doca_rdma or depends on it. */
void bridge_rdma_resolve(void *library);
void bridge_rdma_forget(void);

#endif
