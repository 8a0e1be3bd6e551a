/*
 * The fast path: what the two ends of data-c share. data_send.c is the end that has the blocks, data_receive.c the other.
 */
#ifndef DATA_H
#define DATA_H

#include "channel.h"
#include "options.h"
#include "region.h"

struct data {
	const struct options *options;
	struct engine *engine;
	struct doca_dev *dev;
	struct doca_buf_inventory *inventory;
	struct region region;	  /* the blocks; on the receiving side as large as the last server said */
	struct geometry geometry; /* the same */
	uint64_t elapsed_ns;	  /* from the first receive posted to the last block complete */
};

extern const struct role data_send_role;
extern const struct role data_receive_role;

#endif
