/*
 * A requester and a responder over RDMA, as DOCA programs without code of this project.
 *
 *   rdma_pairs requester|responder OPERATION export|dc|manager FOLDER
 *
 * OPERATION: read, write, write_imm, send, send_imm, event. export: descriptions are files in FOLDER; dc: also, with transport DC, and
 * only the requester connects; manager: the responder listens to a port, and sends the description of its memory or event. The responder blocks without progress during read, write and event.
 */
#include <arpa/inet.h>
#include <string.h>

#include <doca_buf.h>
#include <doca_sync_event.h>

#include "rdma_program.h"

enum { MEMORY = 4096, BLOB = 1024, TEXT_LEN = 32, IMMEDIATE = 77, GOAL = 0xd0ca };

static const char text[TEXT_LEN] = "hello over RDMA";
static char memory[MEMORY];
static struct doca_rdma_connection *connection;
static struct doca_sync_event *event;
static int is_requester, is_dc, is_established, num_ended, num_received;
static enum doca_rdma_opcode opcode;
static uint32_t immediate, received_len;

static void task_ended(struct doca_task *task, union doca_data task_data, union doca_data ctx_data)
{
	(void)task_data;
	(void)ctx_data;
	num_ended++;
	doca_task_free(task);
}

static void received(struct doca_rdma_task_receive *task, union doca_data task_data, union doca_data ctx_data)
{
	(void)task_data;
	(void)ctx_data;
	num_received++;
	opcode = doca_rdma_task_receive_get_result_opcode(task);
	immediate = ntohl(doca_rdma_task_receive_get_result_immediate_data(task));
	received_len = doca_rdma_task_receive_get_result_len(task);
	doca_task_free(doca_rdma_task_receive_as_task(task));
}

static void established(struct doca_rdma_connection *with, union doca_data data, union doca_data ctx_data)
{
	(void)data;
	(void)ctx_data;
	connection = with;
	is_established = 1;
}

static void disconnected(struct doca_rdma_connection *from, union doca_data data, union doca_data ctx_data)
{
	(void)data;
	(void)ctx_data;
	is_established = 0;
	MUST(doca_rdma_connection_disconnect(from));
}

