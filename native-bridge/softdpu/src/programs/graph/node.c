/* Public functions: nodes and their dependencies. */
#include <stdlib.h>

#include "sd_graph.h"
#include "sd_list.h"

static doca_error_t add_node(struct doca_graph *graph, enum graph_node_kind kind, struct doca_graph_node **node)
{
	struct doca_graph_node *added;

	if (graph->is_started)
		return DOCA_ERROR_BAD_STATE;
	added = calloc(1, sizeof(*added));
	if (added == NULL)
		return DOCA_ERROR_NO_MEMORY;
	added->graph = graph;
	added->kind = kind;
	added->index = graph->num_nodes++;
	SD_APPEND(graph->nodes, graph->last_node, added, next);
	*node = added;
	return DOCA_SUCCESS;
}

doca_error_t doca_graph_node_create_from_ctx(struct doca_graph *graph, const struct doca_ctx *ctx, struct doca_graph_node **node)
{
	doca_error_t result;

	if (graph == NULL || ctx == NULL || node == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (ctx->pe != NULL && ctx->pe != graph->ctx.pe)
		return DOCA_ERROR_INVALID_VALUE;
	result = add_node(graph, GRAPH_NODE_CTX, node);
	if (result == DOCA_SUCCESS)
		(*node)->ctx = ctx;
	return result;
}

doca_error_t doca_graph_node_create_from_user(struct doca_graph *graph, doca_graph_user_node_cb_t cb,
					      struct doca_graph_node **node)
{
	doca_error_t result;

	if (graph == NULL || cb == NULL || node == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	result = add_node(graph, GRAPH_NODE_USER, node);
	if (result == DOCA_SUCCESS)
		(*node)->call = cb;
	return result;
}

/* Returns whether the graphs are the same, or the first contains the second as a node. */
static uint8_t contains(const struct doca_graph *graph, const struct doca_graph *other)
{
	if (graph == other)
		return 1;
	for (const struct doca_graph_node *node = graph->nodes; node != NULL; node = node->next) {
		if (node->kind == GRAPH_NODE_GRAPH && contains(node->sub_graph, other))
			return 1;
	}
	return 0;
}

doca_error_t doca_graph_node_create_from_graph(struct doca_graph *graph, struct doca_graph *sub_graph,
					       struct doca_graph_node **node)
{
	doca_error_t result;

	if (graph == NULL || sub_graph == NULL || node == NULL || sub_graph->ctx.pe != graph->ctx.pe)
		return DOCA_ERROR_INVALID_VALUE;
	if (contains(sub_graph, graph))
		return DOCA_ERROR_NOT_PERMITTED;
	if (!sub_graph->is_started)
		return DOCA_ERROR_BAD_STATE;
	result = add_node(graph, GRAPH_NODE_GRAPH, node);
	if (result != DOCA_SUCCESS)
		return result;
	(*node)->sub_graph = sub_graph;
	sub_graph->num_references++;
	return DOCA_SUCCESS;
}

/* Returns whether a path leads from one node to the other. Each search marks the nodes it has visited. */
static uint8_t leads_to(struct doca_graph_node *from, const struct doca_graph_node *to)
{
	if (from == to)
		return 1;
	from->visit = from->graph->num_visits;
	for (const struct graph_edge *edge = from->children; edge != NULL; edge = edge->next) {
		if (edge->to->visit != from->graph->num_visits && leads_to(edge->to, to))
			return 1;
	}
	return 0;
}

static uint8_t is_child(const struct doca_graph_node *from, const struct doca_graph_node *to)
{
	const struct graph_edge *edge = from->children;

	while (edge != NULL && edge->to != to)
		edge = edge->next;
	return edge != NULL;
}

doca_error_t doca_graph_add_dependency(struct doca_graph *graph, struct doca_graph_node *from, struct doca_graph_node *to)
{
	struct graph_edge *edge;

	if (graph == NULL || from == NULL || to == NULL || from->graph != graph || to->graph != graph)
		return DOCA_ERROR_INVALID_VALUE;
	if (graph->is_started)
		return DOCA_ERROR_BAD_STATE;
	graph->num_visits++;
	if (leads_to(to, from))
		return DOCA_ERROR_NOT_PERMITTED;
	if (is_child(from, to))
		return DOCA_SUCCESS;
	edge = malloc(sizeof(*edge));
	if (edge == NULL)
		return DOCA_ERROR_NO_MEMORY;
	edge->to = to;
	edge->next = from->children;
	from->children = edge;
	to->num_parents++;
	return DOCA_SUCCESS;
}
