#include "work_inside.h"

#include <stdlib.h>

#include <doca_ctx.h>
#include <doca_pe.h>

#include "report.h"

static bool start(struct work *work, struct doca_dev *dev)
{
	const struct work_kind *kind = work->kind;
	const char *name = kind->name;
	union doca_data user_data = { .ptr = work };

	return report(kind->create(dev, &work->object, &work->ctx), "create", "%s context", name) &&
	       (kind->create_operand == NULL ||
		report(kind->create_operand(work->object, &work->operand), "create", "key or matrix of the %s context", name)) &&
	       report(doca_pe_connect_ctx(work->engine->pe, work->ctx), "doca_pe_connect_ctx", "%s context", name) &&
	       report(doca_ctx_set_user_data(work->ctx, user_data), "doca_ctx_set_user_data", "%s context", name) &&
	       report(kind->configure(work->object, work->window), "set_conf", "%u %s tasks", work->window, name) &&
	       report(doca_ctx_start(work->ctx), "doca_ctx_start", "%s context", name);
}

static bool destroy_when_idle(struct work *work)
{
	if (work->object != NULL) {
		if (!engine_stops(work->ctx))
			return false;
		if (work->kind->create_operand != NULL && work->operand != NULL)
			report(work->kind->destroy_operand(work->operand), "destroy", "key or matrix of the %s context", work->kind->name);
		report(work->kind->destroy(work->object), "destroy", "%s context", work->kind->name);
	}
	free(work);
	return true;
}

bool work_end(struct work *work)
{
	uint32_t i;

	work->ending = true;
	for (i = 0; i < work->window; i++)
		if (!work->slots[i].in_flight)
			work_free_task(&work->slots[i]);
	return destroy_when_idle(work);
}

struct work *work_open(struct engine *engine, struct doca_dev *dev, const struct work_kind *kind, uint32_t window)
{
	struct work *work = calloc(1, sizeof(*work) + window * sizeof(work->slots[0]));
	uint32_t i;

	if (work == NULL) {
		report(DOCA_ERROR_NO_MEMORY, "calloc", "%u tasks", window);
		return NULL;
	}
	work->engine = engine;
	work->kind = kind;
	work->window = window;
	for (i = 0; i < window; i++)
		work->slots[i].index = i;
	if (start(work, dev))
		return work;
	work_end(work); /* ends at once, because the work was never started */
	return NULL;
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
			return report(DOCA_ERROR_TIME_OUT, "doca_task", "%s task after %llu done", work->kind->name,
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

bool work_take_buffers(struct work_buffers *buffers, uint32_t count, struct doca_buf_inventory *inventory, struct work_range src,
		       struct work_range dst)
{
	uint32_t i;

	for (i = 0; i < count; i++) {
		if (!report(doca_buf_inventory_buf_get_by_data(inventory, src.map, src.base + i * src.stride, src.len, &buffers[i].src),
			    "doca_buf_inventory_buf_get_by_data", "source %u of %u", i, count) ||
		    !report(doca_buf_inventory_buf_get_by_addr(inventory, dst.map, dst.base + i * dst.stride, dst.len, &buffers[i].dst),
			    "doca_buf_inventory_buf_get_by_addr", "destination %u of %u", i, count))
			return false;
	}
	return true;
}

static bool release(struct doca_buf **buf)
{
	bool clean = *buf == NULL || report(doca_buf_dec_refcount(*buf, NULL), "doca_buf_dec_refcount", "buffer");

	*buf = NULL;
	return clean;
}

bool work_release_buffers(struct work_buffers *buffers, uint32_t count)
{
	bool clean = true;
	uint32_t i;

	for (i = 0; buffers != NULL && i < count; i++) {
		clean = release(&buffers[i].src) && clean;
		clean = release(&buffers[i].dst) && clean;
	}
	return clean;
}

static bool open_range(struct region *region, struct work_range *range, uint32_t count, size_t len, size_t head,
		       struct doca_dev *dev)
{
	range->len = len;
	range->stride = head + len;
	if (!region_open(region, count * range->stride, dev, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE))
		return false;
	range->map = region->map;
	range->base = region->base + head;
	return true;
}

bool work_memory_open(struct work_memory *memory, uint32_t count, size_t src_len, size_t dst_len, size_t head, struct doca_dev *dev)
{
	if ((head + dst_len) > REGION_MAX_BYTES / count)
		return report_fault("%u blocks of %zu bytes are too much for one region of memory", count, src_len);
	memory->count = count;
	memory->inventory = region_open_inventory(2 * (size_t)count);
	memory->buffers = calloc(count, sizeof(*memory->buffers));
	if (memory->inventory == NULL || memory->buffers == NULL)
		return report(DOCA_ERROR_NO_MEMORY, "calloc", "%u blocks", count);
	return open_range(&memory->src_region, &memory->src, count, src_len, 0, dev) &&
	       open_range(&memory->dst_region, &memory->dst, count, dst_len, head, dev) &&
	       work_take_buffers(memory->buffers, count, memory->inventory, memory->src, memory->dst);
}

bool work_memory_close(struct work_memory *memory)
{
	bool clean = work_release_buffers(memory->buffers, memory->count);

	free(memory->buffers);
	if (memory->inventory != NULL)
		clean = report(doca_buf_inventory_destroy(memory->inventory), "doca_buf_inventory_destroy", "buffers") && clean;
	clean = region_close(&memory->src_region) && clean;
	return region_close(&memory->dst_region) && clean;
}
