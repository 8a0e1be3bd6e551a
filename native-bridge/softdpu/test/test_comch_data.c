/*
 * The fast path: a send fills one posted buffer, in the order of posting, and credit becomes visible without progress. Also:
 * immediate data, too small buffers, unknown consumers, lists. A consumer that stops returns its unfilled buffers.
 */
#include "comch_data.h"

static struct side server, client;
static struct data consumer, producer;

#define UNTIL(condition) SIDE_PROGRESS_UNTIL(&server, &client, condition)

static void check_credit(void)
{
	uint8_t imm[32];

	for (size_t i = 0; i < sizeof(imm); i++)
		imm[i] = (uint8_t)(200 + i);
	memset(producer.memory, 7, DATA_SLOT);
	CHECK_ERROR(data_send(&producer, 0, 100, NULL, 0, consumer.id), DOCA_ERROR_AGAIN);
	CHECK_OK(data_post(&consumer, 1, DATA_SLOT));
	CHECK_OK(data_send(&producer, 0, DATA_SLOT, imm, sizeof(imm), consumer.id)); /* without progress in between */
	CHECK_ERROR(data_send(&producer, 0, 100, NULL, 0, consumer.id), DOCA_ERROR_AGAIN);
	UNTIL(consumer.completed == 1 && producer.completed == 1);
	CHECK_EQ(consumer.last_data_len, DATA_SLOT);
	CHECK(memcmp(consumer.memory + DATA_SLOT, producer.memory, DATA_SLOT) == 0);
	CHECK_EQ(consumer.last_producer, producer.id);
	CHECK_EQ(consumer.last_imm_len, sizeof(imm));
	CHECK(memcmp(consumer.last_imm, imm, sizeof(imm)) == 0);
}

static void check_imm_only(void)
{
	CHECK_OK(data_post(&consumer, 2, 16));
	CHECK_OK(data_send(&producer, 0, 0, "x", 1, consumer.id));
	UNTIL(consumer.completed == 2 && producer.completed == 2);
	CHECK_EQ(consumer.last_data_len, 0);
	CHECK_EQ(consumer.last_imm_len, 1);
	CHECK_EQ(consumer.last_imm[0], 'x');
}

/* Many transfers in flight on several hardware threads: filled and reported in the order of submission. */
static void check_order(void)
{
	int received = consumer.completed, sent = producer.completed;

	for (uint64_t n = 0; n < DATA_TASKS; n++)
		CHECK_OK(data_post(&consumer, n, DATA_SLOT));
	CHECK_ERROR(data_post(&consumer, 0, 1), DOCA_ERROR_NO_MEMORY);
	for (uint64_t n = 0; n < DATA_TASKS; n++) {
		memset(producer.memory + n * DATA_SLOT, (int)n + 1, DATA_SLOT);
		CHECK_OK(data_send(&producer, n, n % 2 ? 1 : DATA_SLOT, &n, sizeof(n), consumer.id));
	}
	UNTIL(consumer.completed == received + DATA_TASKS && producer.completed == sent + DATA_TASKS);
	for (uint64_t n = 0; n < DATA_TASKS; n++) {
		CHECK_EQ(consumer.order[received + (int)n], n);
		CHECK_EQ(consumer.memory[n * DATA_SLOT], n + 1);
	}
}

