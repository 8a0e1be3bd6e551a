/* Quirks Q1 to Q5, Q11 and Q22, one after the other, in one process. */
#include <poll.h>

#include "comch_data.h"

static struct side server, client;
static struct data consumer, producer;
static int in_idle_callback;

#define UNTIL(condition) SIDE_PROGRESS_UNTIL(&server, &client, condition)

static void open_all(const char *quirks)
{
	CHECK_OK(softdpu_quirks_set(""));
	sides_open(&server, &client, "quirks");
	data_create_consumer(&consumer, &client, client.pe);
	CHECK_OK(softdpu_quirks_set(quirks));
}

static void close_all(void)
{
	CHECK_OK(softdpu_quirks_set(""));
	sides_close(&server, &client);
}

/* The engine sleeps: the event does not wake it; a later progress finds the event. */
static void lost_start(void)
{
	struct doca_pe *pe;
	struct pollfd handle = { .events = POLLIN };

	CHECK_OK(doca_pe_create(&pe));
	CHECK_OK(softdpu_quirks_set("Q1"));
	sides_open(&server, &client, "quirks");
	data_create_consumer(&consumer, &client, pe);
	CHECK_OK(doca_pe_get_notification_handle(pe, &handle.fd));
	CHECK_ERROR(doca_ctx_start(consumer.ctx), DOCA_ERROR_IN_PROGRESS);
	while (doca_pe_progress(pe))
		;
	CHECK_OK(doca_pe_request_notification(pe));
	UNTIL(server.num_consumers == 1);
	for (int i = 0; i < 10000; i++)
		if (!side_progress(&client))
			sched_yield();
	CHECK_EQ(poll(&handle, 1, 50), 0);
	CHECK_EQ(data_state(&consumer), DOCA_CTX_STATE_STARTING);
	RIG_PROGRESS_UNTIL(pe, data_state(&consumer) == DOCA_CTX_STATE_RUNNING);
	data_stop(&consumer, &server, &client);
	data_close(&consumer);
	CHECK_OK(doca_pe_destroy(pe));
	close_all();
}

/* Without the quirk, an IDLE child does not block the stop. */
static void idle_child(void)
{
	open_all("Q2");
	CHECK_ERROR(doca_ctx_stop(client.ctx), DOCA_ERROR_IN_USE);
	CHECK_EQ(side_state(&client), DOCA_CTX_STATE_RUNNING);
	data_open_producer(&producer, &server, server.pe);
	data_stop(&producer, &server, &client);
	CHECK_ERROR(doca_comch_server_disconnect(server.server, server.connection), DOCA_ERROR_IN_USE);
	data_close(&producer);
	data_close(&consumer);
	close_all();
	open_all("");
	CHECK_ERROR(doca_ctx_stop(client.ctx), DOCA_ERROR_IN_PROGRESS);
	data_close(&consumer);
	close_all();
}

static void stop_client_when_idle(const union doca_data user_data, struct doca_ctx *ctx, enum doca_ctx_states previous,
				  enum doca_ctx_states next)
{
	(void)user_data;
	(void)ctx;
	(void)previous;
	if (next != DOCA_CTX_STATE_IDLE)
		return;
	data_close(&consumer);
	CHECK_ERROR(doca_ctx_stop(client.ctx), in_idle_callback == 0 ? DOCA_ERROR_IN_PROGRESS : DOCA_ERROR_IN_USE);
	in_idle_callback++;
}

static void stop_one_turn_later(const char *quirks)
{
	open_all(quirks);
	CHECK_OK(doca_ctx_set_state_changed_cb(consumer.ctx, stop_client_when_idle));
	CHECK_ERROR(doca_ctx_start(consumer.ctx), DOCA_ERROR_IN_PROGRESS);
	UNTIL(data_state(&consumer) == DOCA_CTX_STATE_RUNNING);
	CHECK_OK(data_post(&consumer, 0, 10)); /* so that IDLE needs a progress */
	CHECK_ERROR(doca_ctx_stop(consumer.ctx), DOCA_ERROR_IN_PROGRESS);
	int seen = in_idle_callback;
	UNTIL(in_idle_callback > seen);
	if (side_state(&client) == DOCA_CTX_STATE_RUNNING) { /* the stop succeeds one turn later */
		side_progress(&client);
		CHECK_ERROR(doca_ctx_stop(client.ctx), DOCA_ERROR_IN_PROGRESS);
	}
	close_all();
}

static void disconnect_again(void)
{
	open_all("Q4");
	data_close(&consumer);
	for (int i = 0; i < 3; i++)
		CHECK_ERROR(doca_comch_server_disconnect(server.server, server.connection), DOCA_ERROR_AGAIN);
	CHECK_OK(doca_comch_server_disconnect(server.server, server.connection));
	UNTIL(side_state(&client) == DOCA_CTX_STATE_IDLE);
	server.num_disconnected++; /* the server disconnected, so it gets no event */
	close_all();
}

