/* Arguments, states and limits of the calls; functions for accelerators return NOT_SUPPORTED. */
#include "comch_data.h"

static struct side server, client;

static void check_capabilities(void)
{
	const struct doca_devinfo *dpu = doca_dev_as_devinfo(server.dev), *host = doca_dev_as_devinfo(client.dev);
	uint32_t value;

	CHECK_OK(doca_comch_cap_server_is_supported(dpu));
	CHECK_ERROR(doca_comch_cap_server_is_supported(host), DOCA_ERROR_NOT_SUPPORTED);
	CHECK_OK(doca_comch_cap_client_is_supported(host));
	CHECK_ERROR(doca_comch_cap_client_is_supported(dpu), DOCA_ERROR_NOT_SUPPORTED);
	CHECK_ERROR(doca_comch_cap_client_is_supported(NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_comch_cap_get_max_msg_size(host, &value));
	CHECK_EQ(value, SIDE_MESSAGE);
	CHECK_OK(doca_comch_cap_get_max_name_len(host, &value));
	CHECK_EQ(value, 120);
	CHECK_ERROR(doca_comch_cap_get_max_clients(host, NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_comch_consumer_cap_is_supported(host));
	CHECK_OK(doca_comch_producer_cap_is_supported(dpu));
	CHECK_OK(doca_comch_consumer_cap_get_max_imm_data_len(host, &value));
	CHECK_EQ(value, 32);
	CHECK_OK(doca_comch_consumer_cap_get_max_buf_list_len(host, &value));
	CHECK_EQ(value, 1);
	CHECK_OK(doca_comch_producer_cap_get_max_buf_list_len(host, &value));
	CHECK(value > 1);
	CHECK_OK(doca_comch_consumer_cap_get_max_buf_size(host, &value));
	CHECK(value >= 1 << 20);
}

static void check_names(void)
{
	struct doca_comch_client *other;
	char name[121];

	memset(name, 'n', sizeof(name));
	name[120] = '\0';
	CHECK_ERROR(doca_comch_client_create(client.dev, name, &other), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_comch_client_create(client.dev, "", &other), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_comch_client_create(client.dev, NULL, &other), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_comch_client_create(server.dev, "name", &other), DOCA_ERROR_NOT_SUPPORTED);
	name[119] = '\0';
	CHECK_OK(doca_comch_client_create(client.dev, name, &other));
	CHECK_OK(doca_comch_client_destroy(other));
}

static void check_idle_settings(void)
{
	struct doca_dev *dev;
	struct doca_dev_rep *rep;
	uint32_t value;

	CHECK_OK(doca_comch_server_get_max_msg_size(server.server, &value));
	CHECK_EQ(value, SIDE_MESSAGE);
	CHECK_ERROR(doca_comch_server_set_max_msg_size(server.server, SIDE_MESSAGE + 1), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_comch_server_set_max_msg_size(server.server, 0), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_comch_client_set_recv_queue_size(client.client, 32));
	CHECK_OK(doca_comch_client_get_recv_queue_size(client.client, &value));
	CHECK_EQ(value, 32);
	CHECK_ERROR(doca_comch_client_set_recv_queue_size(client.client, 1 << 20), DOCA_ERROR_INVALID_VALUE);
	CHECK_OK(doca_comch_server_get_device(server.server, &dev));
	CHECK(dev == server.dev);
	CHECK_OK(doca_comch_server_get_device_rep(server.server, &rep));
	CHECK(rep == server.rep);
	CHECK_OK(doca_comch_client_get_device(client.client, &dev));
	CHECK(dev == client.dev);
	CHECK_ERROR(doca_comch_server_task_send_set_conf(server.server, side_send_ended, side_send_ended, 100000),
		    DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_comch_client_event_msg_recv_register(client.client, NULL), DOCA_ERROR_INVALID_VALUE);
}

static void check_running_settings(void)
{
	CHECK_ERROR(doca_comch_server_set_max_msg_size(server.server, 100), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_comch_client_set_recv_queue_size(client.client, 8), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_comch_server_event_msg_recv_register(server.server, side_received), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_comch_client_event_consumer_register(client.client, side_new_consumer, side_expired_consumer),
		    DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_comch_server_event_connection_status_changed_register(server.server, side_connected, side_disconnected),
		    DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_comch_client_task_send_set_conf(client.client, side_send_ended, side_send_ended, 4), DOCA_ERROR_BAD_STATE);
	CHECK_ERROR(doca_comch_server_destroy(server.server), DOCA_ERROR_IN_USE);
	CHECK_ERROR(doca_comch_client_destroy(client.client), DOCA_ERROR_IN_USE);
}

static void check_accelerators(struct doca_comch_consumer *consumer, struct doca_comch_producer *producer)
{
	struct doca_comch_consumer_completion *completion = (struct doca_comch_consumer_completion *)consumer;
	struct doca_comch_gpu_consumer *gpu;
	doca_dpa_dev_comch_consumer_t dpa;

	CHECK_ERROR(doca_comch_consumer_completion_create(&completion), DOCA_ERROR_NOT_SUPPORTED);
	CHECK_ERROR(doca_comch_consumer_completion_create(NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_comch_consumer_set_completion(consumer, completion, 0), DOCA_ERROR_NOT_SUPPORTED);
	CHECK_ERROR(doca_comch_consumer_get_dpa_handle(consumer, &dpa), DOCA_ERROR_NOT_SUPPORTED);
	CHECK_ERROR(doca_comch_consumer_get_gpu_handle(consumer, &gpu), DOCA_ERROR_NOT_SUPPORTED);
	CHECK_ERROR(doca_comch_consumer_get_gpu_handle(consumer, NULL), DOCA_ERROR_INVALID_VALUE);
	CHECK_ERROR(doca_comch_producer_set_dev_max_num_send(producer, 4), DOCA_ERROR_NOT_SUPPORTED);
	CHECK_ERROR(doca_comch_producer_set_dev_max_num_send(NULL, 4), DOCA_ERROR_INVALID_VALUE);
}

/* Creates the largest number of a connection, each with a different id; then NO_MEMORY. */
static void check_limits(void)
{
	struct doca_comch_producer *producers[128];
	struct data consumer;
	uint32_t limit, id, ids[128], n;

	CHECK_OK(doca_comch_producer_cap_get_max_producers(doca_dev_as_devinfo(server.dev), &limit));
	CHECK(limit < 128);
	for (n = 0; n < limit; n++) {
		CHECK_OK(doca_comch_producer_create(server.connection, &producers[n]));
		CHECK_OK(doca_comch_producer_get_id(producers[n], &ids[n]));
		CHECK(ids[n] != 0);
		for (uint32_t i = 0; i < n; i++)
			CHECK(ids[i] != ids[n]);
	}
	CHECK_ERROR(doca_comch_producer_create(server.connection, &producers[n]), DOCA_ERROR_NO_MEMORY);
	data_create_consumer(&consumer, &server, server.pe);
	CHECK_OK(doca_comch_consumer_get_id(consumer.consumer, &id));
	check_accelerators(consumer.consumer, producers[0]);
	data_close(&consumer);
	while (n-- > 0)
		CHECK_OK(doca_comch_producer_destroy(producers[n]));
}

int main(void)
{
	make_own_folder();
	side_create_server(&server, "settings");
	side_create_client(&client, "settings");
	check_capabilities();
	check_names();
	check_idle_settings();
	CHECK_OK(doca_ctx_start(server.ctx));
	side_connect(&server, &client);
	check_running_settings();
	check_limits();
	sides_close(&server, &client);
	remove_own_folder();
	return 0;
}
