#include "overflow.h"

#include <stdlib.h>
#include <string.h>

#include "connection.h"
#include "context.h"
#include "ring.h"
#include "task.h"
#include "unsolicited.h"

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
	list->num_tasks += item->task != NULL;
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
	list->num_tasks -= item->task != NULL;
	return item;
}

void bridge_overflow_put_task(struct dpubridge *bridge, struct bridge_overflow_item *item)
{
	item->is_foreign = true;
	pthread_mutex_lock(&bridge->overflow.lock);
	append(&bridge->overflow.list, item);
	/* Signal before unlocking: after that, the owner may deliver the item and even destroy the bridge. */
	bridge_signal(bridge, BRIDGE_WAKE_OVERFLOW);
	pthread_mutex_unlock(&bridge->overflow.lock);
}

static void merge_into_spare(struct bridge_overflow_queue *queue, struct bridge_context *context, bool is_foreign,
			     const struct dpubridge_record *record)
{
	struct bridge_overflow_item *spare = &context->spare;

	if (spare->context == NULL) {
		*spare = (struct bridge_overflow_item){ .context = context, .is_foreign = is_foreign, .is_spare = true, .record = *record };
		append(&queue->list, spare);
		return;
	}
	spare->record.states = (spare->record.states & 0xffff0000u) | (record->states & 0xffffu);
}

void bridge_overflow_put_state(struct dpubridge *bridge, struct bridge_context *context, bool is_foreign,
			       const struct dpubridge_record *record)
{
	struct bridge_overflow_item *item = malloc(sizeof(*item));

	pthread_mutex_lock(&bridge->overflow.lock);
	if (item != NULL && context->spare.context == NULL) {
		*item = (struct bridge_overflow_item){ .context = context, .is_foreign = is_foreign, .record = *record };
		append(&bridge->overflow.list, item);
	} else {
		free(item);
		merge_into_spare(&bridge->overflow, context, is_foreign, record);
	}
	bridge_signal(bridge, BRIDGE_WAKE_OVERFLOW);
	pthread_mutex_unlock(&bridge->overflow.lock);
}

/* Creates an item, followed by a copy of the bytes. Returns NULL without memory. */
static struct bridge_overflow_item *copy(const struct dpubridge_record *record, const uint8_t *bytes)
{
	size_t len = bytes != NULL ? record->produced : 0;
	struct bridge_overflow_item *item = malloc(sizeof(*item) + len);

	if (item == NULL)
		return NULL;
	*item = (struct bridge_overflow_item){ .record = *record };
	if (bytes != NULL)
		item->bytes = memcpy(item + 1, bytes, len);
	return item;
}

void bridge_overflow_put_unsolicited(struct bridge_context *context, struct bridge_connection *connection,
				     const struct doca_comch_connection *pointer, const struct dpubridge_record *record,
				     const uint8_t *bytes)
{
	struct dpubridge *bridge = context->bridge;
	struct bridge_overflow_item *item = copy(record, bytes);
	bool is_late;

	if (item == NULL)
		bridge_lose(bridge, "a connection's message or event, for lack of memory");
	pthread_mutex_lock(&bridge->overflow.lock);
	is_late = connection != NULL && bridge_connection_pointer(connection) != pointer;
	if (item != NULL && !is_late) {
		item->context = context;
		item->connection = connection;
		item->is_foreign = !bridge_is_owner(bridge);
		append(&bridge->overflow.list, item);
		if (connection != NULL)
			connection->num_queued++;
		bridge_signal(bridge, BRIDGE_WAKE_OVERFLOW);
		item = NULL;
	}
	if (!is_late && record->type == DPUBRIDGE_RECORD_DISCONNECTED)
		bridge_connection_cut(connection);
	pthread_mutex_unlock(&bridge->overflow.lock);
	free(item);
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

static void deliver_state(struct dpubridge *bridge, struct bridge_overflow_item *item)
{
	struct bridge_context *context = item->context;
	struct dpubridge_record record;
	bool is_foreign;

	/* A foreign thread may be merging into this spare, and reuses it as soon as its context is NULL. */
	pthread_mutex_lock(&bridge->overflow.lock);
	record = item->record;
	is_foreign = item->is_foreign;
	item->context = NULL;
	pthread_mutex_unlock(&bridge->overflow.lock);
	bridge_ring_put(bridge, &record);
	/* Last, and without the lock: this call may free tasks, which may change the state again. */
	if (is_foreign)
		bridge_context_changed(context, record.states & 0xffffu);
}

static void deliver_unsolicited(struct dpubridge *bridge, struct bridge_overflow_item *item)
{
	bridge_unsolicited_put(bridge, item->connection, &item->record, item->bytes);
	if (item->connection != NULL)
		bridge_connection_delivered(item->connection);
}

static void deliver(struct dpubridge *bridge, struct bridge_overflow_item *item)
{
	bool is_heap = item->task == NULL && !item->is_spare;

	if (item->is_foreign)
		bridge_count(bridge, DPUBRIDGE_COUNTER_FOREIGN);
	if (item->task != NULL)
		bridge_task_answer(item->task);
	else if (item->record.type == DPUBRIDGE_RECORD_CONTEXT_STATE)
		deliver_state(bridge, item);
	else
		deliver_unsolicited(bridge, item);
	if (is_heap)
		free(item);
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

		if (item->task == NULL && (rest.head != NULL || !bridge_unsolicited_has_room(bridge, &item->record)))
			append(&rest, item);
		else
			deliver(bridge, item);
	}
	append_all(&rest, &items);
	put_back(bridge, &rest);
	bridge->is_delivering = false;
}

bool bridge_overflow_holds(struct dpubridge *bridge, const struct bridge_context *context)
{
	const struct bridge_overflow_item *item;

	pthread_mutex_lock(&bridge->overflow.lock);
	for (item = bridge->overflow.list.head; item != NULL && item->context != context; item = item->next)
		;
	pthread_mutex_unlock(&bridge->overflow.lock);
	return item != NULL;
}
