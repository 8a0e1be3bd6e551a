/*
 * The sending end: sends the geometry, and block after block once the peer has a consumer. The callback of each block submits the
 * next one.
 */
#include "data.h"

#include <inttypes.h>
#include <stdio.h>

#include <doca_buf.h>
#include <doca_comch_producer.h>
#include <doca_ctx.h>
#include <doca_pe.h>

#include "report.h"

struct sender {
	struct doca_comch_producer *producer;
	struct doca_buf *buf; /* a window over all blocks; its content is the block being sent */
	struct doca_comch_producer_task_send *task;
	uint32_t consumer_id;
	uint32_t sent;
	bool in_flight;
	bool waiting; /* the peer has no posted receive */
};

static bool fails(struct peer *peer, doca_error_t result, const char *operation)
{
	const struct sender *sender = peer_state(peer);

	if (report(result, operation, "block %u of \"%s\"", sender->sent, ((struct data *)peer_shared(peer))->options->name))
		return false;
	peer_fail(peer);
	return true;
}

static void send_geometry(struct peer *peer)
{
	const struct data *data = peer_shared(peer);
	char text[32];
	int len = snprintf(text, sizeof(text), "%" PRIu32 " %" PRIu32, data->geometry.blocks, data->geometry.block_size);

	peer_send(peer, text, (uint32_t)len + data->options->nul);
}

static void submit(struct peer *peer)
{
	struct sender *sender = peer_state(peer);
	doca_error_t result = doca_task_submit(doca_comch_producer_task_send_as_task(sender->task));

	sender->in_flight = result == DOCA_SUCCESS;
	sender->waiting = result == DOCA_ERROR_AGAIN;
	if (!sender->waiting)
		fails(peer, result, "doca_task_submit");
}

static void send_next(struct peer *peer)
{
	const struct data *data = peer_shared(peer);
	struct sender *sender = peer_state(peer);
	uint8_t *block = data->region.base + (size_t)sender->sent * data->geometry.block_size;

	if (!fails(peer, doca_buf_set_data(sender->buf, block, data->geometry.block_size), "doca_buf_set_data"))
		submit(peer);
}

static void on_sent(struct doca_comch_producer_task_send *task, union doca_data task_data, union doca_data ctx_data)
{
	struct peer *peer = ctx_data.ptr;
	struct sender *sender = peer_state(peer);

	(void)task;
	(void)task_data;
	sender->in_flight = false;
	sender->sent++;
	peer_touch(peer);
	if (sender->sent == ((const struct data *)peer_shared(peer))->geometry.blocks)
		peer_complete(peer);
	else if (!peer_is_leaving(peer))
		send_next(peer);
}

static void on_not_sent(struct doca_comch_producer_task_send *task, union doca_data task_data, union doca_data ctx_data)
{
	struct peer *peer = ctx_data.ptr;
	struct sender *sender = peer_state(peer);

	(void)task_data;
	sender->in_flight = false;
	/* Ignores sends that fail because the connection ends. */
	if (peer_connection(peer) != NULL && !peer_is_leaving(peer))
		fails(peer, doca_task_get_status(doca_comch_producer_task_send_as_task(task)), "doca_comch_producer_task_send");
}

static bool open_producer(struct peer *peer, const struct data *data, struct sender *sender)
{
	union doca_data user_data = { .ptr = peer };
	struct doca_ctx *ctx;

	if (fails(peer, doca_comch_producer_create(peer_connection(peer), &sender->producer), "doca_comch_producer_create"))
		return false;
	ctx = doca_comch_producer_as_ctx(sender->producer);
	return !fails(peer, doca_pe_connect_ctx(data->engine->pe, ctx), "doca_pe_connect_ctx") &&
	       !fails(peer, doca_ctx_set_user_data(ctx, user_data), "doca_ctx_set_user_data") &&
	       !fails(peer, doca_comch_producer_task_send_set_conf(sender->producer, on_sent, on_not_sent, 1),
		      "doca_comch_producer_task_send_set_conf") &&
	       !fails(peer, doca_ctx_start(ctx), "doca_ctx_start") &&
	       !fails(peer,
		      doca_buf_inventory_buf_get_by_data(data->inventory, data->region.map, data->region.base, data->region.len,
							 &sender->buf),
		      "doca_buf_inventory_buf_get_by_data") &&
	       !fails(peer,
		      doca_comch_producer_task_send_alloc_init(sender->producer, sender->buf, NULL, 0, sender->consumer_id,
							       &sender->task),
		      "doca_comch_producer_task_send_alloc_init");
}

static void begin(struct peer *peer, uint32_t id)
{
	struct sender *sender = peer_state(peer);

	if (sender->producer != NULL) {
		report_fault("a client has a second consumer; its connection ends");
		peer_fail(peer);
		return;
	}
	sender->consumer_id = id;
	if (open_producer(peer, peer_shared(peer), sender))
		send_next(peer);
}

static bool try_again(struct peer *peer)
{
	struct sender *sender = peer_state(peer);

	if (sender->waiting)
		submit(peer);
	return sender->waiting;
}

static bool close_producer(struct peer *peer)
{
	struct sender *sender = peer_state(peer);

	if (sender->task != NULL && !sender->in_flight) {
		doca_task_free(doca_comch_producer_task_send_as_task(sender->task));
		sender->task = NULL;
	}
	if (sender->producer != NULL) {
		if (!engine_stops(doca_comch_producer_as_ctx(sender->producer)))
			return false;
		fails(peer, doca_comch_producer_destroy(sender->producer), "doca_comch_producer_destroy");
		sender->producer = NULL;
	}
	if (sender->buf != NULL)
		fails(peer, doca_buf_dec_refcount(sender->buf, NULL), "doca_buf_dec_refcount");
	sender->buf = NULL;
	return true;
}

const struct role data_send_role = {
	.state_bytes = sizeof(struct sender),
	.opened = send_geometry,
	.consumer = begin,
	.turn = try_again,
	.closed = close_producer,
};
