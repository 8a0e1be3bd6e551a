/*
 * Messages and events without a cell or room, or from a foreign thread, use the overflow queue. These records arrive in order,
 * each once.
 */
#include <pthread.h>
#include <stdatomic.h>

#include "comch_rig.h"

static void run_elsewhere(void *(*function)(void *), void *argument)
{
	pthread_t thread;

	CHECK_EQ(pthread_create(&thread, NULL, function, argument), 0);
	CHECK_EQ(pthread_join(thread, NULL), 0);
}

struct exchange {
	struct rig rig;
	struct doca_comch_connection *connection;
	uint32_t handle;
};

static void create(struct exchange *exchange, uint32_t completion_capacity, uint32_t cells)
{
	comch_create(&exchange->rig, completion_capacity, cells, true);
	exchange->connection = fake_connect(exchange->rig.ctx);
	exchange->handle = comch_take(&exchange->rig, DPUBRIDGE_RECORD_CONNECTED, 0);
	CHECK(exchange->handle != 0);
}

static void send_ten(void *argument)
{
	struct exchange *exchange = argument;
	uint64_t i;

	for (i = 0; i < 10; i++)
		comch_message(exchange->connection, i);
	fake_consumer(exchange->connection, 9, true);
	for (; i < 20; i++)
		comch_message(exchange->connection, i);
}

/* A library reports many events in one turn, and the caller takes a few at a time. */
static void test_more_than_cells(void)
{
	struct exchange exchange;
	uint64_t i;

	create(&exchange, 32, 4);
	fake_pe_next_turn(exchange.rig.pe, send_ten, &exchange);
	CHECK_EQ(dpubridge_enter(exchange.rig.bridge, 100), 4);
	CHECK_EQ(rig_counter(&exchange.rig, DPUBRIDGE_COUNTER_STALLED), 1);
	CHECK_EQ(exchange.rig.header->message_tail, 4);
	CHECK_EQ(dpubridge_wait(exchange.rig.bridge, 1000000000, 1000000000, 0, 0), 1);
	for (i = 0; i < 20; i++) {
		CHECK_EQ(comch_take(&exchange.rig, DPUBRIDGE_RECORD_MESSAGE, i), exchange.handle);
		if (i == 9) {
			CHECK(dpubridge_enter(exchange.rig.bridge, 100) != UINT32_MAX);
			CHECK_EQ(comch_take(&exchange.rig, DPUBRIDGE_RECORD_CONSUMER_NEW, 9), exchange.handle);
		}
		/* Each turn delivers one and receives one: new messages queue up behind. */
		CHECK(dpubridge_enter(exchange.rig.bridge, 100) != UINT32_MAX);
	}
	CHECK_EQ(rig_unread(&exchange.rig), 0);
	CHECK_EQ(dpubridge_wait(exchange.rig.bridge, 0, 0, 0, 0), 0);
	fake_peer_leaves(exchange.connection);
	rig_destroy(&exchange.rig);
}

/* The bridge does not progress the device, including its other contexts, while no cell is free. */
static void test_no_progress_without_cells(void)
{
	struct exchange exchange;
	uint64_t i;

	create(&exchange, 32, 2);
	comch_message(exchange.connection, 0);
	comch_message(exchange.connection, 1);
	fake_pe_next_turn(exchange.rig.pe, send_ten, &exchange);
	for (i = 0; i < 3; i++)
		CHECK_EQ(dpubridge_enter(exchange.rig.bridge, 100), 2);
	CHECK_EQ(rig_counter(&exchange.rig, DPUBRIDGE_COUNTER_STALLED), 3);
	comch_take(&exchange.rig, DPUBRIDGE_RECORD_MESSAGE, 0);
	comch_take(&exchange.rig, DPUBRIDGE_RECORD_MESSAGE, 1);
	CHECK_EQ(dpubridge_enter(exchange.rig.bridge, 100), 2);
	comch_take(&exchange.rig, DPUBRIDGE_RECORD_MESSAGE, 0);
	exchange.rig.header->message_head = exchange.rig.header->message_tail + 1;
	CHECK_EQ(dpubridge_enter(exchange.rig.bridge, 100), UINT32_MAX);
	CHECK(strstr(dpubridge_error(), "message head") != NULL);
	exchange.rig.header->message_head = exchange.rig.header->message_tail - 1;
	comch_take(&exchange.rig, DPUBRIDGE_RECORD_MESSAGE, 1);
	while (dpubridge_enter(exchange.rig.bridge, 100) > 0) {
		exchange.rig.header->completion_head = exchange.rig.header->completion_tail;
		exchange.rig.header->message_head = exchange.rig.header->message_tail;
	}
	CHECK_EQ(exchange.rig.header->message_tail, 22);
	fake_peer_leaves(exchange.connection);
	rig_destroy(&exchange.rig);
}

