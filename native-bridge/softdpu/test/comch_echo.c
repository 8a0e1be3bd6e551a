/*
 * Ping-pong over the communication channel, as a DOCA program without code of this project.
 *
 *   comch_echo server [NAME]                      answers every message with itself until its client leaves
 *   comch_echo client [COUNT [SIZE [NAME]]]       prints the times of the round trips
 *
 * Devices: DOCA_DEV_PCI, DOCA_DEV_REP_PCI, or the first suitable device.
 */
#include <string.h>
#include <time.h>

#include <doca_comch.h>
#include <doca_ctx.h>
#include <doca_pe.h>

#include "program.h"

enum { TASKS = 32, MAX_SIZE = 4080, LIMIT_S = 30 };

static struct doca_comch_server *server;
static struct doca_comch_client *client;
static struct doca_comch_connection *peer;
static struct doca_ctx *ctx;
static char message[MAX_SIZE];
static unsigned int count = 10000, size = 64, num_received;
static uint64_t *times, sent_ns;
static int is_over;

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void send_to(struct doca_comch_connection *connection, const void *bytes, uint32_t len)
{
	struct doca_comch_task_send *task;

	if (server != NULL)
		MUST(doca_comch_server_task_send_alloc_init(server, connection, bytes, len, &task));
	else
		MUST(doca_comch_client_task_send_alloc_init(client, connection, bytes, len, &task));
	MUST(doca_task_submit(doca_comch_task_send_as_task(task)));
}

static void sent(struct doca_comch_task_send *task, union doca_data task_data, union doca_data ctx_data)
{
	(void)task_data;
	(void)ctx_data;
	doca_task_free(doca_comch_task_send_as_task(task));
}

static void received(struct doca_comch_event_msg_recv *event, uint8_t *bytes, uint32_t len,
		     struct doca_comch_connection *connection)
{
	(void)event;
	if (server != NULL) {
		send_to(connection, bytes, len);
		return;
	}
	times[num_received++] = now_ns() - sent_ns;
	if (len != size || memcmp(bytes, message, len) != 0)
		exit(EXIT_FAILURE);
	if (num_received < count) {
		sent_ns = now_ns();
		send_to(connection, message, size);
	}
}

static void connected(struct doca_comch_event_connection_status_changed *event, struct doca_comch_connection *connection,
		      uint8_t successful)
{
	(void)event;
	if (successful)
		peer = connection;
}

static void disconnected(struct doca_comch_event_connection_status_changed *event, struct doca_comch_connection *connection,
			 uint8_t successful)
{
	(void)event;
	(void)successful;
	is_over |= connection == peer;
}

static struct doca_dev_rep *open_representor(struct doca_dev *dev, const char *address)
{
	struct doca_devinfo_rep **list;
	struct doca_dev_rep *rep = NULL;
	uint32_t num, i;
	uint8_t is_equal = 1;

	MUST(doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_NET, &list, &num));
	for (i = 0; i < num && rep == NULL; i++) {
		if (address != NULL)
			MUST(doca_devinfo_rep_is_equal_pci_addr(list[i], address, &is_equal));
		if (is_equal)
			MUST(doca_dev_rep_open(list[i], &rep));
	}
	MUST(doca_devinfo_rep_destroy_list(list));
	if (rep == NULL)
		exit(EXIT_FAILURE);
	return rep;
}

static void await_state(struct doca_pe *pe, enum doca_ctx_states wanted)
{
	uint64_t deadline = now_ns() + LIMIT_S * 1000000000ull;
	enum doca_ctx_states state;

	do {
		(void)doca_pe_progress(pe);
		MUST(doca_ctx_get_state(ctx, &state));
		if (now_ns() > deadline || (wanted == DOCA_CTX_STATE_RUNNING && state == DOCA_CTX_STATE_IDLE)) {
			fprintf(stderr, "no server, or it does not answer\n");
			exit(EXIT_FAILURE);
		}
	} while (state != wanted);
}

