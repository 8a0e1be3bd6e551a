/* The server's end of rdma-c: offers each connection a part of its memory, and reports handled messages. */
#include "rdma.h"

#include <stdio.h>
#include <stdlib.h>

#include <doca_pe.h>

#include "report.h"

enum { RECEIVES = 64, MIN_RECEIVES = 16, SENDS_PER_PEER = RDMA_UNHANDLED / RDMA_HANDLED + 1 };

/* Receives of this size altogether; longer messages have fewer. As in `dpu serve rdma`. */
#define RECEIVE_BYTES ((size_t)256 << 20)

struct peer {
	struct doca_rdma_connection *connection; /* NULL: free */
	struct doca_buf *offer;
	uint64_t received;
};

struct server {
	const struct options *options;
	struct engine *engine;
	struct doca_dev *dev;
	struct doca_rdma *rdma;
	struct rdma_inbox inbox;
	struct region memory; /* a part for each connection */
	struct region offers;
	struct doca_buf_inventory *inventory;
	struct peer *peers;
	uint64_t ended; /* connections */
	bool failed;
};

static bool check(struct server *server, doca_error_t result, const char *operation, const char *about)
{
	bool done = report(result, operation, "%s", about);

	server->failed = server->failed || !done;
	return done;
}

/* --- messages to clients --- */

static void on_sent(struct doca_rdma_task_send *task, union doca_data task_data, union doca_data ctx_data)
{
	(void)task_data;
	(void)ctx_data;
	doca_task_free(doca_rdma_task_send_as_task(task));
}

/* Sends a message; no buffer: an empty one. The task fails if the connection ends. */
static void send_message(struct server *server, const struct peer *peer, const struct doca_buf *buf)
{
	union doca_data data = { .ptr = NULL };
	struct doca_rdma_task_send *task;
	doca_error_t result;

	if (!check(server, doca_rdma_task_send_allocate_init(server->rdma, peer->connection, buf, data, &task),
		   "doca_rdma_task_send_allocate_init", "message"))
		return;
	result = doca_task_submit(doca_rdma_task_send_as_task(task));
	if (!check(server, result, "doca_task_submit", "message"))
		doca_task_free(doca_rdma_task_send_as_task(task));
}

static void take_message(void *owner, const struct doca_rdma_connection *connection, const uint8_t *bytes, uint32_t len)
{
	struct server *server = owner;
	union doca_data data = { .ptr = NULL };
	struct peer *peer;

	(void)bytes;
	(void)len;
	if (!check(server, doca_rdma_connection_get_user_data(connection, &data), "doca_rdma_connection_get_user_data", "message"))
		return;
	peer = data.ptr;
	if (++peer->received % RDMA_HANDLED == 0 && peer->connection != NULL)
		send_message(server, peer, NULL);
}

/* --- connections --- */

static struct peer *find_free(struct server *server)
{
	uint64_t i;

	for (i = 0; i < server->options->blocks; i++)
		if (server->peers[i].connection == NULL)
			return &server->peers[i];
	return NULL;
}

static void requested(struct doca_rdma_connection *connection, union doca_data ctx_data)
{
	struct server *server = ctx_data.ptr;
	struct peer *peer = find_free(server);
	union doca_data data = { .ptr = peer };
	doca_error_t result;

	if (peer == NULL) {
		check(server, doca_rdma_connection_reject(connection), "doca_rdma_connection_reject", "a client too many");
		return;
	}
	if (!check(server, doca_rdma_connection_set_user_data(connection, data), "doca_rdma_connection_set_user_data", "client"))
		return;
	result = doca_rdma_connection_accept(connection, NULL, 0);
	if (result == DOCA_ERROR_CONNECTION_ABORTED || !check(server, result, "doca_rdma_connection_accept", "client"))
		return;
	peer->connection = connection;
	peer->received = 0;
}

static void established(struct doca_rdma_connection *connection, union doca_data data, union doca_data ctx_data)
{
	const struct peer *peer = data.ptr;

	(void)connection;
	send_message(ctx_data.ptr, peer, peer->offer);
}

static void ended(struct doca_rdma_connection *connection, union doca_data data, union doca_data ctx_data)
{
	(void)connection;
	((struct peer *)data.ptr)->connection = NULL;
	((struct server *)ctx_data.ptr)->ended++;
}

/* --- begin and end --- */

static bool open_offers(struct server *server)
{
	const struct options *options = server->options;
	struct rdma_offer offer = { .bytes = options->block_size, .message_bytes = (uint32_t)options->size };
	uint64_t i;

	if (!report(doca_mmap_export_rdma(server->memory.map, server->dev, (const void **)&offer.export, &offer.export_bytes),
		    "doca_mmap_export_rdma", "memory"))
		return false;
	for (i = 0; i < options->blocks; i++) {
		uint8_t *message = server->offers.base + i * RDMA_MAX_OFFER;
		size_t len;

		offer.begin = i * options->block_size;
		len = rdma_offer_encode(&offer, message);
		if (len == 0 || !report(doca_buf_inventory_buf_get_by_data(server->inventory, server->offers.map, message, len,
									   &server->peers[i].offer),
					"doca_buf_inventory_buf_get_by_data", "offer"))
			return false;
	}
	return true;
}