static void refused_credit(void)
{
	open_all("Q5");
	data_start_consumer(&consumer, &server, &client);
	data_open_producer(&producer, &server, server.pe);
	for (int i = 1; i <= 3; i++) {
		CHECK_ERROR(data_send(&producer, 0, 10, NULL, 0, consumer.id), DOCA_ERROR_AGAIN);
		CHECK_OK(data_post(&consumer, 0, 10));
		CHECK_ERROR(data_send(&producer, 0, 10, NULL, 0, consumer.id), DOCA_ERROR_AGAIN);
		CHECK_OK(data_send(&producer, 0, 10, NULL, 0, consumer.id));
		UNTIL(consumer.completed == i);
	}
	data_stop(&consumer, &server, &client);
	data_stop(&producer, &server, &client);
	data_close(&consumer);
	data_close(&producer);
	close_all();
}

static void mandatory_callbacks(void)
{
	struct doca_comch_server *bare_server;
	struct doca_comch_client *bare_client;
	struct doca_pe *pe;

	open_all("Q11");
	data_close(&consumer);
	CHECK_OK(doca_pe_create(&pe));
	CHECK_OK(doca_comch_server_create(server.dev, server.rep, "bare", &bare_server));
	CHECK_OK(doca_comch_client_create(client.dev, "bare", &bare_client));
	CHECK_OK(doca_pe_connect_ctx(pe, doca_comch_server_as_ctx(bare_server)));
	CHECK_OK(doca_pe_connect_ctx(pe, doca_comch_client_as_ctx(bare_client)));
	CHECK_ERROR(doca_ctx_start(doca_comch_server_as_ctx(bare_server)), DOCA_ERROR_BAD_CONFIG);
	CHECK_ERROR(doca_ctx_start(doca_comch_client_as_ctx(bare_client)), DOCA_ERROR_BAD_CONFIG);
	CHECK_OK(softdpu_quirks_set(""));
	CHECK_OK(doca_ctx_start(doca_comch_server_as_ctx(bare_server)));
	CHECK_OK(doca_ctx_stop(doca_comch_server_as_ctx(bare_server)));
	CHECK_OK(doca_comch_server_destroy(bare_server));
	CHECK_OK(doca_comch_client_destroy(bare_client));
	CHECK_OK(doca_pe_destroy(pe));
	close_all();
}

static void received_early(struct doca_comch_consumer_task_post_recv *task, union doca_data task_data, union doca_data ctx_data)
{
	(void)task_data;
	(void)ctx_data;
	data_ended(&consumer, doca_comch_consumer_task_post_recv_as_task(task)); /* its buffer was released before */
}

/* Message memory and buffers are released right after the submission of their tasks. */
static void early_release(void)
{
	struct doca_comch_consumer_task_post_recv *task;
	char *message = malloc(8);
	struct doca_buf *buf;

	open_all("Q22");
	CHECK_OK(doca_comch_consumer_task_post_recv_set_conf(consumer.consumer, received_early, received_early, DATA_TASKS));
	data_start_consumer(&consumer, &server, &client);
	data_open_producer(&producer, &server, server.pe);
	CHECK(message != NULL);
	memcpy(message, "message", 8);
	CHECK_OK(side_send(&client, message, 8));
	memset(message, 'x', 8);
	free(message);
	UNTIL(server.num_received == 1);
	CHECK(memcmp(server.last_message, "message", 8) == 0);

	CHECK_OK(doca_buf_inventory_buf_get_by_addr(consumer.inventory, consumer.map, consumer.memory, 100, &buf));
	CHECK_OK(doca_comch_consumer_task_post_recv_alloc_init(consumer.consumer, buf, &task));
	CHECK_OK(doca_task_submit(doca_comch_consumer_task_post_recv_as_task(task)));
	rig_drop(buf);
	memset(producer.memory, 0x77, 100);
	CHECK_OK(data_send(&producer, 0, 100, NULL, 0, consumer.id)); /* releases its buffer at once */
	UNTIL(consumer.completed == 1 && producer.completed == 1);
	CHECK(memcmp(consumer.memory, producer.memory, 100) == 0);
	data_stop(&consumer, &server, &client);
	data_stop(&producer, &server, &client);
	data_close(&consumer);
	data_close(&producer);
	close_all();
}

int main(void)
{
	make_own_folder();
	CHECK_ERROR(softdpu_quirks_set("Q1,Q99"), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(softdpu_quirks_set("Q1, Q2,Q22"));
	lost_start();
	idle_child();
	stop_one_turn_later("");
	in_idle_callback = 1;
	stop_one_turn_later("Q3");
	disconnect_again();
	refused_credit();
	mandatory_callbacks();
	early_release();
	remove_own_folder();
	return 0;
}
