/* Execution inside doca_pe_progress(): messages and data are as in mode "threads", for every seed, without hardware threads. */
#include "comch_data.h"

enum { SEEDS = 20, BLOCKS = 30 };

static struct side server, client;

static void transfer(uint64_t seed)
{
	struct data consumer, producer;
	struct softdpu_census census;
	uint64_t posted = 0, sent = 0;

	CHECK_OK(softdpu_set_seed(seed));
	sides_open(&server, &client, "inline");
	softdpu_census(&census);
	CHECK_EQ(census.hardware_threads, 1); /* the thread that serves the sockets */
	data_create_consumer(&consumer, &client, client.pe);
	data_start_consumer(&consumer, &server, &client);
	data_open_producer(&producer, &server, server.pe);
	while (consumer.completed < BLOCKS || producer.completed < BLOCKS) {
		int before = consumer.completed + producer.completed;

		while (posted < BLOCKS && (int)posted < consumer.completed + DATA_TASKS)
			CHECK_OK(data_post(&consumer, posted++, DATA_SLOT));
		while (sent < posted && (int)sent < producer.completed + DATA_TASKS) {
			memset(producer.memory + sent % DATA_SLOTS * DATA_SLOT, (int)sent, 100);
			CHECK_OK(data_send(&producer, sent, 100, NULL, 0, consumer.id));
			sent++;
		}
		CHECK_OK(side_send(&client, "tick", 4));
		SIDE_PROGRESS_UNTIL(&server, &client, consumer.completed + producer.completed > before);
	}
	for (uint64_t n = 0; n < BLOCKS; n++)
		CHECK_EQ(consumer.order[n], n); /* for any order of execution */
	data_stop(&consumer, NULL, &client); /* its event waits behind messages that the server has not taken */
	data_stop(&producer, &server, &client);
	data_close(&consumer);
	data_close(&producer);
	sides_close(&server, &client);
	CHECK_EQ(server.num_consumers, 1);
	CHECK_EQ(server.num_expired, 1);
}

int main(void)
{
	make_own_folder();
	CHECK_OK(softdpu_set_execution(SOFTDPU_EXECUTION_INLINE));
	for (uint64_t seed = 1; seed <= SEEDS; seed++)
		transfer(seed);
	remove_own_folder();
	return 0;
}
