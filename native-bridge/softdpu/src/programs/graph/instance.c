/* Public functions: instances and their tasks. */
#include <stdlib.h>
#include <string.h>

#include "sd_graph.h"
#include "sd_shape.h"

doca_error_t graph_make_instances(struct doca_graph *graph)
{
	graph->stride = sizeof(struct doca_graph_instance) + graph->num_nodes * sizeof(struct graph_step);
	graph->instances = calloc(graph->num_instances, graph->stride);
	if (graph->instances == NULL)
		return DOCA_ERROR_NO_MEMORY;
	graph->free_list = NULL;
	for (uint32_t i = graph->num_instances; i-- > 0;) {
		struct doca_graph_instance *instance = (struct doca_graph_instance *)(graph->instances + i * graph->stride);

		instance->graph = graph;
		instance->next = graph->free_list;
		graph->free_list = instance;
	}
	return DOCA_SUCCESS;
}

void graph_free_instances(struct doca_graph *graph)
{
	free(graph->instances);
	graph->instances = NULL;
	graph->free_list = NULL;
}

uint8_t graph_has_instance(const struct doca_graph *graph, const struct doca_graph_instance *instance)
{
	uintptr_t begin = (uintptr_t)graph->instances, at = (uintptr_t)instance;

	return graph->is_started && at >= begin && at - begin < graph->num_instances * graph->stride && instance->is_out;
}

static void make_steps(struct doca_graph_instance *instance)
{
	memset(instance->steps, 0, instance->graph->num_nodes * sizeof(struct graph_step));
	for (const struct doca_graph_node *node = instance->graph->nodes; node != NULL; node = node->next) {
		instance->steps[node->index].instance = instance;
		instance->steps[node->index].node = node;
	}
}

doca_error_t doca_graph_instance_create(const struct doca_graph *graph, struct doca_graph_instance **graph_instance)
{
	struct doca_graph *owner = (struct doca_graph *)(uintptr_t)graph; /* counts its instances */
	struct doca_graph_instance *instance;

	if (graph == NULL || graph_instance == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (!graph->is_started)
		return DOCA_ERROR_BAD_STATE;
	instance = owner->free_list;
	if (instance == NULL)
		return DOCA_ERROR_NO_MEMORY;
	owner->free_list = instance->next;
	owner->num_out++;
	instance->is_out = 1;
	instance->user_data.u64 = 0;
	make_steps(instance);
	*graph_instance = instance;
	return DOCA_SUCCESS;
}

doca_error_t doca_graph_instance_destroy(struct doca_graph_instance *graph_instance)
{
	struct doca_graph *graph;

	if (graph_instance == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (graph_instance->is_submitted)
		return DOCA_ERROR_IN_USE;
	graph = graph_instance->graph;
	graph_instance->is_out = 0;
	graph_instance->next = graph->free_list;
	graph->free_list = graph_instance;
	graph->num_out--;
	return DOCA_SUCCESS;
}

static doca_error_t check_settable(const struct doca_graph_instance *instance, const struct doca_graph_node *node,
				   enum graph_node_kind kind)
{
	if (instance->is_submitted)
		return DOCA_ERROR_BAD_STATE;
	return node->graph == instance->graph && node->kind == kind ? DOCA_SUCCESS : DOCA_ERROR_NOT_PERMITTED;
}

doca_error_t doca_graph_instance_set_ctx_node_data(struct doca_graph_instance *graph_instance, struct doca_graph_node *node,
						   struct doca_task *task)
{
	doca_error_t result;

	if (graph_instance == NULL || node == NULL || task == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	result = check_settable(graph_instance, node, GRAPH_NODE_CTX);
	if (result != DOCA_SUCCESS)
		return result;
	if (task->ctx != node->ctx)
		return DOCA_ERROR_NOT_PERMITTED;
	graph_instance->steps[node->index].task = task;
	return DOCA_SUCCESS;
}

doca_error_t doca_graph_instance_set_user_node_data(struct doca_graph_instance *graph_instance, struct doca_graph_node *node,
						    void *cookie)
{
	doca_error_t result;

	if (graph_instance == NULL || node == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	result = check_settable(graph_instance, node, GRAPH_NODE_USER);
	if (result == DOCA_SUCCESS)
		graph_instance->steps[node->index].cookie = cookie;
	return result;
}

doca_error_t doca_graph_instance_set_sub_graph_node_data(struct doca_graph_instance *graph_instance,
							 struct doca_graph_node *node,
							 struct doca_graph_instance *sub_graph_instance)
{
	doca_error_t result;

	if (graph_instance == NULL || node == NULL || sub_graph_instance == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	result = check_settable(graph_instance, node, GRAPH_NODE_GRAPH);
	if (result != DOCA_SUCCESS)
		return result;
	if (sub_graph_instance->graph != node->sub_graph || sub_graph_instance->is_submitted)
		return DOCA_ERROR_NOT_PERMITTED;
	graph_instance->steps[node->index].sub_instance = sub_graph_instance;
	return DOCA_SUCCESS;
}

SD_STORE_IF(doca_graph_instance_set_user_data, struct doca_graph_instance, union doca_data, 1, !object->is_submitted,
	DOCA_ERROR_IN_USE, user_data)
SD_GETTER(doca_graph_instance_get_user_data, const struct doca_graph_instance, union doca_data, object->user_data)

static doca_error_t claim(struct doca_graph_instance *instance);

static doca_error_t claim_step(struct graph_step *step)
{
	doca_error_t result;

	if (step->node->kind == GRAPH_NODE_USER)
		return DOCA_SUCCESS;
	if (step->node->kind == GRAPH_NODE_GRAPH) {
		if (!graph_has_instance(step->node->sub_graph, step->sub_instance))
			return DOCA_ERROR_INVALID_VALUE;
		result = claim(step->sub_instance);
		step->is_claimed = result == DOCA_SUCCESS;
		return result;
	}
	if (step->task == NULL)
		return DOCA_ERROR_INVALID_VALUE;
	if (step->task->state != SD_TASK_OWNED)
		return step->task->state == SD_TASK_FREE ? DOCA_ERROR_INVALID_VALUE : DOCA_ERROR_IN_USE;
	step->task->state = SD_TASK_LENT;
	step->is_claimed = 1;
	return DOCA_SUCCESS;
}

/* Claims all tasks and instances of the instance, or none. */
static doca_error_t claim(struct doca_graph_instance *instance)
{
	doca_error_t result = DOCA_SUCCESS;

	if (instance->is_submitted)
		return DOCA_ERROR_IN_USE;
	instance->is_submitted = 1;
	instance->parent = NULL;
	for (uint32_t i = 0; i < instance->graph->num_nodes && result == DOCA_SUCCESS; i++)
		result = claim_step(&instance->steps[i]);
	if (result == DOCA_SUCCESS)
		return result;
	graph_unclaim(instance);
	instance->is_submitted = 0;
	return result;
}

doca_error_t doca_graph_instance_submit(struct doca_graph_instance *graph_instance)
{
	doca_error_t result;

	if (graph_instance == NULL || !graph_instance->is_out)
		return DOCA_ERROR_INVALID_VALUE;
	result = claim(graph_instance);
	if (result == DOCA_SUCCESS)
		graph_begin(graph_instance);
	return result;
}
