/*
 * Several RDMA connections of one context, as a DOCA program without code of this project.
 *
 *   rdma_several receiver export|manager FOLDER COUNT
 *   rdma_several sender export FOLDER COUNT       all connections
 *   rdma_several sender manager FOLDER NUMBER     one of several clients
 *
 * The sender sends its number on each connection. The receiver posts receive tasks for any connection, and each must name its
 * connection. By export, this is the connection with that number; by manager, a different one for each number.
 */
#include <doca_buf.h>

#include "rdma_program.h"

enum { MAX = 8 };

static uint64_t numbers[MAX];			/* messages */
static struct doca_rdma_connection *connections[MAX];
static const struct doca_rdma_connection *sources[MAX];	/* of the numbers */
static struct doca_buf *bufs[MAX];
static uint32_t num_connections, num_established, num_sent, num_received, num_disconnected;

static void sent(struct doca_rdma_task_send *task, union doca_data task_data, union doca_data ctx_data)
{
	(void)task_data;
	(void)ctx_data;
	num_sent++;
	doca_task_free(doca_rdma_task_send_as_task(task));
}

static void received(struct doca_rdma_task_receive *task, union doca_data task_data, union doca_data ctx_data)
{
	uint64_t number = numbers[task_data.u64];

	(void)ctx_data;
	if (doca_rdma_task_receive_get_result_len(task) != sizeof(number) || number >= MAX || sources[number] != NULL)
		fail("other message");
	sources[number] = doca_rdma_task_receive_get_result_rdma_connection(task);
	num_received++;
	doca_task_free(doca_rdma_task_receive_as_task(task));
}

static void established(struct doca_rdma_connection *with, union doca_data data, union doca_data ctx_data)
{
	(void)data;
	(void)ctx_data;
	connections[num_established++] = with;
}

static void disconnected(struct doca_rdma_connection *from, union doca_data data, union doca_data ctx_data)
{
	(void)data;
	(void)ctx_data;
	num_disconnected++;
	MUST(doca_rdma_connection_disconnect(from));
}

static void open_context(const char *address)
{
	open_core(address, numbers, sizeof(numbers), DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	MUST(doca_rdma_set_max_num_connections(rdma, MAX));
	MUST(doca_rdma_task_send_set_conf(rdma, sent, (doca_rdma_task_send_completion_cb_t)(void (*)(void))task_failed, MAX));
	MUST(doca_rdma_task_receive_set_conf(rdma, received,
					     (doca_rdma_task_receive_completion_cb_t)(void (*)(void))task_failed, MAX));
	start_context(established, disconnected);
}

/* One file per connection and side; the programs connect one after the other. */
static void connect_by_files(const char *folder, const char *other)
{
	char name[32], peer[BLOB_LEN];
	const void *details;
	size_t len;

	for (uint32_t i = 0; i < num_connections; i++) {
		MUST(doca_rdma_export(rdma, &details, &len, &connections[i]));
		snprintf(name, sizeof(name), "%s.%u", role, i);
		write_file(folder, name, details, len);
		snprintf(name, sizeof(name), "%s.%u", other, i);
		len = read_file(folder, name, peer);
		MUST(doca_rdma_connect(rdma, peer, len, connections[i]));
	}
}

static void receive(const char *folder, int by_manager)
{
	struct doca_rdma_task_receive *task;

	for (uint32_t i = 0; i < num_connections; i++) {
		MUST(doca_buf_inventory_buf_get_by_addr(inventory, map, &numbers[i], sizeof(numbers[i]), &bufs[i]));
		MUST(doca_rdma_task_receive_allocate_init(rdma, bufs[i], (union doca_data){ .u64 = i }, &task));
		MUST(doca_task_submit(doca_rdma_task_receive_as_task(task)));
	}
	if (by_manager) {
		MUST(doca_rdma_start_listen_to_port(rdma, PORT));
		write_file(folder, "listening", "", 0);
	} else {
		connect_by_files(folder, "sender");
	}
	PROGRESS_UNTIL(num_received == num_connections);
	for (uint32_t i = 0; i < num_connections; i++) {
		if (!by_manager && sources[i] != connections[i])
			fail("a message of another connection");
		for (uint32_t j = 0; j < i; j++) {
			if (sources[i] == sources[j])
				fail("two numbers on one connection");
		}
	}
	write_file(folder, "done", "", 0);
	PROGRESS_UNTIL(num_disconnected == num_connections);
}

static void send_numbers(const char *folder, int by_manager, uint64_t number)
{
	struct doca_rdma_task_send *task;
	char nothing[BLOB_LEN];

	if (by_manager) {
		(void)read_file(folder, "listening", nothing);
		connect_to_server();
		PROGRESS_UNTIL(num_established == 1);
	} else {
		connect_by_files(folder, "receiver");
	}
	for (uint32_t i = 0; i < num_connections; i++) {
		numbers[i] = by_manager ? number : i;
		MUST(doca_buf_inventory_buf_get_by_data(inventory, map, &numbers[i], sizeof(numbers[i]), &bufs[i]));
		MUST(doca_rdma_task_send_allocate_init(rdma, connections[i], bufs[i], (union doca_data){ 0 }, &task));
		MUST(doca_task_submit(doca_rdma_task_send_as_task(task)));
	}
	PROGRESS_UNTIL(num_sent == num_connections);
	(void)read_file(folder, "done", nothing);
	for (uint32_t i = 0; i < num_connections; i++)
		MUST(doca_rdma_connection_disconnect(connections[i]));
}

static void close_context(void)
{
	for (uint32_t i = 0; i < num_connections; i++)
		MUST(doca_buf_dec_refcount(bufs[i], NULL));
	stop_context();
	close_core();
}

int main(int argc, char **argv)
{
	int is_receiver, by_manager;
	uint32_t number;

	role = "rdma_several";
	if (argc != 5)
		fail("usage: rdma_several receiver|sender export|manager FOLDER COUNT|NUMBER");
	role = argv[1];
	is_receiver = strcmp(role, "receiver") == 0;
	by_manager = strcmp(argv[2], "manager") == 0;
	number = (uint32_t)atoi(argv[4]);
	num_connections = !is_receiver && by_manager ? 1 : number;
	if (num_connections > MAX)
		fail("too many connections");
	open_context(is_receiver ? "81:00.0" : "03:00.0");
	if (is_receiver)
		receive(argv[3], by_manager);
	else
		send_numbers(argv[3], by_manager, number);
	close_context();
	return EXIT_SUCCESS;
}
