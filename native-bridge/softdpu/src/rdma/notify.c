/* Calls the program about its connections. See sd_rdma.h. */
#include <stdatomic.h>

#include "sd_rdma.h"

/* Progress, program's thread. A callback may accept, reject or disconnect. */
static uint8_t run_notices(struct sd_event *event)
{
	struct doca_rdma_connection *connection = SD_OWNER(event, struct doca_rdma_connection, event);
	const struct rdma_callbacks *callbacks = &connection->rdma->callbacks;
	union doca_data ctx_data = connection->rdma->ctx.user_data;
	uint32_t notices;

	pthread_mutex_lock(&rdma_lock);
	notices = connection->notices;
	connection->notices = 0;
	connection->is_event_posted = 0;
	pthread_mutex_unlock(&rdma_lock);
	if ((notices & RDMA_REQUESTED_NOTICE) != 0)
		callbacks->request(connection, ctx_data);
	if ((notices & RDMA_ESTABLISHED_NOTICE) != 0)
		callbacks->established(connection, connection->user_data, ctx_data);
	if ((notices & RDMA_FAILURE_NOTICE) != 0)
		callbacks->failure(connection, connection->user_data, ctx_data);
	if ((notices & RDMA_DISCONNECT_NOTICE) != 0)
		callbacks->disconnect(connection, connection->user_data, ctx_data);
	atomic_fetch_sub(&connection->num_tasks, 1);
	return notices != 0;
}

void rdma_notify(struct doca_rdma_connection *connection, enum rdma_notice notice)
{
	if (connection->rdma->callbacks.established == NULL)
		return;
	connection->notices |= notice;
	if (connection->is_event_posted)
		return;
	connection->is_event_posted = 1;
	atomic_fetch_add(&connection->num_tasks, 1);
	sd_context_post_event(&connection->rdma->ctx, &connection->event, run_notices);
}
