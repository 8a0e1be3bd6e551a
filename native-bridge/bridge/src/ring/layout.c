/* The layout of the shared memory: checked at build time, reported at run time. */
#include <assert.h>

#include "dpubridge.h"
#include "ring/bridge.h"

#define AT(type, member, offset) \
	static_assert(offsetof(struct dpubridge_##type, member) == (offset), #type "." #member " moved")

AT(header, layout_version, 0);
AT(header, submission_capacity, 4);
AT(header, completion_capacity, 8);
AT(header, message_cells, 12);
AT(header, message_bytes, 16);
AT(header, submission_tail, 64);
AT(header, submission_head, 128);
AT(header, completion_tail, 192);
AT(header, completion_head, 256);
AT(header, counters, 320);
AT(header, message_tail, 384);
AT(header, message_head, 448);
static_assert(sizeof(struct dpubridge_header) <= BRIDGE_HEADER_BYTES, "the header is one page");

AT(entry, user_data, 0);
AT(entry, context, 8);
AT(entry, kind, 12);
AT(entry, flags, 14);
AT(entry, src_buf, 16);
AT(entry, src_addr, 24);
AT(entry, src_len, 32);
AT(entry, dst_buf, 40);
AT(entry, dst_addr, 48);
AT(entry, argument, 56);
static_assert(sizeof(struct dpubridge_entry) == 64, "an entry is one cache line");

AT(record, user_data, 0);
AT(record, context, 8);
AT(record, type, 12);
AT(record, immediate_length, 13);
AT(record, kind, 14);
AT(record, status, 16);
AT(record, states, 20);
AT(record, produced, 24);
AT(record, checksum0, 32);
AT(record, checksum1, 36);
AT(record, reserved, 40);
AT(record, immediate, 32);
static_assert(sizeof(struct dpubridge_record) == 64, "a record is one cache line");

AT(batch, count, 0);
AT(batch, next, 4);
AT(batch, ended, 8);
AT(batch, failures, 12);
AT(batch, prepared, 16);
AT(batch, limit, 20);
static_assert(sizeof(struct dpubridge_batch) == 64, "entries of a batch begin at a cache line");

AT(result, outcome, 0);
AT(result, checksum0, 8);
AT(result, checksum1, 12);
static_assert(sizeof(struct dpubridge_result) == 16, "results have no holes");

AT(aead, key, 0);
AT(aead, iv, 8);
AT(aead, aad_size, 20);
AT(aead, iv_length, 24);
AT(aead, tag_size, 25);
static_assert(sizeof(struct dpubridge_aead) == DPUBRIDGE_IMMEDIATE_BYTES, "parameters fit into a cell of immediate data");

AT(atomic, operand, 0);
AT(atomic, compared, 8);
static_assert(sizeof(struct dpubridge_atomic) == 16, "operands have no holes");

#define HEADER(member) offsetof(struct dpubridge_header, member)
#define ENTRY(member) offsetof(struct dpubridge_entry, member)
#define RECORD(member) offsetof(struct dpubridge_record, member)
#define BATCH(member) offsetof(struct dpubridge_batch, member)
#define RESULT(member) offsetof(struct dpubridge_result, member)

static const uint32_t layout[] = {
	[DPUBRIDGE_LAYOUT_LAYOUT_VERSION] = DPUBRIDGE_LAYOUT_VERSION,
	[DPUBRIDGE_LAYOUT_HEADER_BYTES] = BRIDGE_HEADER_BYTES,
	[DPUBRIDGE_LAYOUT_SUBMISSION_TAIL_OFFSET] = HEADER(submission_tail),
	[DPUBRIDGE_LAYOUT_SUBMISSION_HEAD_OFFSET] = HEADER(submission_head),
	[DPUBRIDGE_LAYOUT_COMPLETION_TAIL_OFFSET] = HEADER(completion_tail),
	[DPUBRIDGE_LAYOUT_COMPLETION_HEAD_OFFSET] = HEADER(completion_head),
	[DPUBRIDGE_LAYOUT_COUNTERS_OFFSET] = HEADER(counters),
	[DPUBRIDGE_LAYOUT_ENTRY_BYTES] = sizeof(struct dpubridge_entry),
	[DPUBRIDGE_LAYOUT_ENTRY_USER_DATA] = ENTRY(user_data),
	[DPUBRIDGE_LAYOUT_ENTRY_CONTEXT] = ENTRY(context),
	[DPUBRIDGE_LAYOUT_ENTRY_KIND] = ENTRY(kind),
	[DPUBRIDGE_LAYOUT_ENTRY_FLAGS] = ENTRY(flags),
	[DPUBRIDGE_LAYOUT_ENTRY_SRC_BUF] = ENTRY(src_buf),
	[DPUBRIDGE_LAYOUT_ENTRY_SRC_ADDR] = ENTRY(src_addr),
	[DPUBRIDGE_LAYOUT_ENTRY_SRC_LEN] = ENTRY(src_len),
	[DPUBRIDGE_LAYOUT_ENTRY_DST_BUF] = ENTRY(dst_buf),
	[DPUBRIDGE_LAYOUT_ENTRY_DST_ADDR] = ENTRY(dst_addr),
	[DPUBRIDGE_LAYOUT_ENTRY_ARGUMENT] = ENTRY(argument),
	[DPUBRIDGE_LAYOUT_RECORD_BYTES] = sizeof(struct dpubridge_record),
	[DPUBRIDGE_LAYOUT_RECORD_USER_DATA] = RECORD(user_data),
	[DPUBRIDGE_LAYOUT_RECORD_CONTEXT] = RECORD(context),
	[DPUBRIDGE_LAYOUT_RECORD_TYPE] = RECORD(type),
	[DPUBRIDGE_LAYOUT_RECORD_KIND] = RECORD(kind),
	[DPUBRIDGE_LAYOUT_RECORD_STATUS] = RECORD(status),
	[DPUBRIDGE_LAYOUT_RECORD_STATES] = RECORD(states),
	[DPUBRIDGE_LAYOUT_RECORD_PRODUCED] = RECORD(produced),
	[DPUBRIDGE_LAYOUT_RECORD_CHECKSUM0] = RECORD(checksum0),
	[DPUBRIDGE_LAYOUT_RECORD_CHECKSUM1] = RECORD(checksum1),
	[DPUBRIDGE_LAYOUT_RECORD_IMMEDIATE_LENGTH] = RECORD(immediate_length),
	[DPUBRIDGE_LAYOUT_RECORD_IMMEDIATE] = RECORD(immediate),
	[DPUBRIDGE_LAYOUT_MESSAGE_TAIL_OFFSET] = HEADER(message_tail),
	[DPUBRIDGE_LAYOUT_MESSAGE_HEAD_OFFSET] = HEADER(message_head),
	[DPUBRIDGE_LAYOUT_HEADER_MESSAGE_CELLS] = HEADER(message_cells),
	[DPUBRIDGE_LAYOUT_HEADER_MESSAGE_BYTES] = HEADER(message_bytes),
	[DPUBRIDGE_LAYOUT_BATCH_BYTES] = sizeof(struct dpubridge_batch),
	[DPUBRIDGE_LAYOUT_BATCH_COUNT] = BATCH(count),
	[DPUBRIDGE_LAYOUT_BATCH_NEXT] = BATCH(next),
	[DPUBRIDGE_LAYOUT_BATCH_ENDED] = BATCH(ended),
	[DPUBRIDGE_LAYOUT_BATCH_FAILURES] = BATCH(failures),
	[DPUBRIDGE_LAYOUT_BATCH_PREPARED] = BATCH(prepared),
	[DPUBRIDGE_LAYOUT_BATCH_LIMIT] = BATCH(limit),
	[DPUBRIDGE_LAYOUT_RESULT_BYTES] = sizeof(struct dpubridge_result),
	[DPUBRIDGE_LAYOUT_RESULT_OUTCOME] = RESULT(outcome),
	[DPUBRIDGE_LAYOUT_RESULT_CHECKSUM0] = RESULT(checksum0),
	[DPUBRIDGE_LAYOUT_RESULT_CHECKSUM1] = RESULT(checksum1),
	[DPUBRIDGE_LAYOUT_FLAG_BATCH] = DPUBRIDGE_FLAG_BATCH,
	[DPUBRIDGE_LAYOUT_KIND_COUNT] = DPUBRIDGE_KIND_COUNT,
};
static_assert(sizeof(layout) / sizeof(layout[0]) == DPUBRIDGE_LAYOUT_COUNT, "every value is listed");

uint32_t dpubridge_layout(uint32_t *values, uint32_t count)
{
	uint32_t i;

	for (i = 0; i < count && i < DPUBRIDGE_LAYOUT_COUNT; i++)
		values[i] = layout[i];
	return DPUBRIDGE_LAYOUT_COUNT;
}
