/*
 * Senders of DC connections. An exported DC connection accepts any number of peers. Each one has a connection that the program does
 * not see: the exported connection stands for all of them. See sd_rdma.h.
 */
#include <stdlib.h>

#include "sd_rdma.h"

struct doca_rdma_connection *rdma_sender_new(struct doca_rdma_connection *target)
{
	struct doca_rdma_connection *created = calloc(1, sizeof(*created));

	if (created == NULL)
		return NULL;
	created->rdma = target->rdma;
	created->target = target;
	created->details = target->details;
	created->state = RDMA_EXPORTED;
	rdma_list_append(&target->senders, created, RDMA_OF_OWNER);
	return created;
}

static struct doca_rdma_connection *take_ended(void)
{
	struct doca_rdma_connection *first;

	pthread_mutex_lock(&rdma_lock);
	first = rdma_ended_senders.head;
	if (first != NULL)
		rdma_list_remove(&rdma_ended_senders, first, RDMA_OF_OWNER);
	pthread_mutex_unlock(&rdma_lock);
	return first;
}

void rdma_senders_free(void)
{
	struct doca_rdma_connection *ended;

	while ((ended = take_ended()) != NULL) {
		rdma_link_close(ended);
		free(ended);
	}
}
