/* Comch contexts on the bridge: configuration, handles of connections, and tasks per message. */
#include <pthread.h>

#include "comch_rig.h"

static void test_configure(void)
{
	struct rig rig, narrow;
	uint32_t connection;

	rig_create_cells(&rig, 2, 16, 4, 4);
	CHECK_EQ(dpubridge_comch_configure(rig.bridge, rig.handle + 1, 0), NOT_FOUND);
	CHECK_EQ(dpubridge_comch_configure(rig.bridge, rig.handle, 2), INVALID_VALUE);
	fake_max_msg_size(rig.ctx, 65);
	CHECK_EQ(dpubridge_comch_configure(rig.bridge, rig.handle, DPUBRIDGE_COMCH_CLIENT), INVALID_VALUE);
	CHECK(strstr(dpubridge_error(), "65 bytes") != NULL);
	fake_max_msg_size(rig.ctx, 64);
	CHECK_EQ(dpubridge_comch_connection(rig.bridge, rig.handle, &connection), INVALID_VALUE);
	CHECK_EQ(dpubridge_comch_configure(rig.bridge, rig.handle, DPUBRIDGE_COMCH_CLIENT), 0);
	CHECK_EQ(dpubridge_comch_configure(rig.bridge, rig.handle, DPUBRIDGE_COMCH_CLIENT), 0);
	CHECK_EQ(dpubridge_comch_disconnect(rig.bridge, rig.handle, 1), INVALID_VALUE);
	CHECK_EQ(dpubridge_comch_connection(rig.bridge, rig.handle, &connection), BAD_STATE);
	rig_start(&rig);
	CHECK_EQ(dpubridge_comch_configure(rig.bridge, rig.handle, DPUBRIDGE_COMCH_CLIENT), BAD_STATE);
	CHECK(dpubridge_connection_pointer(rig.bridge, 0) == NULL);
	CHECK(dpubridge_connection_pointer(rig.bridge, UINT32_MAX) == NULL);

	/* The fake has no consumers and producers, like an older DOCA. */
	CHECK_EQ(dpubridge_context_configure(rig.bridge, rig.handle, DPUBRIDGE_KIND_COMCH_CONSUMER_RECV, 4), NOT_SUPPORTED);
	CHECK_EQ(dpubridge_context_configure(rig.bridge, rig.handle, DPUBRIDGE_KIND_COMCH_PRODUCER_SEND, 4), NOT_SUPPORTED);
	rig_destroy(&rig);

	rig_create(&narrow, 2, 16, 4);
	CHECK_EQ(dpubridge_comch_configure(narrow.bridge, narrow.handle, DPUBRIDGE_COMCH_CLIENT), INVALID_VALUE);
	rig_destroy(&narrow);
}

static void *call_all(void *argument)
{
	struct rig *rig = argument;
	uint32_t connection;

	CHECK_EQ(dpubridge_comch_configure(rig->bridge, rig->handle, DPUBRIDGE_COMCH_CLIENT), NOT_PERMITTED);
	CHECK_EQ(dpubridge_comch_connection(rig->bridge, rig->handle, &connection), NOT_PERMITTED);
	CHECK_EQ(dpubridge_comch_disconnect(rig->bridge, rig->handle, 1), NOT_PERMITTED);
	CHECK(dpubridge_connection_pointer(rig->bridge, 1) == NULL);
	CHECK(strstr(dpubridge_error(), "belongs to thread") != NULL);
	return NULL;
}

static void test_owner(void)
{
	struct rig rig;
	pthread_t thread;

	comch_create(&rig, 16, 4, true);
	CHECK_EQ(pthread_create(&thread, NULL, call_all, &rig), 0);
	CHECK_EQ(pthread_join(thread, NULL), 0);
	rig_destroy(&rig);
}

/* A client's connection has one handle, independent of the event that first names it. The handle ends with the client's run. */
static void test_client(void)
{
	struct rig rig;
	struct doca_comch_connection *connection;
	uint32_t first, handle;

	comch_create(&rig, 16, 4, false);
	connection = fake_connect(rig.ctx);
	comch_message(connection, 7);
	first = comch_take(&rig, DPUBRIDGE_RECORD_MESSAGE, 7);
	CHECK(first != 0);
	CHECK_EQ(dpubridge_comch_connection(rig.bridge, rig.handle, &handle), 0);
	CHECK_EQ(handle, first);
	CHECK(dpubridge_connection_pointer(rig.bridge, first) == connection);
	fake_ctx_change(rig.ctx, IDLE);
	rig_expect_state(&rig, RUNNING, IDLE);
	CHECK(dpubridge_connection_pointer(rig.bridge, first) == NULL);

	/* The next run has the same DOCA object and another handle. */
	rig_start(&rig);
	CHECK_EQ(dpubridge_comch_connection(rig.bridge, rig.handle, &handle), 0);
	CHECK(handle != first);
	CHECK(dpubridge_connection_pointer(rig.bridge, first) == NULL);
	comch_send(&rig, DPUBRIDGE_KIND_COMCH_CLIENT_SEND, 1, first);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 1);
	rig_expect(&rig, DPUBRIDGE_RECORD_REFUSED, 1, NOT_CONNECTED);
	rig_destroy(&rig);
	fake_connection_free(connection);
}

