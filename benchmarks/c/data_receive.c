/*
 * The receiving end: reads the geometry, prepares memory, posts one receive at a time. The callback of each receive posts the
 * next one.
 */
#include "data.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <doca_buf.h>
#include <doca_comch_consumer.h>
#include <doca_ctx.h>
#include <doca_pe.h>

#include "report.h"

enum { MAX_GEOMETRY = 32 };

struct receiver {
	struct doca_comch_consumer *consumer;
	struct doca_buf **bufs; /* one per block */
	struct doca_comch_consumer_task_post_recv *task;
	uint64_t begin_ns;
	uint32_t received;
	bool in_flight;
	bool began;
};

static bool fails(struct peer *peer, doca_error_t result, const char *operation)
{
	const struct receiver *receiver = peer_state(peer);

	if (report(result, operation, "block %u of \"%s\"", receiver->received,
		   ((struct data *)peer_shared(peer))->options->name))
		return false;
	peer_fail(peer);
	return true;
}

static bool parse_one(const char **text, uint32_t *value)
{
	char *end;
	unsigned long number;

	errno = 0;
	number = strtoul(*text, &end, 10);
	if (**text < '0' || **text > '9' || errno != 0 || number > UINT32_MAX)
		return false;
	*text = end;
	*value = (uint32_t)number;
	return true;
}

/* Parses "<blocks> <block size>", with or without a NUL. */
static bool parse_geometry(const uint8_t *bytes, uint32_t len, struct geometry *geometry)
{
	char copy[MAX_GEOMETRY + 1] = "";
	const char *at = copy;

	if (len > MAX_GEOMETRY)
		return false;
	memcpy(copy, bytes, len);
	if (memchr(copy, '\0', len) != NULL && len != strlen(copy) + 1)
		return false;
	return parse_one(&at, &geometry->blocks) && *at++ == ' ' && parse_one(&at, &geometry->block_size) && *at == '\0' &&
	       geometry_is_sound(*geometry);
}

static bool take_bufs(struct peer *peer, struct data *data, struct receiver *receiver)
{
	uint32_t i;

	data->inventory = region_open_inventory(data->geometry.blocks);
	receiver->bufs = calloc(data->geometry.blocks, sizeof(struct doca_buf *));
	if (data->inventory == NULL || receiver->bufs == NULL) {
		peer_fail(peer);
		return false;
	}
	for (i = 0; i < data->geometry.blocks; i++)
		if (fails(peer,
			  doca_buf_inventory_buf_get_by_addr(data->inventory, data->region.map,
							     data->region.base + (size_t)i * data->geometry.block_size,
							     data->geometry.block_size, &receiver->bufs[i]),
			  "doca_buf_inventory_buf_get_by_addr"))
			return false;
	return true;
}

static bool drop_bufs(struct peer *peer, struct data *data, struct receiver *receiver)
{
	uint32_t i;

	for (i = 0; receiver->bufs != NULL && i < data->geometry.blocks && receiver->bufs[i] != NULL; i++)
		fails(peer, doca_buf_dec_refcount(receiver->bufs[i], NULL), "doca_buf_dec_refcount");
	free(receiver->bufs);
	receiver->bufs = NULL;
	if (data->inventory != NULL)
		fails(peer, doca_buf_inventory_destroy(data->inventory), "doca_buf_inventory_destroy");
	data->inventory = NULL;
	return true;
}

static void post(struct peer *peer)
{
	struct receiver *receiver = peer_state(peer);
	struct doca_buf *buf = receiver->bufs[receiver->received];

	doca_comch_consumer_task_post_recv_set_buf(receiver->task, buf);
	receiver->in_flight =
		!fails(peer, doca_task_submit(doca_comch_consumer_task_post_recv_as_task(receiver->task)), "doca_task_submit");
}

static void on_received(struct doca_comch_consumer_task_post_recv *task, union doca_data task_data, union doca_data ctx_data)
{
	struct peer *peer = ctx_data.ptr;
	struct receiver *receiver = peer_state(peer);
	struct data *data = peer_shared(peer);
	uint64_t now_ns = engine_clock_ns();
	size_t len = 0;

	(void)task_data;
	receiver->in_flight = false;
	if (fails(peer, doca_buf_get_data_len(doca_comch_consumer_task_post_recv_get_buf(task), &len), "doca_buf_get_data_len"))
		return;
	if (len != data->geometry.block_size) {
		report_fault("block %u of \"%s\" has %zu bytes, not %u", receiver->received, data->options->name, len,
			     data->geometry.block_size);
		peer_fail(peer);
		return;
	}
	peer_touch(peer);
	if (++receiver->received < data->geometry.blocks) {
		post(peer);
		return;
	}
	data->elapsed_ns = now_ns - receiver->begin_ns;
	peer_leave(peer);
}

