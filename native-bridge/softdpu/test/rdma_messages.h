/* Messages from the requester to the responder of a pair. */
#ifndef RDMA_MESSAGES_H
#define RDMA_MESSAGES_H

#include "rdma.h"

RIG struct rdma_pair pair;

RIG void receive_until(int count)
{
	RIG_PROGRESS_UNTIL(pair.responder.pe, (doca_pe_progress(pair.requester.pe),
					       pair.responder.received + pair.responder.unreceived >= count));
	CHECK_EQ(pair.responder.received + pair.responder.unreceived, count);
}

RIG int num_ended(void)
{
	return pair.requester.completed + pair.requester.failed;
}

RIG int num_received(void)
{
	return pair.responder.received + pair.responder.unreceived;
}

/* Sends one message to a posted receive task, and waits for both. */
RIG doca_error_t exchange(enum rdma_op op, struct doca_buf *local, struct doca_buf *remote, struct doca_buf *room)
{
	int sent = num_ended(), received = num_received();

	rdma_post(&pair.responder, room, 77);
	rdma_submit(&pair, op, pair.connection, local, remote, 0);
	rdma_wait(&pair, sent + 1);
	if (pair.requester.last_status == DOCA_SUCCESS)
		receive_until(received + 1);
	return pair.requester.last_status;
}

RIG void start_again(uint8_t rnr_retry_count)
{
	rdma_pair_close(&pair);
	rdma_pair_open_with(&pair, RDMA_ALL, RDMA_ALL, rnr_retry_count);
}

#endif