/* A message's task is freed after use, also when its submission fails. */
static void test_sends(void)
{
	struct rig rig;
	struct doca_comch_connection *connection;
	uint32_t handle;

	comch_create(&rig, 16, 4, true);
	connection = fake_connect(rig.ctx);
	handle = comch_take(&rig, DPUBRIDGE_RECORD_CONNECTED, 0);
	fake_submit_answers(rig.ctx, 0, 2, AGAIN);
	comch_send(&rig, DPUBRIDGE_KIND_COMCH_SERVER_SEND, 1, handle);
	comch_send(&rig, DPUBRIDGE_KIND_COMCH_SERVER_SEND, 2, handle);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 0);
	CHECK_EQ(fake_ctx_num_allocated(rig.ctx), 0);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 0);
	CHECK_EQ(dpubridge_context_inflight(rig.bridge, rig.handle), 2);
	fake_finish(rig.ctx, 0, 0, 0);
	fake_finish(rig.ctx, 0, IO_FAILED, 0);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 2);
	rig_expect(&rig, DPUBRIDGE_RECORD_TASK_DONE, 1, 0);
	rig_expect(&rig, DPUBRIDGE_RECORD_TASK_FAILED, 2, IO_FAILED);
	CHECK_EQ(fake_ctx_num_allocated(rig.ctx), 0);
	comch_send(&rig, DPUBRIDGE_KIND_COMCH_SERVER_SEND, 3, (uint64_t)handle | 1ull << 32);
	comch_send(&rig, DPUBRIDGE_KIND_COMCH_SERVER_SEND, 4, 0);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 2);
	rig_expect(&rig, DPUBRIDGE_RECORD_REFUSED, 3, NOT_CONNECTED);
	rig_expect(&rig, DPUBRIDGE_RECORD_REFUSED, 4, NOT_CONNECTED);
	rig_destroy(&rig);
	fake_connection_free(connection);
}

/* A context sends on its connections only. */
static void test_connection_of_another_context(void)
{
	struct rig rig;
	struct doca_comch_connection *connection;
	struct doca_ctx *other;
	uint32_t handle, other_handle;

	comch_create(&rig, 16, 4, true);
	other = rig_attach(&rig, 0, &other_handle);
	CHECK_EQ(dpubridge_comch_configure(rig.bridge, other_handle, DPUBRIDGE_COMCH_SERVER), 0);
	connection = fake_connect(other);
	handle = rig_take(&rig).states;
	CHECK(dpubridge_connection_pointer(rig.bridge, handle) == connection);
	CHECK_EQ(dpubridge_comch_disconnect(rig.bridge, rig.handle, handle), NOT_FOUND);
	comch_send(&rig, DPUBRIDGE_KIND_COMCH_SERVER_SEND, 1, handle);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 1);
	rig_expect(&rig, DPUBRIDGE_RECORD_REFUSED, 1, NOT_CONNECTED);
	CHECK_EQ(dpubridge_comch_disconnect(rig.bridge, other_handle, handle), 0);
	fake_connection_free(connection);
	CHECK_EQ(dpubridge_context_detach(rig.bridge, other_handle), 0);
	fake_ctx_destroy(other);
	rig_destroy(&rig);
}

/* A message that DOCA refuses for lack of tasks waits. The bridge refuses messages without a place. */
static void test_lack_of_tasks(void)
{
	struct rig rig;
	struct doca_comch_connection *connection;
	uint32_t handle;
	uint64_t i;

	comch_create(&rig, 16, 4, true);
	connection = fake_connect(rig.ctx);
	handle = comch_take(&rig, DPUBRIDGE_RECORD_CONNECTED, 0);
	fake_submit_answers(rig.ctx, 0, 5, NO_MEMORY);
	for (i = 0; i < 4; i++) {
		comch_send(&rig, DPUBRIDGE_KIND_COMCH_SERVER_SEND, i, handle);
		CHECK_EQ(dpubridge_enter(rig.bridge, 8), 0);
	}
	comch_send(&rig, DPUBRIDGE_KIND_COMCH_SERVER_SEND, 4, handle);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 1);
	rig_expect(&rig, DPUBRIDGE_RECORD_REFUSED, 4, NO_MEMORY);
	CHECK_EQ(fake_ctx_num_submitted(rig.ctx), 4);
	for (i = 0; i < 4; i++)
		fake_finish(rig.ctx, 0, 0, 0);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 4);
	for (i = 0; i < 4; i++)
		rig_expect(&rig, DPUBRIDGE_RECORD_TASK_DONE, i, 0);
	rig_destroy(&rig);
	fake_connection_free(connection);
}

