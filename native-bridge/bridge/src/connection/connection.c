#include "connection/connection.h"

#include <stdlib.h>

#include "base/comch.h"
#include "base/table.h"

#define MAX_CONNECTIONS 65536u

static const char no_memory[] = "a connection, for lack of memory";

/* The caller holds the lock. */
static struct bridge_connection *begin(struct bridge_context *context, void *pointer)
{
	struct dpubridge *bridge = context->bridge;
	struct bridge_connection *connection = bridge->connections.unused;

	if (connection != NULL)
		bridge->connections.unused = connection->next;
	else
		connection = malloc(sizeof(*connection));
	if (connection == NULL) {
		bridge_lose(bridge, no_memory);
		return NULL;
	}
	*connection = (struct bridge_connection){ .bridge = bridge, .context = context, .next = context->connections };
	atomic_store_explicit(&connection->pointer, pointer, memory_order_release);
	context->connections = connection;
	return connection;
}

struct bridge_connection *bridge_connection_begin(struct bridge_context *context, void *pointer)
{
	struct bridge_connection *connection;

	pthread_mutex_lock(&context->bridge->overflow.lock);
	connection = begin(context, pointer);
	pthread_mutex_unlock(&context->bridge->overflow.lock);
	return connection;
}

struct bridge_connection *bridge_connection_of(struct bridge_context *context, struct doca_comch_connection *pointer)
{
	struct bridge_connection *connection;

	pthread_mutex_lock(&context->bridge->overflow.lock);
	connection = bridge_comch.connection_get_user_data(pointer).ptr;
	if (connection == NULL || bridge_connection_pointer(connection) != pointer) {
		connection = begin(context, pointer);
		if (connection != NULL)
			bridge_comch.connection_set_user_data(pointer, (union doca_data){ .ptr = connection });
	}
	pthread_mutex_unlock(&context->bridge->overflow.lock);
	return connection;
}

static struct bridge_connection_slot *take_slot(struct bridge_connection_table *table)
{
	struct bridge_connection_slot *slot, *slots;

	if (table->first_unused != 0) {
		slot = &table->slots[table->first_unused - 1];
		table->first_unused = slot->next_unused;
		return slot;
	}
	if (table->num_slots == MAX_CONNECTIONS)
		return NULL;
	slots = bridge_table_grow(table->slots, table->num_slots, &table->capacity, sizeof(*slots));
	if (slots == NULL)
		return NULL;
	table->slots = slots;
	slot = &table->slots[table->num_slots++];
	*slot = (struct bridge_connection_slot){ .generation = 0 };
	return slot;
}

uint32_t bridge_connection_handle(struct bridge_connection *connection)
{
	struct bridge_connection_table *table = &connection->bridge->connections;
	struct bridge_connection_slot *slot;

	if (connection->handle != 0)
		return connection->handle;
	slot = take_slot(table);
	if (slot == NULL) {
		bridge_lose(connection->bridge, no_memory);
		return 0;
	}
	slot->generation += slot->generation == UINT16_MAX ? 2 : 1;
	slot->connection = connection;
	connection->handle = (uint32_t)slot->generation << 16 | (uint32_t)(slot - table->slots);
	return connection->handle;
}

void bridge_connection_cut(struct bridge_connection *connection)
{
	struct bridge_connection **link = &connection->context->connections;

	if (bridge_connection_pointer(connection) == NULL)
		return;
	while (*link != connection)
		link = &(*link)->next;
	*link = connection->next;
	atomic_store_explicit(&connection->pointer, NULL, memory_order_release);
}

static void leave_slot(struct bridge_connection *connection)
{
	struct bridge_connection_table *table = &connection->bridge->connections;
	uint32_t index = connection->handle & 0xffffu;

	if (connection->handle == 0)
		return;
	table->slots[index].connection = NULL;
	table->slots[index].next_unused = table->first_unused;
	table->first_unused = index + 1;
	connection->handle = 0;
}

/* The caller holds the lock. */
static void settle(struct bridge_connection *connection)
{
	if (bridge_connection_pointer(connection) != NULL || connection->num_queued > 0)
		return;
	leave_slot(connection);
	connection->next = connection->bridge->connections.unused;
	connection->bridge->connections.unused = connection;
}

void bridge_connection_end(struct bridge_connection *connection)
{
	struct dpubridge *bridge = connection->bridge;

	pthread_mutex_lock(&bridge->overflow.lock);
	bridge_connection_cut(connection);
	settle(connection);
	pthread_mutex_unlock(&bridge->overflow.lock);
}

void bridge_connection_delivered(struct bridge_connection *connection)
{
	struct dpubridge *bridge = connection->bridge;

	pthread_mutex_lock(&bridge->overflow.lock);
	connection->num_queued--;
	settle(connection);
	pthread_mutex_unlock(&bridge->overflow.lock);
}

void bridge_connections_end(struct bridge_context *context)
{
	struct dpubridge *bridge = context->bridge;
	struct bridge_connection *connection;

	pthread_mutex_lock(&bridge->overflow.lock);
	while ((connection = context->connections) != NULL) {
		bridge_connection_cut(connection);
		settle(connection);
	}
	pthread_mutex_unlock(&bridge->overflow.lock);
}

void bridge_connections_fini(struct dpubridge *bridge)
{
	struct bridge_connection *connection, *next;

	for (connection = bridge->connections.unused; connection != NULL; connection = next) {
		next = connection->next;
		free(connection);
	}
	free(bridge->connections.slots);
}
