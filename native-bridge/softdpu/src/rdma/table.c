/*
 * The lock, the table of connections, and lists. The table has one chain per value of the last bits of a key; keys are random,
 * so the chains are short. See sd_rdma.h.
 */
#include <stdlib.h>
#include <time.h>

#include "sd_rdma.h"

enum { FIRST_CHAINS = 64 };

pthread_mutex_t rdma_lock = PTHREAD_MUTEX_INITIALIZER;
static struct doca_rdma_connection **chains;
static size_t num_chains;			/* 0, or a power of two */
static size_t num_connections;

uint64_t rdma_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static struct doca_rdma_connection **chain_of(uint64_t key)
{
	return &chains[key & (num_chains - 1)];
}

static void insert(struct doca_rdma_connection *connection)
{
	struct doca_rdma_connection **chain = chain_of(connection->details.key);

	connection->same_hash = *chain;
	*chain = connection;
}

static uint8_t resize(size_t count)
{
	struct doca_rdma_connection **old = chains, **larger = calloc(count, sizeof(struct doca_rdma_connection *));
	size_t num_old = num_chains;

	if (larger == NULL)
		return 0;
	chains = larger;
	num_chains = count;
	for (size_t i = 0; i < num_old; i++) {
		for (struct doca_rdma_connection *one = old[i], *next; one != NULL; one = next) {
			next = one->same_hash;
			insert(one);
		}
	}
	free(old);
	return 1;
}

uint8_t rdma_table_add(struct doca_rdma_connection *connection)
{
	if (num_connections == num_chains && !resize(num_chains == 0 ? FIRST_CHAINS : 2 * num_chains))
		return 0;
	insert(connection);
	num_connections++;
	return 1;
}

void rdma_table_remove(struct doca_rdma_connection *connection)
{
	struct doca_rdma_connection **place = chain_of(connection->details.key);

	while (*place != connection)
		place = &(*place)->same_hash;
	*place = connection->same_hash;
	if (--num_connections > 0)
		return;
	free(chains);
	chains = NULL;
	num_chains = 0;
}

struct doca_rdma_connection *rdma_table_find(uint64_t key)
{
	struct doca_rdma_connection *connection = num_chains == 0 ? NULL : *chain_of(key);

	while (connection != NULL && connection->details.key != key)
		connection = connection->same_hash;
	return connection;
}

uint8_t rdma_table_permits(uint64_t key, uint32_t permission)
{
	const struct doca_rdma_connection *connection;
	uint8_t answer;

	pthread_mutex_lock(&rdma_lock);
	connection = rdma_table_find(key);
	answer = connection != NULL && (connection->rdma->permissions & permission) != 0;
	pthread_mutex_unlock(&rdma_lock);
	return answer;
}

void rdma_list_append(struct rdma_list *list, struct doca_rdma_connection *connection, enum rdma_list_kind kind)
{
	connection->next[kind] = NULL;
	connection->prev[kind] = list->head == NULL ? NULL : list->tail;
	if (list->head == NULL)
		list->head = connection;
	else
		list->tail->next[kind] = connection;
	list->tail = connection;
}

void rdma_list_remove(struct rdma_list *list, struct doca_rdma_connection *connection, enum rdma_list_kind kind)
{
	struct doca_rdma_connection *next = connection->next[kind], *prev = connection->prev[kind];

	if (prev != NULL)
		prev->next[kind] = next;
	else
		list->head = next;
	if (next != NULL)
		next->prev[kind] = prev;
	else
		list->tail = prev;
}

struct rdma_task *rdma_queue_take(struct rdma_queue *queue)
{
	struct rdma_task *first = queue->head;

	if (first != NULL)
		queue->head = first->next;
	return first;
}
