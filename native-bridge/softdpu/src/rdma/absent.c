/*
 * Functions that the software DPU does not implement: DPA, GPU and verbs. With valid arguments they return
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

ABSENT(doca_rdma_bridge_accept,
	(struct doca_rdma *rdma, void *private_data, uint8_t private_data_len, struct doca_rdma_connection *rdma_connection),
	rdma != NULL && rdma_connection != NULL)
ABSENT(doca_rdma_bridge_established,
	(struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection),
	rdma != NULL && rdma_connection != NULL)
ABSENT(doca_rdma_bridge_prepare_connection,
	(struct doca_rdma *rdma, struct rdma_cm_id *cm_id, struct doca_rdma_connection **rdma_connection),
	rdma != NULL && cm_id != NULL && rdma_connection != NULL)
ABSENT(doca_rdma_dpa_completion_attach,
	(struct doca_rdma *rdma, struct doca_dpa_completion *dpa_comp),
	rdma != NULL && dpa_comp != NULL)
ABSENT(doca_rdma_get_dpa_handle, (struct doca_rdma *rdma, doca_dpa_dev_rdma_t *dpa_rdma), rdma != NULL && dpa_rdma != NULL)
ABSENT(doca_rdma_get_gpu_handle,
	(struct doca_rdma *rdma, struct doca_gpu_dev_rdma **gpu_rdma),
	rdma != NULL && gpu_rdma != NULL)
