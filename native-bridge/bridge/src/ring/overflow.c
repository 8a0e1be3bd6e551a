#include "ring/overflow.h"

#include "ring/ring.h"

void bridge_overflow_init(struct dpubridge *bridge)
{
	pthread_mutex_init(&bridge->overflow.lock, NULL);
}

void bridge_overflow_fini(struct dpubridge *bridge)
{
	pthread_mutex_destroy(&bridge->overflow.lock);
}

static void append(struct bridge_overflow_list *list, struct bridge_overflow_item *item)
{
	item->next = NULL;
	if (list->tail != NULL)
		list->tail->next = item;
	else
		list->head = item;
	list->tail = item;
	list->num_tasks += item->is_task;
}

/* Moves all items of other to the end of list. */
static void append_all(struct bridge_overflow_list *list, struct bridge_overflow_list *other)
{
	if (other->head == NULL)
		return;
	if (list->tail != NULL)
		list->tail->next = other->head;
	else
		list->head = other->head;
	list->tail = other->tail;
	list->num_tasks += other->num_tasks;
	*other = (struct bridge_overflow_list){ .head = NULL };
}

static struct bridge_overflow_item *take_first(struct bridge_overflow_list *list)
{
	struct bridge_overflow_item *item = list->head;

	list->head = item->next;
	if (list->head == NULL)
		list->tail = NULL;
	list->num_tasks -= item->is_task;
	return item;
}

void bridge_overflow_append(struct dpubridge *bridge, struct bridge_overflow_item *item)
{
	item->is_foreign = !bridge_is_owner(bridge);
	append(&bridge->overflow.list, item);
	/* Before the caller unlocks: after that, the owner may deliver the item and even destroy the bridge. */
	bridge_signal(bridge, BRIDGE_WAKE_OVERFLOW);
}

/* Puts the items without room in front of those that arrived during the delivery. */
static void put_back(struct dpubridge *bridge, struct bridge_overflow_list *rest)
{
	if (rest->head == NULL)
		return;
	pthread_mutex_lock(&bridge->overflow.lock);
	append_all(rest, &bridge->overflow.list);
	bridge->overflow.list = *rest;
	atomic_fetch_or_explicit(&bridge->wake_bits, BRIDGE_WAKE_OVERFLOW, memory_order_release);
	pthread_mutex_unlock(&bridge->overflow.lock);
}

static struct bridge_overflow_list take_all(struct dpubridge *bridge)
{
	struct bridge_overflow_list items;

	pthread_mutex_lock(&bridge->overflow.lock);
	items = bridge->overflow.list;
	bridge->overflow.list = (struct bridge_overflow_list){ .head = NULL };
	atomic_fetch_and_explicit(&bridge->wake_bits, ~(uint32_t)BRIDGE_WAKE_OVERFLOW, memory_order_acq_rel);
	pthread_mutex_unlock(&bridge->overflow.lock);
	return items;
}

/* After an unsolicited record without room, later unsolicited records wait too. Task records always have room. */
void bridge_overflow_deliver(struct dpubridge *bridge)
{
	struct bridge_overflow_list items, rest = { .head = NULL };

	if (!bridge_overflow_waits(bridge))
		return;
	bridge->is_delivering = true;
	items = take_all(bridge);
	while (items.head != NULL && (rest.head == NULL || items.num_tasks > 0)) {
		struct bridge_overflow_item *item = take_first(&items);

		if (!item->is_task && (rest.head != NULL || !bridge_ring_has_room(bridge, &item->record))) {
			append(&rest, item);
			continue;
		}
		if (item->is_foreign)
			bridge_count(bridge, DPUBRIDGE_COUNTER_FOREIGN);
		item->deliver(bridge, item);
	}
	append_all(&rest, &items);
	put_back(bridge, &rest);
	bridge->is_delivering = false;
}

bool bridge_overflow_holds(struct dpubridge *bridge, uint32_t context)
{
	const struct bridge_overflow_item *item;

	pthread_mutex_lock(&bridge->overflow.lock);
	for (item = bridge->overflow.list.head; item != NULL && (item->is_task || item->record.context != context); item = item->next)
		;
	pthread_mutex_unlock(&bridge->overflow.lock);
	return item != NULL;
}