static void check_failures(void)
{
	int received = consumer.completed;

	CHECK_OK(data_post(&consumer, 0, 99)); /* too small: both tasks fail, the buffer is consumed */
	CHECK_OK(data_send(&producer, 0, 100, NULL, 0, consumer.id));
	UNTIL(consumer.failed == 1 && producer.failed == 1);
	CHECK_EQ(consumer.last_status, DOCA_ERROR_IO_FAILED);
	CHECK_EQ(producer.last_status, DOCA_ERROR_IO_FAILED);
	CHECK_OK(data_send(&producer, 0, 100, NULL, 0, 9999));
	UNTIL(producer.failed == 2);
	CHECK_EQ(producer.last_status, DOCA_ERROR_NOT_CONNECTED);
	CHECK_OK(data_send(&producer, 0, 100, NULL, 0, 0));
	UNTIL(producer.failed == 3);
	CHECK_ERROR(data_send(&producer, 0, 100, producer.memory, 33, consumer.id), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(data_send(&producer, 0, 0, NULL, 0, consumer.id), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(data_send(&producer, 0, 100, NULL, 0, consumer.id), DOCA_ERROR_AGAIN);
	CHECK_EQ(consumer.completed, received);
}

/* A list is gathered into one buffer, after the content of the buffer. */
static void check_list(void)
{
	struct doca_comch_consumer_task_post_recv *post;
	struct doca_comch_producer_task_send *send;
	struct doca_buf *first, *second, *room;
	int received = consumer.completed;

	memset(producer.memory, 'a', 10);
	memset(producer.memory + DATA_SLOT, 'b', 20);
	memset(consumer.memory, 0, 100);
	CHECK_OK(doca_buf_inventory_buf_get_by_data(producer.inventory, producer.map, producer.memory, 10, &first));
	CHECK_OK(doca_buf_inventory_buf_get_by_data(producer.inventory, producer.map, producer.memory + DATA_SLOT, 20, &second));
	CHECK_OK(doca_buf_chain_list(first, second));
	CHECK_OK(doca_buf_inventory_buf_get_by_args(consumer.inventory, consumer.map, consumer.memory, 100, consumer.memory, 5, &room));
	CHECK_OK(doca_comch_consumer_task_post_recv_alloc_init(consumer.consumer, room, &post));
	CHECK(doca_comch_consumer_task_post_recv_get_buf(post) == room);
	CHECK_OK(doca_task_submit(doca_comch_consumer_task_post_recv_as_task(post)));
	CHECK_ERROR(doca_comch_producer_task_send_alloc_init(producer.producer, first, NULL, 4, consumer.id, &send),
		    DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_comch_producer_task_send_alloc_init(producer.producer, first, NULL, 0, consumer.id, &send));
	CHECK(doca_comch_producer_task_send_get_buf(send) == first);
	CHECK_EQ(doca_comch_producer_task_send_get_consumer_id(send), consumer.id);
	CHECK_EQ(doca_comch_producer_task_send_get_imm_data_len(send), 0);
	CHECK_OK(doca_task_submit(doca_comch_producer_task_send_as_task(send)));
	rig_drop(first);
	UNTIL(consumer.completed == received + 1);
	CHECK_EQ(consumer.last_data_len, 35);
	CHECK(memcmp(consumer.memory + 5, "aaaaaaaaaabbbbbbbbbbbbbbbbbbbb", 30) == 0);
}

static void check_stop(void)
{
	int failed = consumer.failed;

	for (uint64_t n = 0; n < 5; n++)
		CHECK_OK(data_post(&consumer, n, DATA_SLOT));
	data_stop(&consumer, &server, &client);
	CHECK_EQ(consumer.failed, failed + 5);
	CHECK_EQ(consumer.last_status, DOCA_ERROR_IO_FAILED);
	UNTIL(server.num_expired == 1);
	CHECK_EQ(server.expired_ids[0], consumer.id);
	CHECK_EQ(server.num_consumers, 1);
	CHECK_OK(data_send(&producer, 0, 100, NULL, 0, consumer.id));
	UNTIL(producer.last_status == DOCA_ERROR_NOT_CONNECTED && producer.failed == 4);
}

static void check_creation(void)
{
	struct doca_comch_consumer *refused;
	uint32_t len;

	CHECK_ERROR(doca_comch_consumer_create(client.connection, producer.map, &refused), DOCA_ERROR_NOT_PERMITTED);
	CHECK_ERROR(doca_comch_consumer_create(NULL, consumer.map, &refused), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_comch_consumer_get_imm_data_len(consumer.consumer, &len));
	CHECK_EQ(len, 32);
	CHECK_ERROR(doca_comch_consumer_set_imm_data_len(consumer.consumer, 33), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_comch_consumer_set_imm_data_len(consumer.consumer, 32));
}

int main(void)
{
	int before;

	make_own_folder();
	before = count_descriptors();
	CHECK_OK(softdpu_set_threads(4));
	sides_open(&server, &client, "data");
	data_create_consumer(&consumer, &client, client.pe);
	data_open_producer(&producer, &server, server.pe);
	check_creation();
	data_start_consumer(&consumer, &server, &client);
	CHECK_EQ(server.num_consumers, 1);
	CHECK_EQ(server.new_ids[0], consumer.id);
	CHECK_ERROR(doca_comch_consumer_destroy(consumer.consumer), DOCA_ERROR_IN_USE);
	CHECK_ERROR(doca_comch_producer_destroy(producer.producer), DOCA_ERROR_IN_USE);

	check_credit();
	check_imm_only();
	check_order();
	check_failures();
	check_list();
	check_stop();
	CHECK_EQ(consumer.num_states, 4); /* STARTING, RUNNING, STOPPING, IDLE */
	data_start_consumer(&consumer, &server, &client); /* second start, with the same id */
	UNTIL(server.num_consumers == 2);
	CHECK_OK(data_post(&consumer, 3, 10));
	CHECK_OK(data_send(&producer, 0, 10, NULL, 0, consumer.id));
	UNTIL(consumer.last_data_len == 10 && producer.last_status == DOCA_SUCCESS);
	data_stop(&consumer, &server, &client);
	data_stop(&producer, &server, &client);
	data_close(&consumer);
	data_close(&producer);
	sides_close(&server, &client);
	CHECK_EQ(count_descriptors(), before);
	remove_own_folder();
	return 0;
}
