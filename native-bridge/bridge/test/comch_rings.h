/*
 * The bridge's rings in front of the software DPU's comch: an engine with its bridge, and servers and clients on it. Each
 * record goes to the test's hook, a message with its bytes.
 */
#ifndef COMCH_RINGS_H
#define COMCH_RINGS_H

#include "check.h"

#ifdef HAS_SOFTDPU
#include <sched.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "doca_comch.h"
#include "doca_ctx.h"
#include "doca_dev.h"
#include "doca_pe.h"
#include "dpubridge.h"
#include "softdpu.h"

enum { SUBMISSIONS = 64, COMPLETIONS = 128, MESSAGE = 4096, SEND_TASKS = 8, TIMEOUT_S = 60 };

struct rings {
	struct doca_pe *pe;
	struct dpubridge *bridge;
	struct dpubridge_header *header;
	struct dpubridge_entry *entries;
	struct dpubridge_record *records;
	uint8_t *cells;
	/** Called for each record; bytes of a message are valid during the call. */
	void (*on_record)(const struct dpubridge_record *record, const uint8_t *bytes);
	uint32_t max_cells;			/* maximum number of unread messages */
};

/** A server or a client. */
struct control {
	struct rings *rings;
	struct doca_dev *dev;
	struct doca_dev_rep *rep;
	struct doca_comch_server *server;
	struct doca_comch_client *client;
	struct doca_ctx *ctx;
	uint32_t handle;
};

/* Inline, so that a test may use only some of them. */
#define COMCH_RINGS static inline

COMCH_RINGS uint64_t now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec;
}

COMCH_RINGS void rings_open(struct rings *rings, uint32_t cells,
			    void (*on_record)(const struct dpubridge_record *record, const uint8_t *bytes))
{
	CHECK_EQ(dpubridge_load(DOCA_COMMON), 0);
	CHECK_EQ(dpubridge_load(DOCA_COMCH), 0);
	memset(rings, 0, sizeof(*rings));
	CHECK_EQ(doca_pe_create(&rings->pe), DOCA_SUCCESS);
	rings->bridge = dpubridge_create(rings->pe, SUBMISSIONS, COMPLETIONS, cells, MESSAGE);
	CHECK(rings->bridge != NULL);
	rings->header = dpubridge_memory(rings->bridge);
	rings->entries = (struct dpubridge_entry *)((uint8_t *)rings->header + 4096);
	rings->records = (struct dpubridge_record *)(rings->entries + SUBMISSIONS);
	rings->cells = (uint8_t *)(rings->records + COMPLETIONS);
	rings->on_record = on_record;
}

COMCH_RINGS void rings_close(struct rings *rings)
{
	CHECK_EQ(dpubridge_destroy(rings->bridge), 0);
	CHECK_EQ(doca_pe_destroy(rings->pe), DOCA_SUCCESS);
}

/** Takes one record, if there is one. */
COMCH_RINGS uint8_t rings_take(struct rings *rings)
{
	struct dpubridge_header *header = rings->header;
	uint32_t unread = header->message_tail - header->message_head;
	const struct dpubridge_record *record = &rings->records[header->completion_head & (COMPLETIONS - 1)];
	const uint8_t *bytes = NULL;

	if (header->completion_head == header->completion_tail)
		return 0;
	CHECK(unread <= header->message_cells);
	if (unread > rings->max_cells)
		rings->max_cells = unread;
	if (record->type == DPUBRIDGE_RECORD_MESSAGE) {
		CHECK(unread > 0);
		bytes = rings->cells + (size_t)(header->message_head & (header->message_cells - 1)) * header->message_bytes;
	}
	rings->on_record(record, bytes);
	header->message_head += bytes != NULL;
	header->completion_head++;
	return 1;
}

/** Runs one turn, then takes all records. */
COMCH_RINGS void rings_turn(struct rings *rings)
{
	if (rings == NULL)
		return;
	CHECK(dpubridge_enter(rings->bridge, 16) != UINT32_MAX);
	while (rings_take(rings))
		;
}

#define AWAIT(one, other, condition)                                 \
	do {                                                         \
		uint64_t await_start = now_s();                      \
		while (!(condition)) {                               \
			rings_turn(one);                             \
			rings_turn(other);                           \
			CHECK(now_s() - await_start < TIMEOUT_S);    \
			sched_yield();                               \
		}                                                    \
	} while (0)

/** Returns the next entry of the submission ring, for a context; there must be room. */
COMCH_RINGS struct dpubridge_entry *rings_put(struct rings *rings, uint32_t context, uint16_t kind, uint64_t user_data)
{
	struct dpubridge_entry *entry = &rings->entries[rings->header->submission_tail & (SUBMISSIONS - 1)];

	CHECK(rings->header->submission_tail - rings->header->submission_head < SUBMISSIONS);
	*entry = (struct dpubridge_entry){ .user_data = user_data, .context = context, .kind = kind };
	rings->header->submission_tail++;
	return entry;
}

COMCH_RINGS struct doca_dev *open_device(const char *pci_addr)
{
	struct doca_devinfo **list;
	struct doca_dev *dev = NULL;
	uint32_t count, i;
	uint8_t is_equal;

	CHECK_EQ(doca_devinfo_create_list(&list, &count), DOCA_SUCCESS);
	for (i = 0; i < count && dev == NULL; i++) {
		CHECK_EQ(doca_devinfo_is_equal_pci_addr(list[i], pci_addr, &is_equal), DOCA_SUCCESS);
		if (is_equal)
			CHECK_EQ(doca_dev_open(list[i], &dev), DOCA_SUCCESS);
	}
	CHECK_EQ(doca_devinfo_destroy_list(list), DOCA_SUCCESS);
	CHECK(dev != NULL);
	return dev;
}

