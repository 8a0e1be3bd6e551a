/* Public functions: life of a graph. */
#include <stdlib.h>

#include "sd_calls.h"
#include "sd_engine.h"
#include "sd_fault.h"
#include "sd_graph.h"
#include "sd_shape.h"

static uint8_t poll(struct doca_ctx *ctx, uint32_t budget)
{
	struct doca_graph *graph = (struct doca_graph *)ctx;

	(void)budget;
	graph_retry(graph);
	return graph->refused_head != NULL;
}

static void rest(struct doca_ctx *ctx)
{
	graph_retry_later((struct doca_graph *)ctx);
}

static const struct sd_context_ops graph_ops = {
	.name = "graph",
	.poll = poll,
	.rest = rest,
};

doca_error_t doca_graph_create(struct doca_pe *pe, struct doca_graph **graph)
{
	struct doca_graph *created;
	doca_error_t result;

	if (pe == NULL || graph == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	created = sd_fault_calloc("alloc-context", sizeof(*created), &result);
	if (created == NULL)
		return result;
	sd_context_init(&created->ctx, &graph_ops, NULL);
	result = doca_pe_connect_ctx(pe, &created->ctx);
	if (result != DOCA_SUCCESS) { /* strict mode refuses the engine */
		(void)sd_context_fini(&created->ctx); /* cannot fail: the context is IDLE */
		free(created);
		return result;
	}
	created->num_references = 1;
	*graph = created;
	return DOCA_SUCCESS;
}

static void free_node(struct doca_graph_node *node)
{
	while (node->children != NULL) {
		struct graph_edge *edge = node->children;

		node->children = edge->next;
		free(edge);
	}
	if (node->sub_graph != NULL)
		graph_release(node->sub_graph);
	free(node);
}

void graph_release(struct doca_graph *graph)
{
	if (--graph->num_references > 0)
		return;
	while (graph->nodes != NULL) {
		struct doca_graph_node *node = graph->nodes;

		graph->nodes = node->next;
		free_node(node);
	}
	free(graph);
}

/* Replaces the idle event. The engine does not access the context after this event. */
static uint8_t run_release(struct sd_event *event)
{
	graph_release((struct doca_graph *)event->ctx);
	return 0;
}

doca_error_t doca_graph_destroy(struct doca_graph *graph)
{
	struct doca_pe *pe;

	if (sd_calls_refuse(__func__, graph))
		return DOCA_ERROR_BAD_STATE;
	if (graph == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (graph->is_started)
		return DOCA_ERROR_BAD_STATE;
	pe = graph->ctx.pe;
	sd_context_fini(&graph->ctx);
	if (pe->callback_depth == 0) {
		graph_release(graph);
		return DOCA_SUCCESS;
	}
	/* The caller may be a callback of this graph, which still needs the memory. */
	graph->ctx.idle_event.ctx = &graph->ctx;
	graph->ctx.idle_event.run = run_release;
	sd_engine_queue(&graph->ctx.idle_event);
	return DOCA_SUCCESS;
}

doca_error_t doca_graph_set_conf(struct doca_graph *graph, doca_graph_completion_cb_t graph_completion_cb,
				 doca_graph_completion_cb_t graph_error_cb, uint32_t num_instances)
{
	if (graph == NULL || graph_completion_cb == NULL || graph_error_cb == NULL || num_instances == 0)
		return DOCA_ERROR_INVALID_VALUE;
	if (graph->is_started)
		return DOCA_ERROR_BAD_STATE;
	graph->completed = graph_completion_cb;
	graph->failed = graph_error_cb;
	graph->num_instances = num_instances;
	return DOCA_SUCCESS;
}

SD_STORE_IF(doca_graph_set_user_data, struct doca_graph, union doca_data, 1, !object->is_started, DOCA_ERROR_BAD_STATE,
	user_data)
SD_GETTER(doca_graph_get_user_data, const struct doca_graph, union doca_data, object->user_data)

static uint8_t is_ready(const struct doca_graph *graph, const struct doca_graph_node *node)
{
	switch (node->kind) {
	case GRAPH_NODE_CTX:
		return node->ctx->pe == graph->ctx.pe && node->ctx->state == DOCA_CTX_STATE_RUNNING;
	case GRAPH_NODE_GRAPH:
		return node->sub_graph->is_started;
	default:
		return 1;
	}
}

/* A graph can start if it, or a graph below it, has a context node. */
static uint8_t is_complete(const struct doca_graph *graph)
{
	uint8_t has_context = 0;

	for (const struct doca_graph_node *node = graph->nodes; node != NULL; node = node->next) {
		if (!is_ready(graph, node))
			return 0;
		has_context |= node->kind != GRAPH_NODE_USER;
	}
	return has_context && graph->num_instances > 0;
}

static void count_parent(const struct doca_graph *graph, int change)
{
	for (const struct doca_graph_node *node = graph->nodes; node != NULL; node = node->next) {
		if (node->kind == GRAPH_NODE_GRAPH)
			node->sub_graph->num_parents += (uint32_t)change;
	}
}

doca_error_t doca_graph_start(struct doca_graph *graph)
{
	if (sd_calls_refuse(__func__, graph))
		return DOCA_ERROR_BAD_STATE;
	if (graph == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (graph->is_started)
		return DOCA_SUCCESS;
	if (!is_complete(graph))
		return DOCA_ERROR_BAD_STATE;
	if (graph_make_instances(graph) != DOCA_SUCCESS)
		return DOCA_ERROR_NO_MEMORY;
	count_parent(graph, 1);
	graph->is_started = 1;
	graph->ctx.state = DOCA_CTX_STATE_RUNNING;
	sd_engine_join_poll(&graph->ctx);
	return DOCA_SUCCESS;
}

doca_error_t doca_graph_stop(struct doca_graph *graph)
{
	if (sd_calls_refuse(__func__, graph))
		return DOCA_ERROR_BAD_STATE;
	if (graph == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (!graph->is_started)
		return DOCA_SUCCESS;
	if (graph->num_out > 0 || graph->num_parents > 0)
		return DOCA_ERROR_IN_USE;
	graph_forget_retry(graph);
	sd_engine_leave_poll(&graph->ctx);
	graph->ctx.state = DOCA_CTX_STATE_IDLE;
	graph->is_started = 0;
	count_parent(graph, -1);
	graph_free_instances(graph);
	return DOCA_SUCCESS;
}
