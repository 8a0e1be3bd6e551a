/* Faults of the plan on messages, receives and sends: fail, again, delay, corrupt; and a device that goes away. */
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
	CHECK_OK(side_send(&client, "next", 4)); /* a late completion does not hold messages back */
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
	CHECK_OK(data_post(&consumer, 0, 100)); /* not used up by what was not carried out */
	CHECK_OK(data_send(&producer, 0, 10, NULL, 0, consumer.id));
	UNTIL(producer.failed == 1);
	UNTIL(data_send(&producer, 0, 20, NULL, 0, consumer.id) == DOCA_SUCCESS); /* the buffer comes back */
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

/* The host's device is lost: client and consumer stop by themselves, the server sees its client go. */
static void device_lost(void)
{
	CHECK_OK(data_post(&consumer, 0, 100));
	CHECK_OK(softdpu_faults_set("comch-send:lost:nth=1"));
	CHECK_OK(side_send(&client, "last", 4));
	UNTIL(side_state(&client) == DOCA_CTX_STATE_IDLE && data_state(&consumer) == DOCA_CTX_STATE_IDLE);
	UNTIL(server.num_disconnected == 1);
	CHECK_EQ(client.num_failed, 2);
	softdpu_faults_clear();
}

int main(void)
{
	make_own_folder();
	sides_open(&server, &client, "faults");
	data_create_consumer(&consumer, &client, client.pe);
	data_start_consumer(&consumer, &server, &client);
	data_open_producer(&producer, &server, server.pe);
	on_messages();
	on_data();
	device_lost();
	data_stop(&producer, &server, &client);
	data_close(&producer);
	data_close(&consumer);
	sides_close(&server, &client);
	remove_own_folder();
	return 0;
}
