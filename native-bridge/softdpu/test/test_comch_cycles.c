/* 500 clients connect and disconnect, each with a consumer and data: the numbers of descriptors and the memory do not grow. */
#include <malloc.h>

#include "comch_data.h"

enum { WARM_UP = 50, CYCLES = 500 };

static struct side server, client;

static void cycle(int n)
{
	struct data consumer, producer;

	side_connect(&server, &client);
	CHECK_OK(side_send(&client, "hello", 5));
	SIDE_PROGRESS_UNTIL(&server, &client, server.num_received == n);
	data_create_consumer(&consumer, &client, client.pe);
	data_start_consumer(&consumer, &server, &client);
	data_open_producer(&producer, &server, server.pe);
	CHECK_OK(data_post(&consumer, 0, 100));
	CHECK_OK(data_send(&producer, 0, 100, NULL, 0, consumer.id));
	SIDE_PROGRESS_UNTIL(&server, &client, consumer.completed == 1 && producer.completed == 1);
	data_stop(&consumer, &server, &client);
	data_stop(&producer, &server, &client);
	data_close(&consumer);
	data_close(&producer);
	if (n % 2) {
		side_stop(&client, &server);
		SIDE_PROGRESS_UNTIL(&server, NULL, server.num_disconnected == (n + 1) / 2);
	} else {
		SIDE_PROGRESS_UNTIL(&server, &client,
				    doca_comch_server_disconnect(server.server, server.connection) == DOCA_SUCCESS);
		SIDE_PROGRESS_UNTIL(&server, &client, side_state(&client) == DOCA_CTX_STATE_IDLE);
	}
}

int main(void)
{
	size_t memory;
	int descriptors, n = 0;

	make_own_folder();
	side_create_server(&server, "cycles");
	side_create_client(&client, "cycles");
	CHECK_OK(doca_ctx_start(server.ctx));
	while (n < WARM_UP)
		cycle(++n);
	descriptors = count_descriptors();
	memory = mallinfo2().uordblks;
	while (n < CYCLES)
		cycle(++n);
	CHECK_EQ(count_descriptors(), descriptors);
	CHECK(mallinfo2().uordblks < memory + 65536);
	side_close(&client, &server);
	side_close(&server, NULL);
	rig_check_nothing_is_left();
	remove_own_folder();
	return 0;
}