static void stop(struct doca_pe *pe)
{
	(void)doca_ctx_stop(ctx);
	await_state(pe, DOCA_CTX_STATE_IDLE);
}

static void serve(struct doca_pe *pe, const char *name)
{
	struct doca_dev *dev = open_device(getenv("DOCA_DEV_PCI"), doca_comch_cap_server_is_supported);
	struct doca_dev_rep *rep = open_representor(dev, getenv("DOCA_DEV_REP_PCI"));

	MUST(doca_comch_server_create(dev, rep, name, &server));
	ctx = doca_comch_server_as_ctx(server);
	MUST(doca_comch_server_task_send_set_conf(server, sent, sent, TASKS));
	MUST(doca_comch_server_event_msg_recv_register(server, received));
	MUST(doca_comch_server_event_connection_status_changed_register(server, connected, disconnected));
	MUST(doca_pe_connect_ctx(pe, ctx));
	MUST(doca_ctx_start(ctx));
	printf("ready\n");
	fflush(stdout);
	while (!is_over)
		(void)doca_pe_progress(pe);
	stop(pe);
	MUST(doca_comch_server_destroy(server));
	MUST(doca_dev_rep_close(rep));
	MUST(doca_dev_close(dev));
}

static int compare(const void *one, const void *other)
{
	uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;

	return (a > b) - (a < b);
}

static void ping(struct doca_pe *pe, const char *name)
{
	struct doca_dev *dev = open_device(getenv("DOCA_DEV_PCI"), doca_comch_cap_client_is_supported);

	MUST(doca_comch_client_create(dev, name, &client));
	ctx = doca_comch_client_as_ctx(client);
	MUST(doca_comch_client_task_send_set_conf(client, sent, sent, TASKS));
	MUST(doca_comch_client_event_msg_recv_register(client, received));
	MUST(doca_pe_connect_ctx(pe, ctx));
	if (doca_ctx_start(ctx) != DOCA_ERROR_IN_PROGRESS)
		exit(EXIT_FAILURE);
	await_state(pe, DOCA_CTX_STATE_RUNNING);
	MUST(doca_comch_client_get_connection(client, &peer));
	sent_ns = now_ns();
	send_to(peer, message, size);
	while (num_received < count)
		(void)doca_pe_progress(pe);
	stop(pe);
	MUST(doca_comch_client_destroy(client));
	MUST(doca_dev_close(dev));
	qsort(times, count, sizeof(*times), compare);
	printf("%u round trips of %u bytes: p50 %.1f us, p99 %.1f us, max %.1f us\n", count, size, times[count / 2] / 1e3,
	       times[(uint64_t)count * 99 / 100] / 1e3, times[count - 1] / 1e3);
}

int main(int argc, char **argv)
{
	int is_server = argc > 1 && strcmp(argv[1], "server") == 0;
	struct doca_pe *pe;

	if (!is_server && (argc < 2 || strcmp(argv[1], "client") != 0)) {
		fprintf(stderr, "usage: %s server [NAME] | client [COUNT [SIZE [NAME]]]\n", argv[0]);
		return EXIT_FAILURE;
	}
	if (!is_server && argc > 2)
		count = (unsigned int)strtoul(argv[2], NULL, 10);
	if (!is_server && argc > 3)
		size = (unsigned int)strtoul(argv[3], NULL, 10);
	if (count == 0 || size == 0 || size > MAX_SIZE)
		return EXIT_FAILURE;
	memset(message, 'p', sizeof(message));
	times = calloc(count, sizeof(*times));
	if (times == NULL)
		return EXIT_FAILURE;
	MUST(doca_pe_create(&pe));
	if (is_server)
		serve(pe, argc > 2 ? argv[2] : "echo");
	else
		ping(pe, argc > 4 ? argv[4] : "echo");
	MUST(doca_pe_destroy(pe));
	free(times);
	return EXIT_SUCCESS;
}