static void *connect_elsewhere(void *argument)
{
	struct rig *rig = argument;
	struct doca_comch_connection *connection = fake_connect(rig->ctx);

	comch_message(connection, 1);
	fake_consumer(connection, 2, true);
	comch_message(connection, 3);
	fake_consumer(connection, 2, false);
	fake_peer_leaves(connection);
	fake_connect_in_vain(rig->ctx);
	return NULL;
}

/* A connection begins and ends on a foreign thread, while another one is open on this thread. */
static void test_foreign_life(void)
{
	struct exchange exchange;
	struct dpubridge_record record;
	uint32_t handle;

	create(&exchange, 32, 8);
	run_elsewhere(connect_elsewhere, &exchange.rig);
	comch_message(exchange.connection, 4);
	CHECK_EQ(rig_unread(&exchange.rig), 0);
	CHECK_EQ(dpubridge_wait(exchange.rig.bridge, 1000000000, 1000000000, 0, 0), 1);
	CHECK_EQ(dpubridge_enter(exchange.rig.bridge, 8), 8);
	handle = comch_take(&exchange.rig, DPUBRIDGE_RECORD_CONNECTED, 0);
	CHECK(handle != 0 && handle != exchange.handle);
	CHECK(dpubridge_connection_pointer(exchange.rig.bridge, handle) == NULL);
	CHECK_EQ(comch_take(&exchange.rig, DPUBRIDGE_RECORD_MESSAGE, 1), handle);
	CHECK_EQ(comch_take(&exchange.rig, DPUBRIDGE_RECORD_CONSUMER_NEW, 2), handle);
	CHECK_EQ(comch_take(&exchange.rig, DPUBRIDGE_RECORD_MESSAGE, 3), handle);
	CHECK_EQ(comch_take(&exchange.rig, DPUBRIDGE_RECORD_CONSUMER_EXPIRED, 2), handle);
	CHECK_EQ(comch_take(&exchange.rig, DPUBRIDGE_RECORD_DISCONNECTED, 0), handle);
	record = rig_take(&exchange.rig);
	CHECK_EQ(record.type, DPUBRIDGE_RECORD_CONNECTED);
	CHECK_EQ(record.status, CONNECTION_ABORTED);
	CHECK_EQ(comch_take(&exchange.rig, DPUBRIDGE_RECORD_MESSAGE, 4), exchange.handle);
	CHECK_EQ(rig_counter(&exchange.rig, DPUBRIDGE_COUNTER_FOREIGN), 7);
	fake_peer_leaves(exchange.connection);
	rig_destroy(&exchange.rig);
}

/* A disconnect on this thread keeps earlier messages, under the invalid handle; a new connection has another handle. */
static void test_disconnect_with_queued_messages(void)
{
	struct exchange exchange;
	struct doca_comch_connection *connection;
	uint32_t handle;
	uint64_t i;

	create(&exchange, 32, 2);
	for (i = 0; i < 4; i++)
		comch_message(exchange.connection, i);
	CHECK_EQ(dpubridge_comch_disconnect(exchange.rig.bridge, exchange.rig.handle, exchange.handle), 0);
	CHECK_EQ(dpubridge_comch_disconnect(exchange.rig.bridge, exchange.rig.handle, exchange.handle), NOT_FOUND);
	CHECK(dpubridge_connection_pointer(exchange.rig.bridge, exchange.handle) == NULL);
	fake_connection_free(exchange.connection);
	connection = fake_connect(exchange.rig.ctx);
	for (i = 0; i < 4; i++) {
		if (rig_unread(&exchange.rig) == 0)
			CHECK_EQ(dpubridge_enter(exchange.rig.bridge, 8), 3);
		CHECK_EQ(comch_take(&exchange.rig, DPUBRIDGE_RECORD_MESSAGE, i), exchange.handle);
	}
	handle = comch_take(&exchange.rig, DPUBRIDGE_RECORD_CONNECTED, 0);
	CHECK(handle != exchange.handle);
	CHECK(dpubridge_connection_pointer(exchange.rig.bridge, handle) == connection);
	fake_peer_leaves(connection);
	rig_destroy(&exchange.rig);
}