COMCH_RINGS struct doca_dev_rep *open_representor(struct doca_dev *dev)
{
	struct doca_devinfo_rep **list;
	struct doca_dev_rep *rep;
	uint32_t count;

	CHECK_EQ(doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_NET, &list, &count), DOCA_SUCCESS);
	CHECK(count > 0);
	CHECK_EQ(doca_dev_rep_open(list[0], &rep), DOCA_SUCCESS);
	CHECK_EQ(doca_devinfo_rep_destroy_list(list), DOCA_SUCCESS);
	return rep;
}

COMCH_RINGS void control_attach(struct control *control, uint64_t user_data, uint16_t kind, uint32_t role)
{
	struct dpubridge *bridge = control->rings->bridge;

	CHECK_EQ(doca_pe_connect_ctx(control->rings->pe, control->ctx), DOCA_SUCCESS);
	CHECK_EQ(dpubridge_context_attach(bridge, control->ctx,
					  control->server != NULL ? (void *)control->server : (void *)control->client,
					  user_data, &control->handle),
		 DOCA_SUCCESS);
	CHECK_EQ(dpubridge_context_configure(bridge, control->handle, kind, SEND_TASKS), DOCA_SUCCESS);
	CHECK_EQ(dpubridge_comch_configure(bridge, control->handle, role), DOCA_SUCCESS);
}

/** Creates a server for the host's first function, not started. */
COMCH_RINGS void control_open_server(struct control *control, struct rings *rings, const char *name, uint64_t user_data)
{
	*control = (struct control){ .rings = rings, .dev = open_device("03:00.0") };
	control->rep = open_representor(control->dev);
	CHECK_EQ(doca_comch_server_create(control->dev, control->rep, name, &control->server), DOCA_SUCCESS);
	CHECK_EQ(doca_comch_server_set_max_msg_size(control->server, MESSAGE - 16), DOCA_SUCCESS);
	control->ctx = doca_comch_server_as_ctx(control->server);
	control_attach(control, user_data, DPUBRIDGE_KIND_COMCH_SERVER_SEND, DPUBRIDGE_COMCH_SERVER);
}

COMCH_RINGS void control_open_client(struct control *control, struct rings *rings, const char *name, uint64_t user_data)
{
	*control = (struct control){ .rings = rings, .dev = open_device("81:00.0") };
	CHECK_EQ(doca_comch_client_create(control->dev, name, &control->client), DOCA_SUCCESS);
	CHECK_EQ(doca_comch_client_set_max_msg_size(control->client, MESSAGE - 16), DOCA_SUCCESS);
	control->ctx = doca_comch_client_as_ctx(control->client);
	control_attach(control, user_data, DPUBRIDGE_KIND_COMCH_CLIENT_SEND, DPUBRIDGE_COMCH_CLIENT);
}

COMCH_RINGS enum doca_ctx_states control_state(const struct control *control)
{
	enum doca_ctx_states state;

	CHECK_EQ(doca_ctx_get_state(control->ctx, &state), DOCA_SUCCESS);
	return state;
}

COMCH_RINGS uint32_t control_connection(const struct control *client)
{
	uint32_t connection = 0;

	CHECK_EQ(dpubridge_comch_connection(client->rings->bridge, client->handle, &connection), DOCA_SUCCESS);
	CHECK(connection != 0);
	return connection;
}

COMCH_RINGS void control_send(struct control *control, uint32_t connection, uint64_t user_data, const void *bytes, uint64_t len)
{
	uint16_t kind = control->server != NULL ? DPUBRIDGE_KIND_COMCH_SERVER_SEND : DPUBRIDGE_KIND_COMCH_CLIENT_SEND;
	struct dpubridge_entry *entry = rings_put(control->rings, control->handle, kind, user_data);

	entry->src_addr = (uintptr_t)bytes;
	entry->src_len = len;
	entry->argument = connection;
}

/** Stops a control, also an IDLE one, while the other side continues. */
COMCH_RINGS void control_stop(struct control *control, struct rings *other)
{
	doca_error_t status;

	dpubridge_context_drain(control->rings->bridge, control->handle);
	status = doca_ctx_stop(control->ctx);
	CHECK(status == DOCA_SUCCESS || status == DOCA_ERROR_IN_PROGRESS);
	AWAIT(control->rings, other, control_state(control) == DOCA_CTX_STATE_IDLE);
}

COMCH_RINGS void control_close(struct control *control, struct rings *other)
{
	control_stop(control, other);
	rings_turn(control->rings);
	CHECK_EQ(dpubridge_context_detach(control->rings->bridge, control->handle), DOCA_SUCCESS);
	if (control->server != NULL)
		CHECK_EQ(doca_comch_server_destroy(control->server), DOCA_SUCCESS);
	else
		CHECK_EQ(doca_comch_client_destroy(control->client), DOCA_SUCCESS);
	if (control->rep != NULL)
		CHECK_EQ(doca_dev_rep_close(control->rep), DOCA_SUCCESS);
	CHECK_EQ(doca_dev_close(control->dev), DOCA_SUCCESS);
}

COMCH_RINGS void check_nothing_is_left(void)
{
	struct softdpu_census census, empty = { 0 };

	softdpu_census(&census);
	CHECK(memcmp(&census, &empty, sizeof(census)) == 0);
}

/** Creates a folder for this test, where its processes meet. */
COMCH_RINGS void make_own_folder(char path[64])
{
	snprintf(path, 64, "/tmp/bridge-comch-XXXXXX");
	CHECK(mkdtemp(path) != NULL);
	CHECK_EQ(setenv("SOFTDPU_DIR", path, 1), 0);
}
#endif

#endif