static bool open_memory(struct server *server)
{
	const uint32_t of_peers = DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE | DOCA_ACCESS_FLAG_RDMA_ATOMIC;
	const struct options *options = server->options;

	if (options->block_size > REGION_MAX_BYTES / options->blocks)
		return report_fault("--connections, --memory: too much for one region of memory");
	server->peers = calloc(options->blocks, sizeof(*server->peers));
	server->inventory = region_open_inventory(options->blocks);
	if (server->peers == NULL || server->inventory == NULL)
		return report(DOCA_ERROR_NO_MEMORY, "calloc", "%llu connections", (unsigned long long)options->blocks);
	return region_open(&server->memory, options->blocks * options->block_size, server->dev,
			   DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | of_peers) &&
	       region_open(&server->offers, options->blocks * RDMA_MAX_OFFER, server->dev, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE) &&
	       open_offers(server);
}

static uint32_t num_receives(const struct options *options)
{
	size_t fitting = RECEIVE_BYTES / options->size;

	return fitting > RECEIVES ? RECEIVES : fitting < MIN_RECEIVES ? MIN_RECEIVES : (uint32_t)fitting;
}

static bool open_context(struct server *server)
{
	const uint32_t of_peers = DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE | DOCA_ACCESS_FLAG_RDMA_ATOMIC;
	const struct options *options = server->options;
	union doca_data data = { .ptr = server };
	struct doca_ctx *ctx;

	if (!report(doca_rdma_create(server->dev, &server->rdma), "doca_rdma_create", "server"))
		return false;
	ctx = doca_rdma_as_ctx(server->rdma);
	return report(doca_pe_connect_ctx(server->engine->pe, ctx), "doca_pe_connect_ctx", "server") &&
	       report(doca_ctx_set_user_data(ctx, data), "doca_ctx_set_user_data", "server") &&
	       report(doca_rdma_set_permissions(server->rdma, of_peers), "doca_rdma_set_permissions", "server") &&
	       report(doca_rdma_set_max_num_connections(server->rdma, (uint16_t)options->blocks), "doca_rdma_set_max_num_connections",
		      "server") &&
	       report(doca_rdma_set_connection_state_callbacks(server->rdma, requested, established, ended, ended),
		      "doca_rdma_set_connection_state_callbacks", "server") &&
	       report(doca_rdma_task_send_set_conf(server->rdma, on_sent, on_sent, (uint32_t)options->blocks * SENDS_PER_PEER),
		      "doca_rdma_task_send_set_conf", "server") &&
	       report(rdma_inbox_configure(server->rdma, num_receives(options)), "doca_rdma_task_receive_set_conf", "server") &&
	       report(doca_ctx_start(ctx), "doca_ctx_start", "server");
}

static bool open_server(struct server *server)
{
	server->inbox.handle = take_message;
	server->inbox.owner = server;
	return open_memory(server) && open_context(server) &&
	       rdma_inbox_open(&server->inbox, server->rdma, server->dev, num_receives(server->options), server->options->size) &&
	       report(doca_rdma_start_listen_to_port(server->rdma, (uint16_t)server->options->port), "doca_rdma_start_listen_to_port",
		      "port %llu", (unsigned long long)server->options->port);
}

static bool stop_context(struct server *server)
{
	uint64_t since_ns = engine_clock_ns();

	while (!engine_stops(doca_rdma_as_ctx(server->rdma))) {
		if (!engine_progress(server->engine))
			engine_rest(server->engine, false);
		if (engine_is_late(server->engine, since_ns))
			return report(DOCA_ERROR_TIME_OUT, "doca_ctx_stop", "server");
	}
	return report(doca_rdma_destroy(server->rdma), "doca_rdma_destroy", "server");
}

static bool close_server(struct server *server)
{
	bool clean = server->rdma == NULL || stop_context(server);
	uint64_t i;

	clean = rdma_inbox_close(&server->inbox) && clean;
	for (i = 0; server->peers != NULL && i < server->options->blocks && server->peers[i].offer != NULL; i++)
		clean = report(doca_buf_dec_refcount(server->peers[i].offer, NULL), "doca_buf_dec_refcount", "offer") && clean;
	free(server->peers);
	if (server->inventory != NULL)
		clean = report(doca_buf_inventory_destroy(server->inventory), "doca_buf_inventory_destroy", "offers") && clean;
	clean = region_close(&server->offers) && clean;
	return region_close(&server->memory) && clean;
}

bool rdma_serve(const struct options *options, struct engine *engine, struct doca_dev *dev)
{
	struct server server = { .options = options, .engine = engine, .dev = dev };
	bool done = open_server(&server);

	if (done) {
		puts("ready");
		fflush(stdout);
	}
	while (done && !engine_has_signal && (options->clients == 0 || server.ended < options->clients)) {
		if (!engine_progress(engine))
			engine_rest(engine, false);
		done = !engine->failed && !server.failed && !server.inbox.failed;
	}
	return close_server(&server) && done;
}
