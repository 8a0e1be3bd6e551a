/* Internals of the client's end of rdma-c. */
#ifndef RDMA_CLIENT_H
#define RDMA_CLIENT_H

#include "rdma.h"

struct client {
	const struct options *options;
	const struct work_kind *kind;
	struct engine *engine;
	struct doca_dev *dev;
	struct work *work;
	struct rdma_inbox inbox;
	struct doca_rdma_addr *addr;
	struct region local;
	struct doca_mmap *map; /* the import; its addresses are the server's */
	uint8_t *remote;
	struct doca_buf_inventory *inventory;
	struct work_buffers *pairs; /* local buffer and part of the server's memory, one per slot */
	struct work_buffers *buffers;
	uint8_t offered[RDMA_MAX_OFFER];
	struct rdma_offer offer;
	uint32_t places; /* parts of the server's memory that the slots share */
	uint64_t unhandled; /* messages that the server has not reported as handled */
	uint64_t *times_ns;
	bool has_offer;
	bool is_over; /* the connection has ended, or was not established */
};

/** Runs a trial on a connected client and prints its result. Returns whether it succeeded and the content is correct. */
bool rdma_run_trial(struct client *client);

#endif
