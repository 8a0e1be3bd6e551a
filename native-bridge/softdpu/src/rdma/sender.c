/*
 * Senders of DC connections. An exported DC connection accepts any number of peers. Each one has a connection that the program does
 * not see: the exported connection stands for all of them. See sd_rdma.h.
 */
#include <stdatomic.h>
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

/* Skips requests whose event is on its way to the program's thread. */
static struct doca_rdma_connection *take_ended(void)
{
	struct doca_rdma_connection *one;

	pthread_mutex_lock(&rdma_lock);
	one = rdma_ended_unseen.head;
	while (one != NULL && atomic_load(&one->num_tasks) > 0)
		one = one->next[RDMA_OF_OWNER];
	if (one != NULL)
		rdma_list_remove(&rdma_ended_unseen, one, RDMA_OF_OWNER);
	pthread_mutex_unlock(&rdma_lock);
	return one;
}

void rdma_unseen_free(void)
{
	struct doca_rdma_connection *ended;

	while ((ended = take_ended()) != NULL) {
		rdma_link_close(ended);
		free(ended);
	}
}