/* A connection whose message DOCA refuses delays no other connection of the server. */
static void test_connections_are_separate(void)
{
	struct rig rig;
	struct doca_comch_connection *first, *second;
	uint32_t first_handle, second_handle;

	comch_create(&rig, 16, 4, true);
	fake_ctx_finish_at_once(rig.ctx, true);
	first = fake_connect(rig.ctx);
	first_handle = comch_take(&rig, DPUBRIDGE_RECORD_CONNECTED, 0);
	second = fake_connect(rig.ctx);
	second_handle = comch_take(&rig, DPUBRIDGE_RECORD_CONNECTED, 0);
	fake_submit_answers(rig.ctx, 0, 2, AGAIN);
	comch_send(&rig, DPUBRIDGE_KIND_COMCH_SERVER_SEND, 1, first_handle);
	comch_send(&rig, DPUBRIDGE_KIND_COMCH_SERVER_SEND, 2, second_handle);
	CHECK_EQ(dpubridge_enter(rig.bridge, 1), 1);
	rig_expect(&rig, DPUBRIDGE_RECORD_TASK_DONE, 2, 0);
	CHECK_EQ(dpubridge_enter(rig.bridge, 8), 1);
	rig_expect(&rig, DPUBRIDGE_RECORD_TASK_DONE, 1, 0);
	rig_destroy(&rig);
	fake_connection_free(first);
	fake_connection_free(second);
}

/* Generations and re-use: many connections, and no handle twice within one round of generations. */
static void test_handles(void)
{
	enum { ROUNDS = 70000 };
	struct rig rig;
	uint32_t previous = 0, i;

	comch_create(&rig, 16, 4, true);
	for (i = 0; i < ROUNDS; i++) {
		struct doca_comch_connection *connection = fake_connect(rig.ctx);
		uint32_t handle = comch_take(&rig, DPUBRIDGE_RECORD_CONNECTED, 0);

		CHECK(handle != 0 && handle != previous && handle >> 16 != 0);
		CHECK_EQ(handle & 0xffff, 0);
		previous = handle;
		if (i % 2 == 0) {
			CHECK_EQ(dpubridge_comch_disconnect(rig.bridge, rig.handle, handle), 0);
			fake_connection_free(connection);
		} else {
			fake_peer_leaves(connection);
			CHECK_EQ(comch_take(&rig, DPUBRIDGE_RECORD_DISCONNECTED, 0), handle);
		}
		CHECK(dpubridge_connection_pointer(rig.bridge, handle) == NULL);
	}
	rig_destroy(&rig);
}

static void test_disconnect_answers(void)
{
	struct rig rig;
	struct doca_comch_connection *connection;
	struct dpubridge_record record;
	uint32_t handle;

	comch_create(&rig, 16, 4, true);
	fake_connect_in_vain(rig.ctx);
	record = rig_take(&rig);
	CHECK_EQ(record.type, DPUBRIDGE_RECORD_CONNECTED);
	CHECK_EQ(record.status, CONNECTION_ABORTED);
	CHECK_EQ(record.states, 0);
	connection = fake_connect(rig.ctx);
	handle = comch_take(&rig, DPUBRIDGE_RECORD_CONNECTED, 0);
	fake_disconnect_answers(rig.ctx, AGAIN);
	CHECK_EQ(dpubridge_comch_disconnect(rig.bridge, rig.handle, handle), AGAIN);
	fake_disconnect_answers(rig.ctx, IN_USE);
	CHECK_EQ(dpubridge_comch_disconnect(rig.bridge, rig.handle, handle), IN_USE);
	CHECK(dpubridge_connection_pointer(rig.bridge, handle) == connection);
	fake_consumer(connection, 3, true);
	fake_consumer(connection, 3, false);
	CHECK_EQ(comch_take(&rig, DPUBRIDGE_RECORD_CONSUMER_NEW, 3), handle);
	CHECK_EQ(comch_take(&rig, DPUBRIDGE_RECORD_CONSUMER_EXPIRED, 3), handle);
	fake_disconnect_answers(rig.ctx, 0);
	CHECK_EQ(dpubridge_comch_disconnect(rig.bridge, rig.handle, handle), 0);
	/* Late: the bridge ignores this message. */
	comch_message(connection, 1);
	fake_peer_leaves(connection);
	CHECK_EQ(rig_unread(&rig), 0);
	rig_destroy(&rig);
}

int main(void)
{
	test_configure();
	test_owner();
	test_client();
	test_sends();
	test_connection_of_another_context();
	test_lack_of_tasks();
	test_connections_are_separate();
	test_handles();
	test_disconnect_answers();
	return 0;
}
