/*
 * A DMA context on an engine, and single copies through it, for tests of copying. A failed copy stops the context; the next one
 * starts it again.
 */
#ifndef DMA_H
#define DMA_H

#include <sys/mman.h>

#include "doca_buf.h"
#include "doca_dma.h"
#include "rig.h"

enum { DMA_MAX_STATES = 256 };

struct dma {
	struct doca_dev *dev;
	struct doca_pe *pe;
	struct doca_dma *dma;
	struct doca_ctx *ctx;
	struct doca_buf_inventory *inventory;
	int completed, failed;
	doca_error_t last_status, last_error;
	uint64_t order[RIG_BUFFERS];		/* user data of ended tasks */
	enum doca_ctx_states states[DMA_MAX_STATES];
	int num_states;
	int keep_tasks;
};

RIG void dma_task_ended(struct dma *dma, struct doca_dma_task_memcpy *task)
{
	struct doca_task *base = doca_dma_task_memcpy_as_task(task);

	dma->last_status = doca_task_get_status(base);
	dma->order[(dma->completed + dma->failed) % RIG_BUFFERS] = doca_task_get_user_data(base).u64;
	if (!dma->keep_tasks)
		doca_task_free(base);
}

RIG void dma_completed(struct doca_dma_task_memcpy *task, union doca_data task_data, union doca_data ctx_data)
{
	(void)task_data;
	CHECK_OK(doca_task_get_status(doca_dma_task_memcpy_as_task(task)));
	dma_task_ended(ctx_data.ptr, task);
	((struct dma *)ctx_data.ptr)->completed++;
}

RIG void dma_failed(struct doca_dma_task_memcpy *task, union doca_data task_data, union doca_data ctx_data)
{
	(void)task_data;
	CHECK(doca_task_get_status(doca_dma_task_memcpy_as_task(task)) != DOCA_SUCCESS);
	dma_task_ended(ctx_data.ptr, task);
	((struct dma *)ctx_data.ptr)->last_error = ((struct dma *)ctx_data.ptr)->last_status;
	((struct dma *)ctx_data.ptr)->failed++;
}

RIG void dma_state_changed(const union doca_data user_data, struct doca_ctx *ctx, enum doca_ctx_states previous,
			   enum doca_ctx_states next)
{
	struct dma *dma = user_data.ptr;

	(void)ctx;
	(void)previous;
	dma->states[dma->num_states++ % DMA_MAX_STATES] = next;
}

RIG enum doca_ctx_states dma_state(const struct dma *dma)
{
	enum doca_ctx_states state;

	CHECK_OK(doca_ctx_get_state(dma->ctx, &state));
	return state;
}

/* Opens everything except the start, on this opened device, which the caller closes. */
RIG void dma_open(struct dma *dma, struct doca_dev *dev, uint32_t num_tasks)
{
	union doca_data data = { .ptr = dma };

	memset(dma, 0, sizeof(*dma));
	dma->dev = dev;
	CHECK_OK(doca_pe_create(&dma->pe));
	CHECK_OK(doca_dma_create(dev, &dma->dma));
	dma->ctx = doca_dma_as_ctx(dma->dma);
	CHECK_OK(doca_dma_task_memcpy_set_conf(dma->dma, dma_completed, dma_failed, num_tasks));
	CHECK_OK(doca_pe_connect_ctx(dma->pe, dma->ctx));
	CHECK_OK(doca_ctx_set_user_data(dma->ctx, data));
	CHECK_OK(doca_ctx_set_state_changed_cb(dma->ctx, dma_state_changed));
	CHECK_OK(doca_buf_inventory_create(4096, &dma->inventory));
	CHECK_OK(doca_buf_inventory_start(dma->inventory));
}

RIG void dma_wait_idle(struct dma *dma)
{
	RIG_PROGRESS_UNTIL(dma->pe, dma_state(dma) == DOCA_CTX_STATE_IDLE);
}

RIG void dma_stop(struct dma *dma)
{
	doca_error_t result = doca_ctx_stop(dma->ctx);

	CHECK(result == DOCA_SUCCESS || result == DOCA_ERROR_IN_PROGRESS);
	dma_wait_idle(dma);
}

