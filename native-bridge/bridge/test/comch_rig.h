/* The rig with its context as a comch server or client of the fake, and checks of its unsolicited records. */
#ifndef COMCH_RIG_H
#define COMCH_RIG_H

#include "bridge_test.h"

/** Creates a rig whose running context is a server (or a client), with some message cells of 64 bytes. */
static inline void comch_create(struct rig *rig, uint32_t completion_capacity, uint32_t cells, bool is_server)
{
	uint16_t kind = is_server ? DPUBRIDGE_KIND_COMCH_SERVER_SEND : DPUBRIDGE_KIND_COMCH_CLIENT_SEND;

	rig_create_cells(rig, 2, completion_capacity, 4, cells);
	CHECK_EQ(dpubridge_context_configure(rig->bridge, rig->handle, kind, 4), 0);
	CHECK_EQ(dpubridge_comch_configure(rig->bridge, rig->handle,
					   is_server ? DPUBRIDGE_COMCH_SERVER : DPUBRIDGE_COMCH_CLIENT),
		 0);
	rig_start(rig);
}

/** Takes the next record, which must be an unsolicited one of the rig's context; produced is the number in a message's cell. */
static inline uint32_t comch_take(struct rig *rig, uint8_t type, uint64_t produced)
{
	const uint8_t *cells = (const uint8_t *)(rig->records + rig->header->completion_capacity);
	uint32_t cell = rig->header->message_head & (rig->header->message_cells - 1);
	struct dpubridge_record record = rig_take(rig);
	uint64_t number;

	CHECK_EQ(record.type, type);
	CHECK_EQ(record.context, rig->handle);
	CHECK_EQ(record.user_data, (long long)CONTEXT_DATA);
	CHECK_EQ(record.kind, 0);
	if (type == DPUBRIDGE_RECORD_MESSAGE) {
		CHECK(rig->header->message_tail != rig->header->message_head);
		CHECK_EQ(record.produced, sizeof(number));
		memcpy(&number, cells + (size_t)cell * 64, sizeof(number));
		CHECK_EQ(number, produced);
		rig->header->message_head++;
	} else {
		CHECK_EQ(record.produced, produced);
	}
	CHECK_EQ(record.status, 0);
	return record.states;
}

static inline void comch_message(struct doca_comch_connection *connection, uint64_t number)
{
	fake_message(connection, &number, sizeof(number));
}

/** Puts an entry that sends to a connection. */
static inline void comch_send(struct rig *rig, uint16_t kind, uint64_t user_data, uint64_t connection)
{
	static const char message[] = "message";
	struct dpubridge_entry *entry = rig_put(rig, user_data, sizeof(message));

	*entry = (struct dpubridge_entry){
		.user_data = user_data,
		.context = rig->handle,
		.kind = kind,
		.src_addr = (uintptr_t)message,
		.src_len = sizeof(message),
		.argument = connection,
	};
}

#endif
