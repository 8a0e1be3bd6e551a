/* A consumer of the client and a producer of the server of a pair, each with its memory. */
#ifndef COMCH_TRANSFER_H
#define COMCH_TRANSFER_H

#include "comch_pair.h"

#ifdef HAS_SOFTDPU
#include "doca_buf.h"
#include "doca_buf_inventory.h"
#include "doca_comch_consumer.h"
#include "doca_comch_producer.h"
#include "doca_mmap.h"

enum { SLOTS = 8, SLOT = 4096, CONSUMER_DATA = 0xc0, PRODUCER_DATA = 0xb0 };

/** Memory of one side, in slots. */
struct area {
	uint8_t *memory;
	struct doca_mmap *map;
	struct doca_buf_inventory *inventory;
	struct doca_buf *bufs[SLOTS];
};

struct transfer {
	struct pair pair;
	struct area area[2];			/* of the consumer, of the producer */
	struct doca_comch_consumer *consumer;
	struct doca_comch_producer *producer;
	struct doca_ctx *consumer_ctx, *producer_ctx;
	uint32_t consumer_handle, producer_handle;
	uint32_t consumer_id, producer_id;
};

static struct {
	struct dpubridge_record received, sent, refused;	/* last record of each type */
	uint32_t num_received, num_flushed, num_sent, num_send_failed, num_refused;
	uint32_t consumer_state, producer_state;
} data;

COMCH_RINGS void take_data(const struct dpubridge_record *record, const uint8_t *bytes)
{
	uint8_t is_consumer = record->kind == DPUBRIDGE_KIND_COMCH_CONSUMER_RECV;

	if (record->type == DPUBRIDGE_RECORD_CONTEXT_STATE && record->user_data == CONSUMER_DATA) {
		data.consumer_state = record->states & 0xffff;
	} else if (record->type == DPUBRIDGE_RECORD_CONTEXT_STATE && record->user_data == PRODUCER_DATA) {
		data.producer_state = record->states & 0xffff;
	} else if (record->kind < DPUBRIDGE_KIND_COMCH_CONSUMER_RECV) {
		take(record, bytes);
	} else if (record->type == DPUBRIDGE_RECORD_REFUSED) {
		data.refused = *record;
		data.num_refused++;
	} else if (is_consumer) {
		data.received = *record;
		data.num_received += record->type == DPUBRIDGE_RECORD_TASK_DONE;
		data.num_flushed += record->type == DPUBRIDGE_RECORD_TASK_FAILED;
	} else {
		data.sent = *record;
		data.num_sent += record->type == DPUBRIDGE_RECORD_TASK_DONE;
		data.num_send_failed += record->type == DPUBRIDGE_RECORD_TASK_FAILED;
	}
}

COMCH_RINGS void open_area(struct area *area, struct doca_dev *dev, uint32_t permissions)
{
	uint32_t i;

	area->memory = calloc(SLOTS, SLOT);
	CHECK(area->memory != NULL);
	CHECK_EQ(doca_mmap_create(&area->map), DOCA_SUCCESS);
	CHECK_EQ(doca_mmap_set_memrange(area->map, area->memory, SLOTS * SLOT), DOCA_SUCCESS);
	CHECK_EQ(doca_mmap_set_permissions(area->map, permissions), DOCA_SUCCESS);
	CHECK_EQ(doca_mmap_add_dev(area->map, dev), DOCA_SUCCESS);
	CHECK_EQ(doca_mmap_start(area->map), DOCA_SUCCESS);
	CHECK_EQ(doca_buf_inventory_create(SLOTS, &area->inventory), DOCA_SUCCESS);
	CHECK_EQ(doca_buf_inventory_start(area->inventory), DOCA_SUCCESS);
	for (i = 0; i < SLOTS; i++)
		CHECK_EQ(doca_buf_inventory_buf_get_by_addr(area->inventory, area->map, area->memory + i * SLOT, SLOT,
							    &area->bufs[i]),
			 DOCA_SUCCESS);
}

COMCH_RINGS void close_area(struct area *area)
{
	uint32_t i;

	for (i = 0; i < SLOTS; i++)
		CHECK_EQ(doca_buf_dec_refcount(area->bufs[i], NULL), DOCA_SUCCESS);
	CHECK_EQ(doca_buf_inventory_destroy(area->inventory), DOCA_SUCCESS);
	CHECK_EQ(doca_mmap_destroy(area->map), DOCA_SUCCESS);
	free(area->memory);
}

COMCH_RINGS uint32_t attach(struct rings *rings, struct doca_ctx *ctx, void *object, uint64_t user_data, uint16_t kind)
{
	uint32_t handle;

	CHECK_EQ(doca_pe_connect_ctx(rings->pe, ctx), DOCA_SUCCESS);
	CHECK_EQ(dpubridge_context_attach(rings->bridge, ctx, object, user_data, &handle), DOCA_SUCCESS);
	CHECK_EQ(dpubridge_context_configure(rings->bridge, handle, kind, SLOTS), DOCA_SUCCESS);
	return handle;
}

