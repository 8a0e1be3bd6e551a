/* The rig with its context as a producer of the fake: each consumer is an ordering key. */
#ifndef PRODUCER_RIG_H
#define PRODUCER_RIG_H

#include "bridge_test.h"

/** Creates a rig whose context is an idle producer with num_tasks; call rig_start() afterwards. */
static inline void producer_create(struct rig *rig, uint32_t submission_capacity, uint32_t completion_capacity, uint32_t num_tasks)
{
	CHECK_EQ(dpubridge_load(FAKE_PRODUCER), 0);
	rig_create(rig, submission_capacity, completion_capacity, 1);
	CHECK_EQ(dpubridge_context_configure(rig->bridge, rig->handle, DPUBRIDGE_KIND_COMCH_PRODUCER_SEND, num_tasks), 0);
}

/** Puts an entry that sends to a consumer. */
static inline void producer_send(struct rig *rig, uint64_t user_data, uint32_t consumer)
{
	struct dpubridge_entry *entry = rig_put(rig, user_data, 10);

	entry->kind = DPUBRIDGE_KIND_COMCH_PRODUCER_SEND;
	entry->dst_buf = 0;
	entry->dst_addr = 0;
	entry->argument = consumer;
}

#endif