static void on_not_received(struct doca_comch_consumer_task_post_recv *task, union doca_data task_data, union doca_data ctx_data)
{
	struct peer *peer = ctx_data.ptr;
	struct receiver *receiver = peer_state(peer);

	(void)task_data;
	receiver->in_flight = false;
	if (peer_connection(peer) != NULL && !peer_is_leaving(peer))
		fails(peer, doca_task_get_status(doca_comch_consumer_task_post_recv_as_task(task)),
		      "doca_comch_consumer_task_post_recv");
}

static bool start_consumer(struct peer *peer, const struct data *data, struct receiver *receiver)
{
	union doca_data user_data = { .ptr = peer };
	struct doca_ctx *ctx;
	doca_error_t result;

	if (fails(peer, doca_comch_consumer_create(peer_connection(peer), data->region.map, &receiver->consumer),
		  "doca_comch_consumer_create"))
		return false;
	ctx = doca_comch_consumer_as_ctx(receiver->consumer);
	if (fails(peer, doca_pe_connect_ctx(data->engine->pe, ctx), "doca_pe_connect_ctx") ||
	    fails(peer, doca_ctx_set_user_data(ctx, user_data), "doca_ctx_set_user_data") ||
	    fails(peer, doca_comch_consumer_task_post_recv_set_conf(receiver->consumer, on_received, on_not_received, 1),
		  "doca_comch_consumer_task_post_recv_set_conf"))
		return false;
	result = doca_ctx_start(ctx);
	return result == DOCA_ERROR_IN_PROGRESS || !fails(peer, result, "doca_ctx_start");
}

static void connected(struct peer *peer)
{
	(void)peer; /* the server sends the first message */
}

/* This work is not in the measured time, which begins with the first receive. */
static void take_geometry(struct peer *peer, const uint8_t *bytes, uint32_t len)
{
	struct receiver *receiver = peer_state(peer);
	struct data *data = peer_shared(peer);
	struct geometry geometry;

	if (receiver->bufs != NULL || !parse_geometry(bytes, len, &geometry)) {
		report_fault("a message of %u bytes from \"%s\" is not the geometry of its blocks", len, data->options->name);
		peer_fail(peer);
		return;
	}
	data->geometry = geometry;
	if (!region_resize(&data->region, geometry_bytes(geometry), data->dev,
			   DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_PCI_READ_WRITE)) {
		peer_fail(peer);
		return;
	}
	if (data->options->verify)
		region_fill(&data->region, geometry, true);
	if (take_bufs(peer, data, receiver))
		start_consumer(peer, data, receiver);
}

static bool begin_when_running(struct peer *peer)
{
	struct receiver *receiver = peer_state(peer);
	enum doca_ctx_states state = DOCA_CTX_STATE_IDLE;

	if (receiver->began || receiver->consumer == NULL)
		return false;
	if (fails(peer, doca_ctx_get_state(doca_comch_consumer_as_ctx(receiver->consumer), &state), "doca_ctx_get_state") ||
	    state == DOCA_CTX_STATE_STARTING)
		return false;
	receiver->began = true;
	if (state != DOCA_CTX_STATE_RUNNING) {
		fails(peer, DOCA_ERROR_CONNECTION_ABORTED, "start of the consumer");
	} else if (!fails(peer,
			  doca_comch_consumer_task_post_recv_alloc_init(receiver->consumer, receiver->bufs[0], &receiver->task),
			  "doca_comch_consumer_task_post_recv_alloc_init")) {
		receiver->begin_ns = engine_clock_ns();
		post(peer);
	}
	return false;
}

static bool close_consumer(struct peer *peer)
{
	struct receiver *receiver = peer_state(peer);

	if (receiver->task != NULL && !receiver->in_flight) {
		doca_task_free(doca_comch_consumer_task_post_recv_as_task(receiver->task));
		receiver->task = NULL;
	}
	if (receiver->consumer != NULL) {
		if (!engine_stops(doca_comch_consumer_as_ctx(receiver->consumer)))
			return false;
		fails(peer, doca_comch_consumer_destroy(receiver->consumer), "doca_comch_consumer_destroy");
		receiver->consumer = NULL;
	}
	return drop_bufs(peer, peer_shared(peer), receiver);
}

const struct role data_receive_role = {
	.state_bytes = sizeof(struct receiver),
	.opened = connected,
	.received = take_geometry,
	.turn = begin_when_running,
	.closed = close_consumer,
};