COMCH_RINGS void open_consumer(struct transfer *transfer)
{
	struct rings *rings = transfer->pair.client_rings;
	void *connection = dpubridge_connection_pointer(rings->bridge, transfer->pair.client_connection);

	open_area(&transfer->area[0], transfer->pair.client.dev, DOCA_ACCESS_FLAG_PCI_READ_WRITE);
	CHECK_EQ(doca_comch_consumer_create(connection, transfer->area[0].map, &transfer->consumer), DOCA_SUCCESS);
	transfer->consumer_ctx = doca_comch_consumer_as_ctx(transfer->consumer);
	CHECK_EQ(doca_comch_consumer_set_imm_data_len(transfer->consumer, DPUBRIDGE_IMMEDIATE_BYTES), DOCA_SUCCESS);
	CHECK_EQ(doca_comch_consumer_get_id(transfer->consumer, &transfer->consumer_id), DOCA_SUCCESS);
	transfer->consumer_handle = attach(rings, transfer->consumer_ctx, transfer->consumer, CONSUMER_DATA,
					   DPUBRIDGE_KIND_COMCH_CONSUMER_RECV);
	CHECK_EQ(doca_ctx_start(transfer->consumer_ctx), DOCA_ERROR_IN_PROGRESS);
}

COMCH_RINGS void open_producer(struct transfer *transfer)
{
	struct rings *rings = transfer->pair.server_rings;
	void *connection = dpubridge_connection_pointer(rings->bridge, seen.connection);

	open_area(&transfer->area[1], transfer->pair.server.dev, DOCA_ACCESS_FLAG_PCI_READ_ONLY);
	CHECK_EQ(doca_comch_producer_create(connection, &transfer->producer), DOCA_SUCCESS);
	transfer->producer_ctx = doca_comch_producer_as_ctx(transfer->producer);
	CHECK_EQ(doca_comch_producer_get_id(transfer->producer, &transfer->producer_id), DOCA_SUCCESS);
	transfer->producer_handle = attach(rings, transfer->producer_ctx, transfer->producer, PRODUCER_DATA,
					   DPUBRIDGE_KIND_COMCH_PRODUCER_SEND);
	CHECK_EQ(doca_ctx_start(transfer->producer_ctx), DOCA_SUCCESS);
}

COMCH_RINGS void open_transfer(struct transfer *transfer, uint8_t is_shared)
{
	memset(&data, 0, sizeof(data));
	memset(transfer, 0, sizeof(*transfer));
	open_pair(&transfer->pair, is_shared);
	transfer->pair.first.on_record = transfer->pair.second.on_record = take_data;
	open_producer(transfer);
	open_consumer(transfer);
	AWAIT(transfer->pair.server_rings, transfer->pair.client_rings,
	      data.consumer_state == DOCA_CTX_STATE_RUNNING && seen.num_new == 1);
	CHECK_EQ(seen.new_consumer, transfer->consumer_id);
}

/* Stops a context that may still have tasks, and waits for its IDLE record. */
COMCH_RINGS void stop(struct transfer *transfer, struct rings *rings, struct doca_ctx *ctx, uint32_t handle, uint32_t *state)
{
	doca_error_t status;

	dpubridge_context_drain(rings->bridge, handle);
	status = doca_ctx_stop(ctx);
	CHECK(status == DOCA_SUCCESS || status == DOCA_ERROR_IN_PROGRESS);
	AWAIT(transfer->pair.server_rings, transfer->pair.client_rings, *state == DOCA_CTX_STATE_IDLE);
	CHECK_EQ(dpubridge_context_detach(rings->bridge, handle), DOCA_SUCCESS);
}

COMCH_RINGS void close_transfer(struct transfer *transfer)
{
	stop(transfer, transfer->pair.client_rings, transfer->consumer_ctx, transfer->consumer_handle, &data.consumer_state);
	CHECK_EQ(doca_comch_consumer_destroy(transfer->consumer), DOCA_SUCCESS);
	AWAIT(transfer->pair.server_rings, transfer->pair.client_rings, seen.num_expired == 1);
	CHECK_EQ(seen.expired_consumer, transfer->consumer_id);
	stop(transfer, transfer->pair.server_rings, transfer->producer_ctx, transfer->producer_handle, &data.producer_state);
	CHECK_EQ(doca_comch_producer_destroy(transfer->producer), DOCA_SUCCESS);
	close_area(&transfer->area[0]);
	close_area(&transfer->area[1]);
	close_pair(&transfer->pair);
}

COMCH_RINGS void post(struct transfer *transfer, uint32_t n)
{
	struct dpubridge_entry *entry = rings_put(transfer->pair.client_rings, transfer->consumer_handle,
						  DPUBRIDGE_KIND_COMCH_CONSUMER_RECV, n);

	entry->dst_buf = (uintptr_t)transfer->area[0].bufs[n % SLOTS];
	entry->dst_addr = (uintptr_t)(transfer->area[0].memory + n % SLOTS * SLOT);
}

COMCH_RINGS struct dpubridge_entry *produce(struct transfer *transfer, uint32_t n, uint32_t len, const void *immediate,
				       uint16_t immediate_len)
{
	struct dpubridge_entry *entry = rings_put(transfer->pair.server_rings, transfer->producer_handle,
						  DPUBRIDGE_KIND_COMCH_PRODUCER_SEND, n);

	if (len > 0) {
		entry->src_buf = (uintptr_t)transfer->area[1].bufs[n % SLOTS];
		entry->src_addr = (uintptr_t)(transfer->area[1].memory + n % SLOTS * SLOT);
		entry->src_len = len;
	}
	entry->dst_addr = immediate_len > 0 ? (uintptr_t)immediate : 0;
	entry->flags = immediate_len;
	entry->argument = transfer->consumer_id;
	return entry;
}

COMCH_RINGS void turn(struct transfer *transfer)
{
	rings_turn(transfer->pair.server_rings);
	rings_turn(transfer->pair.client_rings);
}
#endif

#endif
