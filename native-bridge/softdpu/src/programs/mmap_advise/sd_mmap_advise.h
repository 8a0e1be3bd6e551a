/* Memory advice: one kind of task, which has no effect on coherent memory. */
#ifndef SD_MMAP_ADVISE_H
#define SD_MMAP_ADVISE_H

#include "doca_mmap_advise.h"
#include "sd_context.h"
#include "sd_memory.h"

struct doca_mmap_advise {
	struct doca_ctx ctx;
};

struct doca_mmap_advise_task_invalidate_cache {
	struct doca_task base;
	struct doca_buf *buf;
	struct sd_latch latch;			/**< held from submit to completion */
};

extern const struct sd_task_operation sd_mmap_advise_invalidate_cache;

#endif
