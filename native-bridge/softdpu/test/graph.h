/*
 * Three contexts on one engine (two of DMA, one of compression) for tests of graphs, which run their tasks. The callbacks of
 * the contexts must never be called.
 */
#ifndef GRAPH_H
#define GRAPH_H

#include "dma.h"
#include "doca_graph.h"

enum { GRAPH_LEN = 256, GRAPH_ROOM = 1024, GRAPH_TASKS = 64 };

struct graph_rig {
	struct rig rig;				/* the device, the engine, the memory and the compression */
	struct doca_dma *dma[2];
	struct doca_ctx *dma_ctx[2];
	int completed, failed;			/* numbers of instances */
	struct doca_graph_instance *last;
	void (*on_end)(struct graph_rig *rig, struct doca_graph_instance *instance);
};

RIG void graph_no_task_callback(struct doca_dma_task_memcpy *task, union doca_data task_data, union doca_data ctx_data)
{
	(void)task;
	(void)task_data;
	(void)ctx_data;
	CHECK(!"a task's callback was called within a graph");
}

RIG void graph_completed(struct doca_graph_instance *instance, union doca_data instance_data, union doca_data graph_data)
{
	struct graph_rig *rig = graph_data.ptr;

	(void)instance_data;
	rig->completed++;
	rig->last = instance;
	if (rig->on_end != NULL)
		rig->on_end(rig, instance);
}

RIG void graph_failed(struct doca_graph_instance *instance, union doca_data instance_data, union doca_data graph_data)
{
	struct graph_rig *rig = graph_data.ptr;

	(void)instance_data;
	rig->failed++;
	rig->last = instance;
	if (rig->on_end != NULL)
		rig->on_end(rig, instance);
}

RIG void graph_open_dma(struct graph_rig *rig, int i)
{
	CHECK_OK(doca_dma_create(rig->rig.dev, &rig->dma[i]));
	rig->dma_ctx[i] = doca_dma_as_ctx(rig->dma[i]);
	CHECK_OK(doca_pe_connect_ctx(rig->rig.pe, rig->dma_ctx[i]));
	CHECK_OK(doca_dma_task_memcpy_set_conf(rig->dma[i], graph_no_task_callback, graph_no_task_callback, GRAPH_TASKS));
	CHECK_OK(doca_ctx_start(rig->dma_ctx[i]));
}

RIG void graph_rig_open(struct graph_rig *rig)
{
	memset(rig, 0, sizeof(*rig));
	rig_open(&rig->rig, GRAPH_TASKS);
	CHECK_OK(doca_ctx_start(rig->rig.ctx));
	graph_open_dma(rig, 0);
	graph_open_dma(rig, 1);
}

RIG void graph_stop_ctx(struct graph_rig *rig, struct doca_ctx *ctx)
{
	doca_error_t result = doca_ctx_stop(ctx);
	enum doca_ctx_states state;

	CHECK(result == DOCA_SUCCESS || result == DOCA_ERROR_IN_PROGRESS);
	RIG_PROGRESS_UNTIL(rig->rig.pe, (doca_ctx_get_state(ctx, &state), state == DOCA_CTX_STATE_IDLE));
}

RIG void graph_rig_close(struct graph_rig *rig)
{
	for (int i = 0; i < 2; i++) {
		graph_stop_ctx(rig, rig->dma_ctx[i]);
		CHECK_OK(doca_dma_destroy(rig->dma[i]));
	}
	CHECK_EQ(rig->rig.completed + rig->rig.failed, 0);
	rig_close(&rig->rig);
}

RIG struct doca_graph *graph_new(struct graph_rig *rig, uint32_t num_instances)
{
	union doca_data data = { .ptr = rig };
	struct doca_graph *graph;

	CHECK_OK(doca_graph_create(rig->rig.pe, &graph));
	CHECK_OK(doca_graph_set_conf(graph, graph_completed, graph_failed, num_instances));
	CHECK_OK(doca_graph_set_user_data(graph, data));
	return graph;
}

RIG struct doca_graph_node *graph_ctx_node(struct doca_graph *graph, const struct doca_ctx *ctx)
{
	struct doca_graph_node *node;

	CHECK_OK(doca_graph_node_create_from_ctx(graph, ctx, &node));
	return node;
}

RIG struct doca_graph_node *graph_user_node(struct doca_graph *graph, doca_graph_user_node_cb_t call)
{
	struct doca_graph_node *node;

	CHECK_OK(doca_graph_node_create_from_user(graph, call, &node));
	return node;
}

RIG struct doca_graph_node *graph_graph_node(struct doca_graph *graph, struct doca_graph *sub_graph)
{
	struct doca_graph_node *node;

	CHECK_OK(doca_graph_node_create_from_graph(graph, sub_graph, &node));
	return node;
}

RIG struct doca_graph_instance *graph_instance(struct doca_graph *graph)
{
	struct doca_graph_instance *instance;

	CHECK_OK(doca_graph_instance_create(graph, &instance));
	return instance;
}

/* Allocates a copy of GRAPH_LEN bytes within the memory. graph_free_copy() releases its buffers. */
RIG struct doca_task *graph_copy(struct graph_rig *rig, int i, size_t from, size_t to)
{
	struct doca_dma_task_memcpy *task;
	union doca_data none = { 0 };

	CHECK_OK(doca_dma_task_memcpy_alloc_init(rig->dma[i], rig_source(&rig->rig, from, GRAPH_LEN),
						 rig_room(&rig->rig, to, GRAPH_LEN), none, &task));
	return doca_dma_task_memcpy_as_task(task);
}

RIG void graph_free_copy(struct doca_task *task)
{
	struct doca_dma_task_memcpy *copy = (struct doca_dma_task_memcpy *)task;

	rig_drop((struct doca_buf *)(uintptr_t)doca_dma_task_memcpy_get_src(copy));
	rig_drop(doca_dma_task_memcpy_get_dst(copy));
	doca_task_free(task);
}

/* Empties the destination, so that the copy can run again. */
RIG void graph_renew_copy(struct doca_task *task)
{
	CHECK_OK(doca_buf_reset_data_len(doca_dma_task_memcpy_get_dst((struct doca_dma_task_memcpy *)task)));
}

RIG void graph_destroy(struct doca_graph *graph)
{
	CHECK_OK(doca_graph_stop(graph));
	CHECK_OK(doca_graph_destroy(graph));
}

#endif
