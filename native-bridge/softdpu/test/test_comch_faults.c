/*
 * Faults of the plan on messages, receives and sends: fail, again, delay, corrupt, by count, interval and probability. Also:
 * completions after all contexts were asked to stop, and a lost device.
 */
#include "comch_data.h"

static struct side server, client;
static struct data consumer, producer;

#define UNTIL(condition) SIDE_PROGRESS_UNTIL(&server, &client, condition)

static void on_messages(void)
{
	struct doca_comch_task_send *task;

	CHECK_OK(softdpu_faults_set("comch-send:fail=IO_FAILED:nth=2 ; comch-send:corrupt:nth=3"));
	for (int i = 0; i < 4; i++)
		CHECK_OK(side_send(&client, i % 2 ? "odd" : "even", 4));
	UNTIL(client.num_sent == 3 && client.num_failed == 1 && server.num_received == 3);
	CHECK(memcmp(server.last_message, "odd", 4) == 0);

	CHECK_OK(softdpu_faults_set("comch-send:again=2:nth=1 ; comch-send:delay=20ms:nth=1"));
	CHECK_OK(side_alloc(&client, "late", 4, &task));
	CHECK_ERROR(doca_task_submit(doca_comch_task_send_as_task(task)), DOCA_ERROR_AGAIN);
	CHECK_ERROR(doca_task_submit(doca_comch_task_send_as_task(task)), DOCA_ERROR_AGAIN);
	CHECK_OK(doca_task_submit(doca_comch_task_send_as_task(task)));
	CHECK_OK(side_send(&client, "next", 4)); /* a late completion does not delay messages */
	UNTIL(server.num_received == 5 && client.num_sent == 4);
	UNTIL(client.num_sent == 5);

	CHECK_OK(softdpu_faults_set("comch-send:delay=5ms")); /* a stopped context waits for it */
	CHECK_OK(side_send(&server, "late", 4));
	UNTIL(client.num_received == 1);
	softdpu_faults_clear();
}

static void on_data(void)
{
	CHECK_OK(softdpu_faults_set("comch-producer-send:fail:nth=1"));
	CHECK_OK(data_post(&consumer, 0, 100)); /* a send that was not executed consumes no buffer */
	CHECK_OK(data_send(&producer, 0, 10, NULL, 0, consumer.id));
	UNTIL(producer.failed == 1);
	UNTIL(data_send(&producer, 0, 20, NULL, 0, consumer.id) == DOCA_SUCCESS); /* the buffer becomes available again */
	UNTIL(consumer.completed == 1 && producer.completed == 1);
	CHECK_EQ(consumer.last_data_len, 20);

	CHECK_OK(softdpu_faults_set("comch-post-recv:fail=NO_MEMORY:nth=1 ; comch-post-recv:corrupt:nth=2"));
	memset(producer.memory, 0x55, 100);
	CHECK_OK(data_post(&consumer, 0, 100));
	CHECK_OK(data_post(&consumer, 1, 100));
	CHECK_OK(data_send(&producer, 0, 100, NULL, 0, consumer.id));
	UNTIL(consumer.failed == 1 && consumer.completed == 2);
	CHECK_EQ(consumer.memory[DATA_SLOT + 50], 0x54);

	CHECK_OK(softdpu_faults_set("comch-producer-send:corrupt:nth=1 ; comch-producer-send:delay=10ms:nth=2 ; "
				    "comch-post-recv:delay=10ms:nth=2"));
	for (int i = 0; i < 2; i++) {
		CHECK_OK(data_post(&consumer, 2, 100));
		CHECK_OK(data_send(&producer, 0, 100, NULL, 0, consumer.id));
		UNTIL(consumer.completed == 3 + i && producer.completed == 3 + i);
		CHECK_EQ(consumer.memory[2 * DATA_SLOT + 50], i == 0 ? 0x54 : 0x55);
		CHECK_EQ(producer.memory[50], 0x55);
	}
	softdpu_faults_clear();
}

/* The host's device is lost: client and consumer stop, and the server sees the disconnect. */
static void device_lost(void)
{
	int failed = client.num_failed, received = server.num_received;

	CHECK_OK(data_post(&consumer, 0, 100));
	CHECK_OK(softdpu_faults_set("comch-send:lost:nth=1"));
	CHECK_OK(side_send(&client, "last", 4));
	CHECK_OK(side_send(&client, "behind", 6)); /* must not overtake the lost one */
	UNTIL(side_state(&client) == DOCA_CTX_STATE_IDLE && data_state(&consumer) == DOCA_CTX_STATE_IDLE);
	UNTIL(server.num_disconnected == 1);
	CHECK_EQ(client.num_failed, failed + 2);
	CHECK_EQ(server.num_received, received);
	softdpu_faults_clear();
}