RIG void dma_close(struct dma *dma)
{
	dma_stop(dma);
	CHECK_OK(doca_dma_destroy(dma->dma));
	CHECK_OK(doca_buf_inventory_destroy(dma->inventory));
	CHECK_OK(doca_pe_destroy(dma->pe));
}

RIG struct doca_buf *dma_source(struct dma *dma, struct doca_mmap *map, void *data, size_t len)
{
	struct doca_buf *buf;

	CHECK_OK(doca_buf_inventory_buf_get_by_data(dma->inventory, map, data, len, &buf));
	return buf;
}

RIG struct doca_buf *dma_room(struct dma *dma, struct doca_mmap *map, void *addr, size_t len)
{
	struct doca_buf *buf;

	CHECK_OK(doca_buf_inventory_buf_get_by_addr(dma->inventory, map, addr, len, &buf));
	return buf;
}

/* Splits len bytes at addr into a list of pieces, with content (source) or without. */
RIG struct doca_buf *dma_list(struct dma *dma, struct doca_mmap *map, uint8_t *addr, size_t len, int pieces, int is_source)
{
	struct doca_buf *head = NULL;

	for (int i = 0; i < pieces; i++) {
		size_t from = len * (size_t)i / (size_t)pieces, to = len * (size_t)(i + 1) / (size_t)pieces;
		void *at = (void *)((uintptr_t)addr + from);
		struct doca_buf *piece = is_source ? dma_source(dma, map, at, to - from) : dma_room(dma, map, at, to - from);

		if (head == NULL)
			head = piece;
		else
			CHECK_OK(doca_buf_chain_list(head, piece));
	}
	return head;
}

RIG struct doca_task *dma_alloc(struct dma *dma, const struct doca_buf *src, struct doca_buf *dst, uint64_t number)
{
	struct doca_dma_task_memcpy *task;
	union doca_data data = { .u64 = number };

	CHECK_OK(doca_dma_task_memcpy_alloc_init(dma->dma, src, dst, data, &task));
	CHECK(doca_dma_task_memcpy_get_src(task) == src && doca_dma_task_memcpy_get_dst(task) == dst);
	return doca_dma_task_memcpy_as_task(task);
}

/* Runs one copy, from submission to callback, and releases its buffers. */
RIG doca_error_t dma_copy(struct dma *dma, struct doca_buf *src, struct doca_buf *dst)
{
	int before = dma->completed + dma->failed;

	if (dma_state(dma) != DOCA_CTX_STATE_RUNNING) {
		dma_wait_idle(dma);
		CHECK_OK(doca_ctx_start(dma->ctx));
	}
	CHECK_OK(doca_task_submit(dma_alloc(dma, src, dst, 0)));
	RIG_PROGRESS_UNTIL(dma->pe, dma->completed + dma->failed > before);
	if (dma->last_status != DOCA_SUCCESS)
		dma_wait_idle(dma);
	rig_drop(src);
	rig_drop(dst);
	return dma->last_status;
}

/* Returns len bytes between two inaccessible pages; the memory ends (or begins) at one of them. */
RIG uint8_t *dma_guarded(size_t len, int at_the_end)
{
	size_t page = 4096, room = (len + page - 1) / page * page;
	uint8_t *area = mmap(NULL, room + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	CHECK(area != MAP_FAILED);
	CHECK(mprotect(area + page, room, PROT_READ | PROT_WRITE) == 0);
	return area + page + (at_the_end ? room - len : 0);
}

RIG void dma_unguard(uint8_t *memory, size_t len)
{
	size_t page = 4096, room = (len + page - 1) / page * page;
	uintptr_t begin = (uintptr_t)memory / page * page;

	CHECK(munmap((void *)(begin - page), room + 2 * page) == 0);
}

RIG void dma_fill(uint8_t *memory, size_t len, uint64_t seed)
{
	for (size_t i = 0; i < len; i++)
		memory[i] = (uint8_t)((i * 31 + seed) ^ (i >> 8));
}

#endif
