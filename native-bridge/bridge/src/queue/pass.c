#include "queue/pass.h"

/* Returns the place of an ordering key: the one of this pass, or an unused one. */
static struct bridge_pass_key *place_of(struct bridge_queue *queue, uint64_t key)
{
	uint32_t mask = 2 * (queue->mask + 1) - 1;
	uint32_t index = (uint32_t)(key * 0x9e3779b97f4a7c15ull >> 32) & mask;

	while (queue->keys[index].pass == queue->pass && queue->keys[index].key != key)
		index = (index + 1) & mask;
	return &queue->keys[index];
}

/* Appends an entry, and makes the later entries of its key stay. */
static void stay(struct bridge_queue *queue, const struct dpubridge_entry *entry)
{
	uint64_t key = bridge_queue_key(queue, entry);

	*place_of(queue, key) = (struct bridge_pass_key){ .pass = queue->pass, .key = key };
	bridge_queue_push(queue, entry);
}

static bool may_go(struct bridge_queue *queue, const struct dpubridge_entry *entry)
{
	return !queue->is_recalled && bridge_pool_has_task(bridge_queue_pool(queue, entry)) &&
	       place_of(queue, bridge_queue_key(queue, entry))->pass != queue->pass;
}

void bridge_pass(struct bridge_queue *queue, bridge_submit *submit)
{
	struct dpubridge_entry entry = bridge_queue_pop(queue);
	uint32_t left = queue->count;

	queue->pass++;
	for (stay(queue, &entry); left > 0; left--) {
		entry = bridge_queue_pop(queue);
		if (!may_go(queue, &entry) || !submit(queue, &entry))
			stay(queue, &entry);
	}
}
