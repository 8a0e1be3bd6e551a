/*
 * Functions that the software DPU does not implement: the connection manager, DPA, GPU and verbs. With valid arguments they return
 * NOT_SUPPORTED.
 */
#include "sd_rdma.h"

/* Nothing reads most parameters: they are here for their types. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

#define ABSENT(function, parameters, is_valid)                                     \
	doca_error_t function parameters                                           \
	{                                                                          \
		return (is_valid) ? DOCA_ERROR_NOT_SUPPORTED : DOCA_ERROR_INVALID_VALUE; \
	}

ABSENT(doca_rdma_addr_create,
	(enum doca_rdma_addr_type addr_type, const char *address, uint16_t port, struct doca_rdma_addr **addr),
	address != NULL && addr != NULL)
ABSENT(doca_rdma_addr_destroy, (struct doca_rdma_addr *addr), addr != NULL)
ABSENT(doca_rdma_addr_get_params,
	(struct doca_rdma_addr *addr, enum doca_rdma_addr_type *addr_type, const char **address, uint16_t *port),
	addr != NULL && addr_type != NULL && address != NULL && port != NULL)
ABSENT(doca_rdma_bridge_accept,
	(struct doca_rdma *rdma, void *private_data, uint8_t private_data_len, struct doca_rdma_connection *rdma_connection),
	rdma != NULL && rdma_connection != NULL)
ABSENT(doca_rdma_bridge_established,
	(struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection),
	rdma != NULL && rdma_connection != NULL)
ABSENT(doca_rdma_bridge_prepare_connection,
	(struct doca_rdma *rdma, struct rdma_cm_id *cm_id, struct doca_rdma_connection **rdma_connection),
	rdma != NULL && cm_id != NULL && rdma_connection != NULL)
ABSENT(doca_rdma_connect_to_addr,
	(struct doca_rdma *rdma, struct doca_rdma_addr *addr, union doca_data connection_user_data),
	rdma != NULL && addr != NULL)
ABSENT(doca_rdma_connection_accept,
	(struct doca_rdma_connection *rdma_connection, void *private_data, uint8_t private_data_len),
	rdma_connection != NULL)
ABSENT(doca_rdma_connection_get_addr,
	(const struct doca_rdma_connection *rdma_connection, struct doca_rdma_addr **addr),
	rdma_connection != NULL && addr != NULL)
ABSENT(doca_rdma_connection_reject, (struct doca_rdma_connection *rdma_connection), rdma_connection != NULL)
ABSENT(doca_rdma_dpa_completion_attach,
	(struct doca_rdma *rdma, struct doca_dpa_completion *dpa_comp),
	rdma != NULL && dpa_comp != NULL)
ABSENT(doca_rdma_get_dpa_handle, (struct doca_rdma *rdma, doca_dpa_dev_rdma_t *dpa_rdma), rdma != NULL && dpa_rdma != NULL)
ABSENT(doca_rdma_get_gpu_handle,
	(struct doca_rdma *rdma, struct doca_gpu_dev_rdma **gpu_rdma),
	rdma != NULL && gpu_rdma != NULL)
ABSENT(doca_rdma_set_connection_state_callbacks,
	(struct doca_rdma *rdma, doca_rdma_connection_request_cb_t doca_rdma_connect_request_cb,
	 doca_rdma_connection_established_cb_t doca_rdma_connect_established_cb,
	 doca_rdma_connection_failure_cb_t doca_rdma_connect_failure_cb,
	 doca_rdma_connection_disconnection_cb_t doca_rdma_disconnect_cb),
	
	 rdma != NULL && doca_rdma_connect_established_cb != NULL && doca_rdma_connect_failure_cb != NULL &&
	 doca_rdma_disconnect_cb != NULL)
ABSENT(doca_rdma_start_listen_to_port, (struct doca_rdma *rdma, uint16_t port), rdma != NULL)
ABSENT(doca_rdma_stop_listen_to_port, (struct doca_rdma *rdma, uint16_t port), rdma != NULL)
