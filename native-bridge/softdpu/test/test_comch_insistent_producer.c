/*
 * A program submits to a new consumer inside the consumer's event, repeatedly until the result is not AGAIN. The engine of
 * that program makes no progress during that time. The consumer must become RUNNING nevertheless, or its owner could never
 * post.
 */
#include <pthread.h>

#include "comch_data.h"

static struct side server, client;
static struct data consumer, producer;

static void submit_repeatedly(struct side *side, uint32_t id)
{
	uint64_t deadline = rig_now_ms() + RIG_LIMIT_S * 1000;
	doca_error_t result;

	(void)side;
	memset(producer.memory, 0x5c, 3000);
	do {
		result = data_send(&producer, 0, 3000, NULL, 0, id);
		CHECK(rig_now_ms() < deadline);
	} while (result == DOCA_ERROR_AGAIN);
	CHECK_OK(result);
}

/* The client's side of the program, with a separate engine. */
static void *receive(void *argument)
{
	(void)argument;
	CHECK_ERROR(doca_ctx_start(consumer.ctx), DOCA_ERROR_IN_PROGRESS);
	RIG_PROGRESS_UNTIL(client.pe, data_state(&consumer) == DOCA_CTX_STATE_RUNNING);
	CHECK_OK(data_post(&consumer, 0, DATA_SLOT));
	RIG_PROGRESS_UNTIL(client.pe, consumer.completed == 1);
	return NULL;
}

int main(void)
{
	pthread_t thread;

	make_own_folder();
	sides_open(&server, &client, "insistent");
	server.on_new_consumer = submit_repeatedly;
	data_open_producer(&producer, &server, server.pe);
	data_create_consumer(&consumer, &client, client.pe);
	CHECK(pthread_create(&thread, NULL, receive, NULL) == 0);
	RIG_PROGRESS_UNTIL(server.pe, producer.completed == 1);
	CHECK(pthread_join(thread, NULL) == 0);
	CHECK_EQ(server.num_consumers, 1);
	CHECK_EQ(consumer.last_data_len, 3000);
	CHECK_EQ(consumer.memory[2999], 0x5c);
	data_stop(&consumer, &client, &server);
	data_stop(&producer, &client, &server);
	data_close(&consumer);
	data_close(&producer);
	sides_close(&server, &client);
	remove_own_folder();
	return 0;
}
