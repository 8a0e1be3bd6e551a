#include "work_inside.h"

#include <stdlib.h>

#include <doca_ctx.h>
#include <doca_pe.h>

#include "report.h"

static bool start(struct work *work, struct doca_dev *dev)
{
	const char *name = work->ops->name;
	union doca_data user_data = { .ptr = work };

	return report(work->ops->create(dev, &work->object, &work->ctx), "create", "%s context", name) &&
	       report(doca_pe_connect_ctx(work->engine->pe, work->ctx), "doca_pe_connect_ctx", "%s context", name) &&
	       report(doca_ctx_set_user_data(work->ctx, user_data), "doca_ctx_set_user_data", "%s context", name) &&
	       report(work->ops->configure(work->object, work->window), "set_conf", "%u %s tasks", work->window, name) &&
	       report(doca_ctx_start(work->ctx), "doca_ctx_start", "%s context", name);
}

struct work *work_open(struct engine *engine, struct doca_dev *dev, enum work_kind kind, uint32_t window)
{
	struct work *work = calloc(1, sizeof(*work) + window * sizeof(work->slots[0]));
	uint32_t i;

	if (work == NULL) {
		report(DOCA_ERROR_NO_MEMORY, "calloc", "%u tasks", window);
		return NULL;
	}
	work->engine = engine;
	work->ops = kind == WORK_COMPRESS ? &work_compress_ops : &work_dma_ops;
	work->window = window;
	for (i = 0; i < window; i++)
		work->slots[i].index = i;
	if (start(work, dev))
		return work;
	work_end(work); /* ends at once, because the work was never started */
	return NULL;
}

bool work_destroy_when_idle(struct work *work)
{
	if (work->object != NULL) {
		if (!engine_stops(work->ctx))
			return false;
		report(work->ops->destroy(work->object), "destroy", "%s context", work->ops->name);
	}
	free(work);
	return true;
}

bool work_run(struct work *work, const struct work_plan *plan)
{
	struct engine *engine = work->engine;
	uint64_t since_ns = engine_clock_ns();
	uint64_t done = 0;

	work_begin(work, plan);
	while (!work_is_over(work) && !engine->failed) {
		bool busy = engine_progress(engine);

		work_turn(work);
		if (work->done != done) {
			done = work->done;
			since_ns = engine->now_ns;
		} else if (engine_is_late(engine, since_ns)) {
			return report(DOCA_ERROR_TIME_OUT, "doca_task", "%s task after %llu done", work->ops->name,
				      (unsigned long long)done);
		}
		if (!busy)
			engine_rest(engine, work_is_eager(work));
	}
	return !work->failed && !engine->failed;
}

bool work_close(struct work *work)
{
	struct engine *engine = work->engine;
	uint64_t since_ns = engine_clock_ns();

	while (!work_end(work)) {
		if (!engine_progress(engine))
			engine_rest(engine, false);
		if (engine_is_late(engine, since_ns))
			return report(DOCA_ERROR_TIME_OUT, "doca_ctx_stop", "context with tasks in flight");
	}
	return true;
}

bool work_take_places(struct work_place *places, uint32_t count, struct doca_buf_inventory *inventory, struct doca_mmap *src_map,
		      uint8_t *src, uint32_t src_bytes, struct doca_mmap *dst_map, uint8_t *dst, uint32_t dst_bytes)
{
	uint32_t i;

	for (i = 0; i < count; i++) {
		if (!report(doca_buf_inventory_buf_get_by_data(inventory, src_map, src + (size_t)i * src_bytes, src_bytes,
							       &places[i].src),
			    "doca_buf_inventory_buf_get_by_data", "source %u of %u", i, count) ||
		    !report(doca_buf_inventory_buf_get_by_addr(inventory, dst_map, dst + (size_t)i * dst_bytes, dst_bytes,
							       &places[i].dst),
			    "doca_buf_inventory_buf_get_by_addr", "destination %u of %u", i, count))
			return false;
	}
	return true;
}

static bool drop(struct doca_buf **buf)
{
	bool clean = *buf == NULL || report(doca_buf_dec_refcount(*buf, NULL), "doca_buf_dec_refcount", "buffer");

	*buf = NULL;
	return clean;
}

bool work_drop_places(struct work_place *places, uint32_t count)
{
	bool clean = true;
	uint32_t i;

	for (i = 0; places != NULL && i < count; i++) {
		clean = drop(&places[i].src) && clean;
		clean = drop(&places[i].dst) && clean;
	}
	return clean;
}
