/* Life cycle of RDMA contexts. */
#include <stdlib.h>

#include "sd_calls.h"
#include "sd_config.h"
#include "sd_device.h"
#include "sd_fault.h"
#include "sd_rdma.h"
#include "sd_shape.h"

/*
 * Virtual time that one progress call without other work lets pass while a connection waits. The program needs these calls to post a
 * receive task or to accept: a jump to the end of the wait would leave it none.
 */
enum { WAIT_STEP_NS = 625000 };

static doca_error_t start(struct doca_ctx *ctx)
{
	struct doca_rdma *rdma = (struct doca_rdma *)ctx;
	doca_error_t result = sd_tunnel_is_on() ? sd_tunnel_acquire() : sd_service_acquire();

	if (result != DOCA_SUCCESS)
		return result;
	sd_memory_ask_connections(rdma_table_permits);
	rdma_connections_free(rdma); /* the connections of the previous run */
	rdma->is_stopping = 0;
	return DOCA_SUCCESS;
}

static void stop(struct doca_ctx *ctx)
{
	struct doca_rdma *rdma = (struct doca_rdma *)ctx;

	rdma_ports_close(rdma);
	rdma_receives_flush(rdma);
	rdma_connections_end(rdma);
}

static void die(struct doca_ctx *ctx)
{
	struct doca_rdma *rdma = (struct doca_rdma *)ctx;

	rdma_ports_end(rdma);
	rdma_connections_end(rdma);
}

static void stopped(struct doca_ctx *ctx)
{
	rdma_connections_withdraw((struct doca_rdma *)ctx);
	if (sd_tunnel_is_on())
		sd_tunnel_release();
	else
		sd_service_release();
}

/* Inline execution: the virtual clock ends the waits for receive tasks and near servers. */
static uint8_t poll(struct doca_ctx *ctx, uint32_t budget)
{
	(void)budget;
	return sd_config()->execution == SOFTDPU_EXECUTION_INLINE && rdma_connections_check_retries((struct doca_rdma *)ctx);
}

static uint64_t next_due(const struct doca_ctx *ctx)
{
	uint64_t due_ns = rdma_connections_next_due((const struct doca_rdma *)ctx);
	uint64_t step_ns = sd_clock_now() + WAIT_STEP_NS;

	return sd_clock_jumps() && due_ns != UINT64_MAX && step_ns < due_ns ? step_ns : due_ns;
}

static void rest(struct doca_ctx *ctx)
{
	(void)ctx; /* a receive task that the peer posts wakes the program */
}

static const struct sd_context_ops rdma_ops = {
	.name = "rdma",
	.start = start,
	.stop = stop,
	.die = die,
	.stopped = stopped,
	.poll = poll,
	.rest = rest,
	.next_due = next_due,
};

doca_error_t doca_rdma_create(struct doca_dev *dev, struct doca_rdma **rdma)
{
	struct doca_rdma *created;
	doca_error_t result;

	if (dev == NULL || rdma == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	created = sd_fault_calloc("alloc-context", sizeof(*created), &result);
	if (created == NULL)
		return result;
	sd_context_init(&created->ctx, &rdma_ops, dev);
	created->send_queue_size = 1024;
	created->max_send_buf_list_len = 1;
	created->receive_list_len = 1;
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

	if (sd_calls_refuse(__func__, rdma))
		return DOCA_ERROR_BAD_STATE;
	if (rdma == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (sd_context_require_idle(&rdma->ctx) != DOCA_SUCCESS)
		return DOCA_ERROR_BAD_STATE;
	result = sd_context_fini(&rdma->ctx);
	if (result != DOCA_SUCCESS)
		return result;
	rdma_connections_free(rdma);
	free(rdma);
	return DOCA_SUCCESS;
}

SD_PART(doca_rdma_as_ctx, struct doca_rdma, struct doca_ctx, ctx)
