/* Life cycle of RDMA contexts. */
#include <stdlib.h>

#include "sd_rdma.h"

static doca_error_t start(struct doca_ctx *ctx)
{
	rdma_connections_free((struct doca_rdma *)ctx); /* the connections of the previous run */
	return DOCA_SUCCESS;
}

static void stop(struct doca_ctx *ctx)
{
	rdma_connections_end((struct doca_rdma *)ctx);
}

static const struct sd_context_ops rdma_ops = {
	.name = "rdma",
	.start = start,
	.stop = stop,
};

doca_error_t doca_rdma_create(struct doca_dev *dev, struct doca_rdma **rdma)
{
	struct doca_rdma *created;

	if (dev == NULL || rdma == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	created = calloc(1, sizeof(*created));
	if (created == NULL)
		return DOCA_ERROR_NO_MEMORY;
	sd_context_init(&created->ctx, &rdma_ops, dev);
	created->ctx.is_ordered = 1;
	created->send_queue_size = 1024;
	created->max_send_buf_list_len = 1;
	created->transport_type = DOCA_RDMA_TRANSPORT_TYPE_RC;
	created->mtu = DOCA_MTU_SIZE_1K_BYTES;
	created->connection_request_timeout = 2000;
	created->max_num_connections = 1;
	created->rnr_retry_count = 6;
	(void)doca_devinfo_get_vhca_id(doca_dev_as_devinfo(dev), &created->vhca_id); /* fails only for NULL */
	*rdma = created;
	return DOCA_SUCCESS;
}

doca_error_t doca_rdma_destroy(struct doca_rdma *rdma)
{
	doca_error_t result;

	if (rdma == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	result = sd_context_fini(&rdma->ctx);
	if (result != DOCA_SUCCESS)
		return result;
	rdma_connections_free(rdma);
	free(rdma);
	return DOCA_SUCCESS;
}

struct doca_ctx *doca_rdma_as_ctx(struct doca_rdma *rdma)
{
	return (struct doca_ctx *)rdma;
}
