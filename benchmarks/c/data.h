/*
 * The fast path: declarations shared by the two ends of data-c. data_send.c is the sending end, data_receive.c the receiving end.
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
	struct region region;	  /* the blocks; on the receiving side as large as the last server's geometry */
	struct geometry geometry; /* geometry of the blocks in region */
	uint64_t elapsed_ns;	  /* from the first posted receive to the last complete block */
};

extern const struct role data_send_role;
extern const struct role data_receive_role;

#endif
