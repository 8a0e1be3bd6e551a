/* The client's end of rdma-c: connects, and imports the offered memory. rdma_trial.c measures. */
#include "rdma_client.h"

#include <stdlib.h>
#include <string.h>

#include "report.h"

/* --- the connection --- */

static void established(struct doca_rdma_connection *connection, union doca_data data, union doca_data ctx_data)
{
	struct client *client = data.ptr;

	(void)ctx_data;
	work_set_operand(client->work, connection);
}

static void ended(struct doca_rdma_connection *connection, union doca_data data, union doca_data ctx_data)
{
	(void)connection;
	(void)ctx_data;
	((struct client *)data.ptr)->is_over = true;
}

doca_error_t rdma_client_configure(struct doca_rdma *rdma)
{
	return doca_rdma_set_connection_state_callbacks(rdma, NULL, established, ended, ended);
}

static void take_message(void *owner, const struct doca_rdma_connection *connection, const uint8_t *bytes, uint32_t len)
{
	struct client *client = owner;

	(void)connection;
	if (len == 0) {
		client->unhandled -= RDMA_HANDLED;
	} else if (!client->has_offer && len <= sizeof(client->offered)) {
		memcpy(client->offered, bytes, len);
		client->has_offer = rdma_offer_decode(&client->offer, client->offered, len);
		client->is_over = !client->has_offer;
	}
}

static bool progress(struct client *client)
{
	if (!engine_progress(client->engine))
		engine_rest(client->engine, false);
	return !client->engine->failed && !client->inbox.failed;
}

static bool await_offer(struct client *client)
{
	const struct options *options = client->options;
	uint64_t since_ns = engine_clock_ns();

	while (!client->has_offer && !client->is_over) {
		if (!progress(client))
			return false;
		if (engine_is_late(client->engine, since_ns))
			return report(DOCA_ERROR_TIME_OUT, "doca_rdma_connect_to_addr", "%s port %llu", options->host,
				      (unsigned long long)options->port);
	}
	return client->has_offer || report_fault("no server at %s port %llu, or it is full", options->host,
						 (unsigned long long)options->port);
}

static bool connect_client(struct client *client)
{
	const struct options *options = client->options;
	bool is_v6 = strchr(options->host, ':') != NULL;
	union doca_data data = { .ptr = client };

	return report(doca_rdma_addr_create(is_v6 ? DOCA_RDMA_ADDR_TYPE_IPv6 : DOCA_RDMA_ADDR_TYPE_IPv4, options->host,
					    (uint16_t)options->port, &client->addr),
		      "doca_rdma_addr_create", "%s", options->host) &&
	       report(doca_rdma_connect_to_addr(work_object(client->work), client->addr, data), "doca_rdma_connect_to_addr", "%s",
		      options->host) &&
	       await_offer(client);
}

/* --- memory --- */

static bool take_pairs(struct client *client)
{
	const size_t size = client->options->size;
	uint32_t window = (uint32_t)client->options->parallel, i;

	client->inventory = region_open_inventory(2 * (size_t)window);
	client->pairs = calloc(window, sizeof(*client->pairs));
	client->buffers = calloc(window, sizeof(*client->buffers));
	if (client->inventory == NULL || client->pairs == NULL || client->buffers == NULL)
		return report(DOCA_ERROR_NO_MEMORY, "calloc", "%u tasks", window);
	for (i = 0; i < window; i++) {
		uint8_t *local = client->local.base + i * size, *remote = client->remote + (i % client->places) * size;

		if (!work_take_buffers(&client->pairs[i], 1, client->inventory,
				       (struct work_range){ client->local.map, local, size, size },
				       (struct work_range){ client->map, remote, size, size }))
			return false;
	}
	return true;
}