/* The context becomes IDLE behind unread messages: IDLE is still the last record. */
static void test_idle_behind_messages(void)
{
	struct exchange exchange;
	uint64_t i;

	create(&exchange, 32, 2);
	for (i = 0; i < 5; i++)
		comch_message(exchange.connection, i);
	fake_ctx_change(exchange.rig.ctx, IDLE);
	CHECK(dpubridge_connection_pointer(exchange.rig.bridge, exchange.handle) == NULL);
	CHECK_EQ(dpubridge_context_detach(exchange.rig.bridge, exchange.rig.handle), IN_USE);
	for (i = 0; i < 5; i++) {
		CHECK_EQ(comch_take(&exchange.rig, DPUBRIDGE_RECORD_MESSAGE, i), exchange.handle);
		CHECK(dpubridge_enter(exchange.rig.bridge, 8) != UINT32_MAX);
	}
	rig_expect_state(&exchange.rig, RUNNING, IDLE);
	CHECK_EQ(rig_unread(&exchange.rig), 0);
	fake_connection_free(exchange.connection);
	rig_destroy(&exchange.rig);
}

static void test_too_big(void)
{
	struct exchange exchange;
	struct dpubridge_record record;
	uint8_t bytes[65] = { 0 };

	create(&exchange, 32, 2);
	fake_message(exchange.connection, bytes, sizeof(bytes));
	record = rig_take(&exchange.rig);
	CHECK_EQ(record.type, DPUBRIDGE_RECORD_MESSAGE);
	CHECK_EQ(record.status, TOO_BIG);
	CHECK_EQ(record.produced, 0);
	CHECK_EQ(exchange.rig.header->message_tail, 1);
	exchange.rig.header->message_head++;
	fake_peer_leaves(exchange.connection);
	rig_destroy(&exchange.rig);
}

enum { SAID = 20000 };

static void *exchange_elsewhere(void *argument)
{
	struct exchange *exchange = argument;
	uint64_t i;

	for (i = 0; i < SAID; i++)
		comch_message(exchange->connection, i);
	return NULL;
}

/* A device's thread sends while the engine works: every message arrives once, in order, in a cell that is never overwritten. */
static void test_stress(void)
{
	struct exchange exchange;
	pthread_t thread;
	uint64_t taken = 0;

	create(&exchange, 16, 4);
	CHECK_EQ(pthread_create(&thread, NULL, exchange_elsewhere, &exchange), 0);
	while (taken < SAID) {
		if (dpubridge_enter(exchange.rig.bridge, 16) == 0)
			CHECK(dpubridge_wait(exchange.rig.bridge, 60000000000ull, 60000000000ull, 0, 0) > 0);
		for (; rig_unread(&exchange.rig) > 0; taken++)
			CHECK_EQ(comch_take(&exchange.rig, DPUBRIDGE_RECORD_MESSAGE, taken), exchange.handle);
	}
	CHECK_EQ(pthread_join(thread, NULL), 0);
	CHECK_EQ(exchange.rig.header->message_tail, SAID);
	CHECK_EQ(rig_counter(&exchange.rig, DPUBRIDGE_COUNTER_FOREIGN), SAID);
	fake_peer_leaves(exchange.connection);
	rig_destroy(&exchange.rig);
}

int main(void)
{
	test_more_than_cells();
	test_no_progress_without_cells();
	test_foreign_life();
	test_disconnect_with_queued_messages();
	test_idle_behind_messages();
	test_too_big();
	test_stress();
	return 0;
}
