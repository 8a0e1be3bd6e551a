/* Runs an instance. */
#include <stddef.h>

#include "sd_engine.h"
#include "sd_graph.h"

void graph_unclaim(struct doca_graph_instance *instance)
{
	for (uint32_t i = 0; i < instance->graph->num_nodes; i++) {
		struct graph_step *step = &instance->steps[i];

		if (!step->is_claimed)
			continue;
		step->is_claimed = 0;
		if (step->node->kind == GRAPH_NODE_CTX) {
			step->task->state = SD_TASK_OWNED;
		} else {
			graph_unclaim(step->sub_instance);
			step->sub_instance->is_submitted = 0;
		}
	}
}

static void step_ended(struct graph_step *step, doca_error_t status);

/* From here on the program owns the instance again, and may destroy it and the graph. */
static uint8_t run_end(struct sd_event *event)
{
	struct doca_graph_instance *instance = (struct doca_graph_instance *)event;
	struct doca_graph *graph = instance->graph;
	struct graph_step *parent = instance->parent;

	graph_unclaim(instance);
	instance->is_submitted = 0;
	instance->parent = NULL;
	if (parent != NULL) {
		step_ended(parent, instance->is_failed ? DOCA_ERROR_IO_FAILED : DOCA_SUCCESS);
		return 0;
	}
	if (instance->is_failed)
		graph->failed(instance, instance->user_data, graph->user_data);
	else
		graph->completed(instance, instance->user_data, graph->user_data);
	return 1;
}

static void step_left(struct doca_graph_instance *instance)
{
	if (--instance->num_active > 0)
		return;
	instance->event.ctx = &instance->graph->ctx;
	instance->event.run = run_end;
	sd_engine_queue(&instance->event);
}

static uint8_t run_user(struct sd_event *event)
{
	struct graph_step *step = (struct graph_step *)event;

	step_ended(step, step->node->call(step->cookie));
	return 1;
}

static void begin_step(struct graph_step *step)
{
	step->instance->num_active++;
	switch (step->node->kind) {
	case GRAPH_NODE_CTX:
		step->ended = step_ended;
		graph_submit_task(step);
		break;
	case GRAPH_NODE_USER:
		step->event.ctx = &step->instance->graph->ctx;
		step->event.run = run_user;
		sd_engine_queue(&step->event);
		break;
	case GRAPH_NODE_GRAPH:
		step->is_claimed = 0;
		step->sub_instance->parent = step;
		graph_begin(step->sub_instance);
		break;
	}
}

void graph_begin(struct doca_graph_instance *instance)
{
	uint32_t num_steps = instance->graph->num_nodes;

	instance->is_failed = 0;
	instance->num_active = 1; /* this function counts as one: the instance cannot end before all its roots have begun */
	for (uint32_t i = 0; i < num_steps; i++)
		instance->steps[i].num_waiting = instance->steps[i].node->num_parents;
	for (uint32_t i = 0; i < num_steps && !instance->is_failed; i++) {
		if (instance->steps[i].node->num_parents == 0)
			begin_step(&instance->steps[i]);
	}
	step_left(instance);
}

/* Begins the steps that waited only for this one, or fails the instance. */
static void step_ended(struct graph_step *step, doca_error_t status)
{
	struct doca_graph_instance *instance = step->instance;

	if (status != DOCA_SUCCESS)
		instance->is_failed = 1;
	for (const struct graph_edge *edge = step->node->children; edge != NULL && !instance->is_failed; edge = edge->next) {
		struct graph_step *child = &instance->steps[edge->to->index];

		if (--child->num_waiting == 0)
			begin_step(child);
	}
	step_left(instance);
}