#define CONFIGURE(kind)                                                                                                    \
	MUST(doca_rdma_task_##kind##_set_conf(rdma, (doca_rdma_task_##kind##_completion_cb_t)(void (*)(void))task_ended,    \
					      (doca_rdma_task_##kind##_completion_cb_t)(void (*)(void))task_failed, 4))

static void open_context(void)
{
	const uint32_t remote = DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE | DOCA_ACCESS_FLAG_RDMA_ATOMIC;

	open_core(is_requester ? "03:00.0" : "81:00.0", memory, sizeof(memory),
		  DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | (is_requester ? 0 : remote));
	CONFIGURE(read);
	CONFIGURE(write);
	CONFIGURE(write_imm);
	CONFIGURE(send);
	CONFIGURE(send_imm);
	CONFIGURE(remote_net_sync_event_get);
	CONFIGURE(remote_net_sync_event_notify_set);
	MUST(doca_rdma_task_receive_set_conf(
		rdma, received, (doca_rdma_task_receive_completion_cb_t)(void (*)(void))task_failed, 4));
	MUST(doca_rdma_set_permissions(rdma, is_requester ? 0 : remote));
	if (is_dc)
		MUST(doca_rdma_set_transport_type(rdma, DOCA_RDMA_TRANSPORT_TYPE_DC));
	start_context(established, disconnected);
}

static struct doca_buf *source(size_t offset, size_t len)
{
	struct doca_buf *buf;

	MUST(doca_buf_inventory_buf_get_by_data(inventory, map, memory + offset, len, &buf));
	return buf;
}

static struct doca_buf *room(size_t offset, size_t len)
{
	struct doca_buf *buf;

	MUST(doca_buf_inventory_buf_get_by_addr(inventory, map, memory + offset, len, &buf));
	return buf;
}

static void drop(struct doca_buf *buf)
{
	MUST(doca_buf_dec_refcount(buf, NULL));
}

static struct doca_buf *post_receive(size_t offset, size_t len)
{
	struct doca_buf *buf = room(offset, len);
	struct doca_rdma_task_receive *task;

	MUST(doca_rdma_task_receive_allocate_init(rdma, buf, (union doca_data){ 0 }, &task));
	MUST(doca_task_submit(doca_rdma_task_receive_as_task(task)));
	return buf;
}

#define RUN(kind, ...)                                                                                         \
	do {                                                                                                   \
		struct doca_rdma_task_##kind *run_task;                                                        \
		int run_before = num_ended;                                                                    \
		MUST(doca_rdma_task_##kind##_allocate_init(rdma, connection, __VA_ARGS__, (union doca_data){ 0 }, &run_task)); \
		MUST(doca_task_submit(doca_rdma_task_##kind##_as_task(run_task)));                             \
		PROGRESS_UNTIL(num_ended > run_before);                                                        \
	} while (0)

static void connect_by_files(const char *folder)
{
	const void *details;
	char peer[BLOB_LEN];
	size_t len;

	MUST(doca_rdma_export(rdma, &details, &len, &connection));
	write_file(folder, is_requester ? "requester" : "responder", details, len);
	if (is_dc && !is_requester)
		return;
	len = read_file(folder, is_requester ? "responder" : "requester", peer);
	MUST(doca_rdma_connect(rdma, peer, len, connection));
}

static void connect_by_address(const char *folder)
{
	if (!is_requester) {
		MUST(doca_rdma_start_listen_to_port(rdma, PORT));
		write_file(folder, "listening", "", 0);
		PROGRESS_UNTIL(is_established);
		return;
	}
	(void)read_file(folder, "listening", memory);
	connect_to_server();
	PROGRESS_UNTIL(is_established);
}

/* The description of the responder's memory or event: by a file, or in a message. */
static void give(const char *folder, int by_message, const void *blob, size_t len)
{
	struct doca_buf *buf;

	if (!by_message) {
		write_file(folder, "blob", blob, len);
		return;
	}
	memcpy(memory + BLOB, blob, len);
	buf = source(BLOB, len);
	RUN(send, buf);
	drop(buf);
}

static size_t take(const char *folder, int by_message)
{
	struct doca_buf *buf;

	if (!by_message)
		return read_file(folder, "blob", memory + BLOB);
	buf = post_receive(BLOB, BLOB_LEN);
	PROGRESS_UNTIL(num_received == 1);
	drop(buf);
	return received_len;
}

static void check_text(const char *at)
{
	if (memcmp(at, text, TEXT_LEN) != 0)
		fail("other text");
}

static void use_memory(const char *operation, size_t blob_len)
{
	struct doca_buf *local, *remote;
	struct doca_mmap *far;
	void *begin;
	size_t len;

	MUST(doca_mmap_create_from_export(NULL, memory + BLOB, blob_len, dev, &far));
	MUST(doca_mmap_get_memrange(far, &begin, &len));
	if (strcmp(operation, "read") == 0) {
		local = room(0, TEXT_LEN);
		MUST(doca_buf_inventory_buf_get_by_data(inventory, far, begin, TEXT_LEN, &remote));
		RUN(read, remote, local);
		check_text(memory);
	} else {
		strcpy(memory, text);
		local = source(0, TEXT_LEN);
		MUST(doca_buf_inventory_buf_get_by_addr(inventory, far, begin, TEXT_LEN, &remote));
		if (strcmp(operation, "write") == 0)
			RUN(write, local, remote);
		else
			RUN(write_imm, local, remote, htonl(IMMEDIATE));
	}
	drop(local);
	drop(remote);
	MUST(doca_mmap_destroy(far));
}

static void use_event(size_t blob_len)
{
	struct doca_sync_event_remote_net *far;
	struct doca_buf *value = room(0, sizeof(uint64_t));
	const uint64_t first = GOAL + 1, last = UINT64_MAX;
	struct doca_buf *wanted;

	MUST(doca_sync_event_remote_net_create_from_export(dev, (uint8_t *)memory + BLOB, blob_len, &far));
	memcpy(memory + 64, &first, sizeof(first));
	wanted = source(64, sizeof(first));
	RUN(remote_net_sync_event_notify_set, far, wanted);
	do {
		MUST(doca_buf_reset_data_len(value));
		RUN(remote_net_sync_event_get, far, value);
	} while (*(uint64_t *)(void *)memory <= GOAL);
	memcpy(memory + 64, &last, sizeof(last));
	RUN(remote_net_sync_event_notify_set, far, wanted);
	drop(value);
	drop(wanted);
	MUST(doca_sync_event_remote_net_destroy(far));
}

static void request(const char *operation, int by_message, const char *folder)
{
	struct doca_buf *local;

	if (strncmp(operation, "send", 4) != 0) {
		size_t len = take(folder, by_message);

		if (strcmp(operation, "event") == 0)
			use_event(len);
		else
			use_memory(operation, len);
	} else {
		strcpy(memory, text);
		local = source(0, TEXT_LEN);
		if (strcmp(operation, "send") == 0)
			RUN(send, local);
		else
			RUN(send_imm, local, htonl(IMMEDIATE));
		drop(local);
	}
	write_file(folder, "done", "", 0);
}

static void wait_for_event(const char *folder, int by_message)
{
	const uint8_t *blob;
	size_t len;

	MUST(doca_sync_event_create(&event));
	MUST(doca_sync_event_add_publisher_location_remote_net(event));
	MUST(doca_sync_event_add_subscriber_location_cpu(event, dev));
	MUST(doca_sync_event_start(event));
	MUST(doca_sync_event_export_to_remote_net(event, &blob, &len));
	give(folder, by_message, blob, len);
	MUST(doca_sync_event_wait_gt(event, UINT64_MAX - 1, UINT64_MAX)); /* the requester sets it twice */
}

static void respond(const char *operation, int by_message, const char *folder)
{
	int is_received = strncmp(operation, "send", 4) == 0 || strcmp(operation, "write_imm") == 0;
	struct doca_buf *buf = NULL;
	const void *blob;
	size_t len;

	if (strcmp(operation, "read") == 0)
		strcpy(memory, text);
	if (is_received)
		buf = post_receive(0, TEXT_LEN);
	if (strcmp(operation, "event") == 0) {
		wait_for_event(folder, by_message);
	} else if (strncmp(operation, "send", 4) != 0) {
		MUST(doca_mmap_export_rdma(map, dev, &blob, &len));
		give(folder, by_message, blob, len);
	}
	if (is_received) {
		PROGRESS_UNTIL(num_received == 1);
		if (received_len != TEXT_LEN || (opcode != DOCA_RDMA_OPCODE_RECV_SEND && immediate != IMMEDIATE))
			fail("other message");
		drop(buf);
	}
	(void)read_file(folder, "done", memory + BLOB); /* blocks */
	if (strcmp(operation, "event") != 0)
		check_text(memory);
}

static void close_context(void)
{
	MUST(doca_rdma_connection_disconnect(connection));
	stop_context();
	if (event != NULL) {
		MUST(doca_sync_event_stop(event));
		MUST(doca_sync_event_destroy(event));
	}
	close_core();
}

int main(int argc, char **argv)
{
	int by_manager;

	role = "rdma_pairs";
	if (argc != 5)
		fail("usage: rdma_pairs requester|responder OPERATION export|dc|manager FOLDER");
	role = argv[1];
	is_requester = strcmp(role, "requester") == 0;
	by_manager = strcmp(argv[3], "manager") == 0;
	is_dc = strcmp(argv[3], "dc") == 0;
	open_context();
	if (by_manager)
		connect_by_address(argv[4]);
	else
		connect_by_files(argv[4]);
	if (is_requester)
		request(argv[2], by_manager, argv[4]);
	else
		respond(argv[2], by_manager, argv[4]);
	close_context();
	return EXIT_SUCCESS;
}
