/*
 * One block, with all calls inside callbacks. The consumer posts when it becomes RUNNING. The producer submits when it becomes
 * RUNNING, inside doca_ctx_start(), until the result is not AGAIN. Each stops when its task has ended. Both have separate
 * engines, and the sender does not progress the engine of its connection.
 */
#include <pthread.h>

#include "comch_data.h"

static struct side server, client;
static struct data consumer, producer;
static struct doca_pe *consumer_pe, *producer_pe;

static void stop(struct data *data, struct doca_task *task)
{
	doca_error_t result;

	doca_task_free(task);
	result = doca_ctx_stop(data->ctx);
	CHECK(result == DOCA_SUCCESS || result == DOCA_ERROR_IN_PROGRESS);
}

static void consumer_changed(const union doca_data user_data, struct doca_ctx *ctx, enum doca_ctx_states previous,
			     enum doca_ctx_states next)
{
	data_state_changed(user_data, ctx, previous, next);
	if (next == DOCA_CTX_STATE_RUNNING)
		CHECK_OK(data_post(&consumer, 0, DATA_SLOT));
}

static void producer_changed(const union doca_data user_data, struct doca_ctx *ctx, enum doca_ctx_states previous,
			     enum doca_ctx_states next)
{
	uint64_t deadline = rig_now_ms() + RIG_LIMIT_S * 1000;
	doca_error_t result;

	data_state_changed(user_data, ctx, previous, next);
	if (next != DOCA_CTX_STATE_RUNNING)
		return;
	do {
		result = data_send(&producer, 0, 3000, NULL, 0, consumer.id);
		CHECK(rig_now_ms() < deadline);
	} while (result == DOCA_ERROR_AGAIN);
	CHECK_OK(result);
}

static void *receive(void *argument)
{
	uint64_t deadline = rig_now_ms() + RIG_LIMIT_S * 1000;

	(void)argument;
	CHECK_ERROR(doca_ctx_start(consumer.ctx), DOCA_ERROR_IN_PROGRESS);
	while (consumer.completed == 0 || data_state(&consumer) != DOCA_CTX_STATE_IDLE) {
		if (!doca_pe_progress(client.pe) && !doca_pe_progress(consumer_pe))
			sched_yield();
		CHECK(rig_now_ms() < deadline);
	}
	return NULL;
}

static void send_one(void)
{
	data_open_memory(&producer, &server, producer_pe, DOCA_ACCESS_FLAG_PCI_READ_WRITE);
	memset(producer.memory, 0x5c, 3000);
	CHECK_OK(doca_comch_producer_create(server.connection, &producer.producer));
	producer.ctx = doca_comch_producer_as_ctx(producer.producer);
	data_configure(&producer); /* first an engine, then the rest */
	CHECK_OK(doca_ctx_set_state_changed_cb(producer.ctx, producer_changed));
	CHECK_OK(doca_comch_producer_task_send_set_conf(producer.producer, data_sent, data_sent, DATA_TASKS));
	producer.on_ended = stop;
	CHECK_OK(doca_ctx_start(producer.ctx));
	RIG_PROGRESS_UNTIL(producer_pe, producer.completed == 1 && data_state(&producer) == DOCA_CTX_STATE_IDLE);
}

int main(void)
{
	pthread_t thread;

	make_own_folder();
	sides_open(&server, &client, "from-callbacks");
	CHECK_OK(doca_pe_create(&consumer_pe));
	CHECK_OK(doca_pe_create(&producer_pe));
	data_create_consumer(&consumer, &client, consumer_pe);
	CHECK_OK(doca_ctx_set_state_changed_cb(consumer.ctx, consumer_changed));
	consumer.on_ended = stop;
	CHECK(pthread_create(&thread, NULL, receive, NULL) == 0);
	RIG_PROGRESS_UNTIL(server.pe, server.num_consumers == 1);
	send_one();
	CHECK(pthread_join(thread, NULL) == 0);
	CHECK_EQ(consumer.last_data_len, 3000);
	CHECK_EQ(consumer.memory[2999], 0x5c);
	RIG_PROGRESS_UNTIL(server.pe, server.num_expired == 1);
	data_close(&consumer);
	data_close(&producer);
	CHECK_OK(doca_pe_destroy(consumer_pe));
	CHECK_OK(doca_pe_destroy(producer_pe));
	sides_close(&server, &client);
	remove_own_folder();
	return 0;
}
