/*
 * A server with its largest number of clients refuses the next one and sends the reason, so the client can retry later. A
 * disconnect makes room for a client.
 */
#include <sys/resource.h>

#include "comch_raw.h"
#include "doca_log.h"

enum { LATE_MS = 1000 * RIG_LIMIT_S };

static const char name[] = "full";
static struct side server;

static uint32_t limit_of_clients(void)
{
	uint32_t count;

	CHECK_OK(doca_comch_cap_get_max_clients(doca_dev_as_devinfo(server.dev), &count));
	return count;
}

/* Two descriptors per client, because both ends are in this process. */
static void make_room_for_descriptors(uint32_t clients)
{
	struct rlimit limit;

	CHECK(getrlimit(RLIMIT_NOFILE, &limit) == 0);
	limit.rlim_cur = limit.rlim_max;
	CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0);
	if (limit.rlim_max < 2 * clients + 100)
		SKIP("too few descriptors for as many clients as a server takes");
}

static int connect_when_free(void)
{
	char socket_name[SD_RENDEZVOUS_NAME];
	uint64_t deadline = rig_now_ms() + LATE_MS;
	doca_error_t result;
	pid_t peer;
	int fd;

	sd_rendezvous_name(socket_name, "comch", "0000:81:00.0", name);
	while ((result = sd_rendezvous_connect(socket_name, &fd, &peer)) == DOCA_ERROR_AGAIN && rig_now_ms() < deadline)
		side_progress(&server);
	CHECK_OK(result);
	return fd;
}

static void read_refusal(int fd)
{
	struct comch_packet packet;

	SIDE_PROGRESS_UNTIL(&server, NULL, recv(fd, &packet, sizeof(packet), MSG_DONTWAIT) == sizeof(packet));
	CHECK_EQ(packet.type, COMCH_REFUSED);
	CHECK_EQ(packet.value, DOCA_ERROR_FULL);
	SIDE_PROGRESS_UNTIL(&server, NULL, recv(fd, &packet, sizeof(packet), MSG_DONTWAIT) == 0); /* closed by another thread */
	close(fd);
}

static void client_is_refused(struct side *client)
{
	client->num_states = 0;
	CHECK_ERROR(doca_ctx_start(client->ctx), DOCA_ERROR_IN_PROGRESS);
	SIDE_PROGRESS_UNTIL(&server, client, side_state(client) == DOCA_CTX_STATE_IDLE);
	CHECK_EQ(client->num_states, 3);
	CHECK_EQ(client->states[1], DOCA_CTX_STATE_STOPPING);
	CHECK_ERROR(softdpu_comch_client_get_failure(client->client), DOCA_ERROR_FULL);
}

static void fill_and_refuse(enum softdpu_execution execution)
{
	uint32_t limit;
	struct side client;
	int *fds;

	CHECK_OK(softdpu_set_execution(execution));
	side_create_server(&server, name);
	limit = limit_of_clients();
	make_room_for_descriptors(limit);
	CHECK_OK(doca_ctx_start(server.ctx));
	fds = calloc(limit, sizeof(*fds));
	CHECK(fds != NULL);
	for (uint32_t i = 0; i < limit; i++) {
		fds[i] = connect_when_free();
		raw_greet(fds[i], name, &server, NULL);
	}
	CHECK_EQ(server.num_connected, limit);
	side_create_client(&client, name);
	CHECK_OK(softdpu_comch_client_get_failure(client.client));
	client_is_refused(&client);
	read_refusal(connect_when_free());
	close(fds[0]);
	SIDE_PROGRESS_UNTIL(&server, NULL, server.num_disconnected == 1);
	client.num_states = 0;
	side_connect(&server, &client);
	CHECK_OK(softdpu_comch_client_get_failure(client.client));
	for (uint32_t i = 1; i < limit; i++)
		close(fds[i]);
	free(fds);
	sides_close(&server, &client);
}

static void start_fails(struct side *client, doca_error_t expected)
{
	CHECK_ERROR(doca_ctx_start(client->ctx), DOCA_ERROR_IN_PROGRESS);
	SIDE_PROGRESS_UNTIL(NULL, client, side_state(client) == DOCA_CTX_STATE_IDLE);
	CHECK_ERROR(softdpu_comch_client_get_failure(client->client), expected);
}

static void other_failures(void)
{
	struct side client;

	side_create_client(&client, name);
	start_fails(&client, DOCA_ERROR_NOT_FOUND);
	CHECK_EQ(chmod(own_folder, 0755), 0);
	start_fails(&client, DOCA_ERROR_NOT_PERMITTED);
	CHECK_EQ(chmod(own_folder, 0700), 0);
	CHECK_ERROR(softdpu_comch_client_get_failure(NULL), DOCA_ERROR_INVALID_VALUE);
	side_close(&client, NULL);
}

int main(void)
{
	make_own_folder();
	CHECK_OK(doca_log_level_set_global_sdk_limit(DOCA_LOG_LEVEL_ERROR)); /* each refusal logs a warning */
	fill_and_refuse(SOFTDPU_EXECUTION_THREADS);
	fill_and_refuse(SOFTDPU_EXECUTION_INLINE);
	other_failures();
	remove_own_folder();
	return 0;
}