static bool import(struct client *client)
{
	const struct options *options = client->options;
	const struct rdma_offer *offer = &client->offer;
	uint64_t limit = client->kind == &work_rdma_send ? offer->message_bytes : offer->bytes;
	void *addr = NULL;
	size_t bytes = 0;

	if (options->size > limit)
		return report_fault("--size %llu: the server allows %llu for %s", (unsigned long long)options->size,
				    (unsigned long long)limit, client->kind->name);
	if (!report(doca_mmap_create_from_export(NULL, offer->export, offer->export_bytes, client->dev, &client->map),
		    "doca_mmap_create_from_export", "memory of the server") ||
	    !report(doca_mmap_get_memrange(client->map, &addr, &bytes), "doca_mmap_get_memrange", "memory of the server"))
		return false;
	if (offer->begin > bytes || offer->bytes > bytes - offer->begin)
		return report_fault("the offer exceeds the memory of %zu bytes", bytes);
	client->remote = (uint8_t *)addr + offer->begin;
	client->places = (uint32_t)(offer->bytes / options->size < options->parallel ? offer->bytes / options->size :
											 options->parallel);
	client->places += client->places == 0; /* messages may be larger than the memory, which they do not use */
	return take_pairs(client);
}

static bool open_client(struct client *client)
{
	const struct options *options = client->options;
	uint64_t times = options->count > options->parallel ? options->count : options->parallel;

	client->times_ns = calloc(times, sizeof(*client->times_ns));
	if (client->times_ns == NULL)
		return report(DOCA_ERROR_NO_MEMORY, "calloc", "%llu times", (unsigned long long)options->count);
	memset(client->times_ns, 0, times * sizeof(*client->times_ns)); /* touches the pages before the measurement */
	if (!region_open(&client->local, options->parallel * options->size, client->dev, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE))
		return false;
	client->work = work_open(client->engine, client->dev, client->kind, (uint32_t)options->parallel);
	client->inbox.handle = take_message;
	client->inbox.owner = client;
	return client->work != NULL &&
	       rdma_inbox_open(&client->inbox, work_object(client->work), client->dev, RDMA_CLIENT_RECEIVES, RDMA_MAX_OFFER) &&
	       connect_client(client) && import(client);
}

static bool close_client(struct client *client)
{
	bool clean = client->work == NULL || work_close(client->work);

	clean = rdma_inbox_close(&client->inbox) && clean;
	if (client->addr != NULL)
		clean = report(doca_rdma_addr_destroy(client->addr), "doca_rdma_addr_destroy", "server") && clean;
	clean = work_release_buffers(client->pairs, (uint32_t)client->options->parallel) && clean;
	if (client->inventory != NULL)
		clean = report(doca_buf_inventory_destroy(client->inventory), "doca_buf_inventory_destroy", "tasks") && clean;
	if (client->map != NULL)
		clean = report(doca_mmap_destroy(client->map), "doca_mmap_destroy", "memory of the server") && clean;
	free(client->pairs);
	free(client->buffers);
	free(client->times_ns);
	return region_close(&client->local) && clean;
}

static const struct work_kind *find_kind(const struct options *options)
{
	static const struct work_kind *const kinds[] = { &work_rdma_write, &work_rdma_read, &work_rdma_send };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(kinds[i]->name, options->kind) == 0)
			return kinds[i];
	report_fault("--operation %s: it must be one of write, read, send", options->kind);
	return NULL;
}

bool rdma_measure(const struct options *options, struct engine *engine, struct doca_dev *dev)
{
	struct client client = { .options = options, .engine = engine, .dev = dev, .kind = find_kind(options) };
	uint64_t trial;
	bool done;

	if (client.kind == NULL)
		return false;
	if (options->verify && client.kind == &work_rdma_send)
		return report_fault("--verify: only for write and read");
	if (options->size > REGION_MAX_BYTES / options->parallel)
		return report_fault("--size, --parallel: too much for one region of memory");
	done = open_client(&client);
	for (trial = 0; done && trial < options->trials && options_wait_for_turn(options); trial++)
		done = rdma_run_trial(&client);
	return close_client(&client) && done;
}
