/*
 * RDMA: declarations shared by the two ends of rdma-c, which use the protocol of `dpu serve rdma`.
 *
 *	server -> client   an offer of memory, when the connection is established
 *	client -> server   messages, at most RDMA_UNHANDLED before the server has handled the first
 *	server -> client   an empty message after each RDMA_HANDLED messages
 */
#ifndef RDMA_H
#define RDMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_rdma.h>

#include "card.h"
#include "engine.h"
#include "options.h"
#include "region.h"
#include "work.h"

enum { RDMA_UNHANDLED = 512, RDMA_HANDLED = 128, RDMA_MAX_OFFER = 512 };

/** The first message of the server: the client's part of its memory. Numbers are big-endian on the wire. */
struct rdma_offer {
	uint64_t begin; /* in bytes from the begin of the exported memory */
	uint64_t bytes;
	uint32_t message_bytes; /* longest message that the server receives */
	const uint8_t *export;	/* of the memory */
	size_t export_bytes;
};

/** Writes an offer into RDMA_MAX_OFFER bytes. Returns its length; 0 with an error if it does not fit. */
size_t rdma_offer_encode(const struct rdma_offer *offer, uint8_t *message);
/** Reads an offer, which refers to the message. On failure prints an error and returns false. */
bool rdma_offer_decode(struct rdma_offer *offer, const uint8_t *message, size_t len);

card_suits_t rdma_suits;

/** Handles a message; the bytes are valid until this function returns. */
typedef void rdma_message_t(void *owner, const struct doca_rdma_connection *connection, const uint8_t *bytes, uint32_t len);

struct rdma_receive;

/** Receives of a context, each posted again after its message was handled. */
struct rdma_inbox {
	struct doca_ctx *ctx;
	struct region region;
	struct doca_buf_inventory *inventory;
	struct rdma_receive *receives;
	uint32_t count;
	rdma_message_t *handle;
	void *owner;
	bool failed; /* a receive could not be posted; the error was printed */
};

/** Configures num receives of a context that is not started. */
doca_error_t rdma_inbox_configure(struct doca_rdma *rdma, uint32_t num);
/**
 * Posts the receives on a started context. On failure prints an error and returns false. Close the inbox in this case too, after
 * the context became IDLE.
 */
bool rdma_inbox_open(struct rdma_inbox *inbox, struct doca_rdma *rdma, struct doca_dev *dev, uint32_t num, size_t len);
bool rdma_inbox_close(struct rdma_inbox *inbox);

/** Rows of the tasks on the connection that is their operand. A context is configured for all of them, and for RDMA_CLIENT_RECEIVES. */
extern const struct work_kind work_rdma_write, work_rdma_read, work_rdma_send;
enum { RDMA_CLIENT_RECEIVES = 16 };

/** Sets the connection callbacks of a client's context. */
doca_error_t rdma_client_configure(struct doca_rdma *rdma);

/** Runs the server until a signal arrives or --clients connections have ended. Returns whether all went well. */
bool rdma_serve(const struct options *options, struct engine *engine, struct doca_dev *dev);
/** Connects, runs the trials, and prints a line for each. Returns whether all went well. */
bool rdma_measure(const struct options *options, struct engine *engine, struct doca_dev *dev);

#endif
