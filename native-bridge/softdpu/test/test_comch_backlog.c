/* A client whose server has a full backlog connects when the server has accepted others, also while the client's program sleeps. */
#include <poll.h>

#include "comch_raw.h"

enum { MAX_WAITING = 1024 };

static const char name[] = "backlog";
static struct sd_listener listener;
static struct side client;
static int waiting[MAX_WAITING], num_waiting;

static void open_server(void)
{
	char socket_name[SD_RENDEZVOUS_NAME];
	doca_error_t result;
	pid_t peer;

	sd_rendezvous_name(socket_name, "comch", "0000:81:00.0", name);
	CHECK_OK(sd_rendezvous_listen(&listener, socket_name));
	for (num_waiting = 0; num_waiting < MAX_WAITING; num_waiting++) {
		result = sd_rendezvous_connect(socket_name, &waiting[num_waiting], &peer);
		if (result != DOCA_SUCCESS)
			break;
	}
	CHECK_ERROR(result, DOCA_ERROR_AGAIN);
}

static void accept_waiting(void)
{
	pid_t peer;
	int fd;

	for (int i = 0; i < num_waiting; i++) {
		CHECK_OK(sd_rendezvous_accept(&listener, &fd, &peer));
		close(fd);
		close(waiting[i]);
	}
}

/* Waits until the engine or the server has an event. The engine is armed. */
static void sleep_once(void)
{
	doca_notification_handle_t handle;
	struct pollfd fds[2];

	CHECK_OK(doca_pe_get_notification_handle(client.pe, &handle));
	fds[0] = (struct pollfd){ .fd = handle, .events = POLLIN };
	fds[1] = (struct pollfd){ .fd = listener.fd, .events = POLLIN };
	CHECK(poll(fds, 2, 1000 * RIG_LIMIT_S) > 0);
	CHECK_OK(doca_pe_clear_notification(client.pe, handle));
}

/* The backlog has room only while the client's program sleeps. Returns the server's socket. */
static int sleep_until_connected(void)
{
	doca_error_t result;
	pid_t peer;
	int fd;

	CHECK_OK(doca_pe_request_notification(client.pe));
	accept_waiting();
	while ((result = sd_rendezvous_accept(&listener, &fd, &peer)) == DOCA_ERROR_AGAIN) {
		sleep_once();
		while (doca_pe_progress(client.pe))
			;
		CHECK_OK(doca_pe_request_notification(client.pe));
	}
	CHECK_OK(result);
	return fd;
}

static void read_hello(int fd)
{
	struct comch_packet packet;
	struct pollfd socket = { .fd = fd, .events = POLLIN };

	CHECK(poll(&socket, 1, 1000 * RIG_LIMIT_S) == 1);
	CHECK_EQ(recv(fd, &packet, sizeof(packet), 0), sizeof(packet));
	CHECK_EQ(packet.type, COMCH_HELLO);
}

static void begin(enum softdpu_execution execution)
{
	CHECK_OK(softdpu_set_execution(execution));
	open_server();
	side_create_client(&client, name);
	CHECK_ERROR(doca_ctx_start(client.ctx), DOCA_ERROR_IN_PROGRESS);
	for (int i = 0; i < 100; i++)
		doca_pe_progress(client.pe);
	CHECK_EQ(side_state(&client), DOCA_CTX_STATE_STARTING);
}

static void end(void)
{
	side_close(&client, NULL);
	sd_rendezvous_close(&listener);
	rig_check_nothing_is_left();
}

static void client_connects(enum softdpu_execution execution)
{
	int fd;

	begin(execution);
	fd = sleep_until_connected();
	read_hello(fd);
	raw_send(fd, COMCH_WELCOME, SIDE_MESSAGE, NULL, 0, NULL, 0);
	SIDE_PROGRESS_UNTIL(&client, NULL, side_state(&client) == DOCA_CTX_STATE_RUNNING);
	CHECK_OK(softdpu_comch_client_get_failure(client.client));
	close(fd);
	SIDE_PROGRESS_UNTIL(&client, NULL, side_state(&client) == DOCA_CTX_STATE_IDLE);
	end();
}

/* The failure of a client is that of its last attempt, not the full backlog of the earlier ones. */
static void server_refuses(enum softdpu_execution execution)
{
	int fd;

	begin(execution);
	fd = sleep_until_connected();
	read_hello(fd);
	close(fd);
	SIDE_PROGRESS_UNTIL(&client, NULL, side_state(&client) == DOCA_CTX_STATE_IDLE);
	CHECK_ERROR(softdpu_comch_client_get_failure(client.client), DOCA_ERROR_CONNECTION_ABORTED);
	end();
}

static void program_stops(enum softdpu_execution execution)
{
	begin(execution);
	CHECK_OK(doca_pe_request_notification(client.pe));
	side_stop(&client, NULL);
	accept_waiting();
	end();
}

int main(void)
{
	static const enum softdpu_execution executions[] = { SOFTDPU_EXECUTION_THREADS, SOFTDPU_EXECUTION_INLINE };

	make_own_folder();
	for (int i = 0; i < 2; i++) {
		client_connects(executions[i]);
		server_refuses(executions[i]);
		program_stops(executions[i]);
	}
	remove_own_folder();
	return 0;
}