/* Every third message, every second receive, the first three sends. */
static void by_interval(void)
{
	int sent = client.num_sent, failed = client.num_failed, received = consumer.completed, data_failed = consumer.failed;
	struct doca_comch_task_send *task;

	CHECK_OK(softdpu_faults_set("comch-send:fail=TIME_OUT:every=3 ; comch-send:again:every=4"));
	for (int i = 1; i <= 9; i++) {
		CHECK_OK(side_alloc(&client, "message", 7, &task));
		if (i % 4 == 0)
			CHECK_ERROR(doca_task_submit(doca_comch_task_send_as_task(task)), DOCA_ERROR_AGAIN);
		CHECK_OK(doca_task_submit(doca_comch_task_send_as_task(task)));
	}
	UNTIL(client.num_sent == sent + 6 && client.num_failed == failed + 3);
	CHECK_OK(softdpu_faults_set("comch-post-recv:fail:every=2 ; comch-producer-send:again:first=3"));
	for (uint64_t n = 0; n < 6; n++)
		CHECK_OK(data_post(&consumer, n, 100));
	for (int i = 0; i < 3; i++) {
		CHECK_ERROR(data_send(&producer, 0, 10, NULL, 0, consumer.id), DOCA_ERROR_AGAIN);
		CHECK_OK(data_send(&producer, 0, 10, NULL, 0, consumer.id));
	}
	UNTIL(consumer.completed == received + 3 && consumer.failed == data_failed + 3);
	softdpu_faults_clear();
}

/* A receive is refused for a while, like any submission. */
static void again_on_receives(void)
{
	struct doca_comch_consumer_task_post_recv *task;
	int received = consumer.completed;
	struct doca_buf *buf;

	CHECK_OK(softdpu_faults_set("comch-post-recv:again=3:nth=1"));
	CHECK_OK(doca_buf_inventory_buf_get_by_addr(consumer.inventory, consumer.map, consumer.memory, 100, &buf));
	CHECK_OK(doca_comch_consumer_task_post_recv_alloc_init(consumer.consumer, buf, &task));
	for (int i = 0; i < 3; i++)
		CHECK_ERROR(doca_task_submit(doca_comch_consumer_task_post_recv_as_task(task)), DOCA_ERROR_AGAIN);
	CHECK_ERROR(data_send(&producer, 0, 10, NULL, 0, consumer.id), DOCA_ERROR_AGAIN); /* no buffer is posted */
	CHECK_OK(doca_task_submit(doca_comch_consumer_task_post_recv_as_task(task)));
	CHECK_OK(data_send(&producer, 0, 10, NULL, 0, consumer.id));
	UNTIL(consumer.completed == received + 1);
	softdpu_faults_clear();
}

/* The completion is due after the context was asked to stop: the context waits for it, and the task succeeds. */
static void late(void)
{
	int received = consumer.completed, sent = producer.completed;

	CHECK_OK(softdpu_faults_set("comch-post-recv:delay=50ms"));
	CHECK_OK(data_post(&consumer, 0, 100));
	CHECK_OK(data_send(&producer, 0, 10, NULL, 0, consumer.id));
	UNTIL(producer.completed == sent + 1); /* the data has arrived, */
	CHECK_EQ(consumer.completed, received); /* without a completion */
	data_stop(&consumer, &server, &client);
	CHECK_EQ(consumer.completed, received + 1);

	data_start_consumer(&consumer, &server, &client);
	CHECK_OK(softdpu_faults_set("comch-producer-send:delay=50ms"));
	CHECK_OK(data_post(&consumer, 0, 100));
	CHECK_OK(data_send(&producer, 0, 10, NULL, 0, consumer.id));
	UNTIL(consumer.completed == received + 2);
	CHECK_EQ(producer.completed, sent + 1);
	data_stop(&producer, &server, &client);
	CHECK_EQ(producer.completed, sent + 2);
	softdpu_faults_clear();
}

static uint32_t failing_messages(uint64_t seed)
{
	uint32_t failing = 0;

	CHECK_OK(softdpu_set_seed(seed));
	sides_open(&server, &client, "chance");
	CHECK_OK(softdpu_faults_set("comch-send:fail:p=0.5"));
	for (int i = 0; i < 32; i++) {
		int failed = client.num_failed;

		CHECK_OK(side_send(&client, "message", 7));
		UNTIL(client.num_sent + client.num_failed == i + 1);
		failing |= (uint32_t)(client.num_failed > failed) << i;
	}
	softdpu_faults_clear();
	sides_close(&server, &client);
	return failing;
}

static void by_chance(void)
{
	uint32_t failing = failing_messages(1);

	CHECK(failing != 0 && failing != UINT32_MAX);
	CHECK_EQ(failing_messages(1), failing);
	CHECK(failing_messages(2) != failing);
}

int main(void)
{
	make_own_folder();
	by_chance();
	sides_open(&server, &client, "faults");
	data_create_consumer(&consumer, &client, client.pe);
	data_start_consumer(&consumer, &server, &client);
	data_open_producer(&producer, &server, server.pe);
	on_messages();
	on_data();
	by_interval();
	again_on_receives();
	late();
	device_lost();
	data_close(&producer);
	data_close(&consumer);
	sides_close(&server, &client);
	remove_own_folder();
	return 0;
}
