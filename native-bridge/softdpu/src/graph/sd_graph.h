/*
 * Graphs. An instance is a step per node. A step begins when all steps before it have ended:
 *
 *   node of a context: its task is lent to the graph, with callbacks of the graph's, and submitted; on AGAIN it is tried again
 *   node of the user:  an event, which calls the program
 *   node of a graph:   the instance of that graph begins, with this step as its parent
 *
 * The graph has a context of its own, which no program sees, to have events in the engine. An instance's end is an event, too, so
 * that a submission calls nobody.
 *
 * Thread: that of the progress engine. The service thread posts the event to try again, to programs that do not poll.
 */
#ifndef SD_GRAPH_H
#define SD_GRAPH_H

#include <stdatomic.h>
#include <stdint.h>

#include "doca_graph.h"
#include "sd_context.h"
#include "sd_service.h"

enum graph_node_kind { GRAPH_NODE_CTX, GRAPH_NODE_USER, GRAPH_NODE_GRAPH };

struct graph_edge {
	struct graph_edge *next;
	struct doca_graph_node *to;
};

struct doca_graph_node {
	struct doca_graph_node *next;
	struct doca_graph *graph;
	enum graph_node_kind kind;
	uint32_t index;				/**< of the step in an instance */
	uint32_t num_parents;
	struct graph_edge *children;
	const struct doca_ctx *ctx;		/**< GRAPH_NODE_CTX */
	doca_graph_user_node_cb_t call;		/**< GRAPH_NODE_USER */
	struct doca_graph *sub_graph;		/**< GRAPH_NODE_GRAPH; referred to */
	uint64_t visit;				/**< the last search that has been here */
};

struct doca_graph {
	struct doca_ctx ctx;
	uint32_t num_references;		/**< its own until destroy, and nodes' of other graphs */
	struct doca_graph_node *nodes, *last_node;
	uint32_t num_nodes;
	uint64_t num_visits;
	union doca_data user_data;
	doca_graph_completion_cb_t completed, failed;
	uint32_t num_instances;			/**< 0: not configured */
	uint8_t is_started;
	uint32_t num_parents;			/**< started graphs that have it as a node */
	uint8_t *instances;			/**< memory of num_instances, from start to stop */
	size_t stride;
	struct doca_graph_instance *free_list;
	uint32_t num_out;			/**< instances that the program has */

	struct graph_step *refused_head, *refused_tail;	/**< to be tried again */
	struct sd_event retry_event;
	_Atomic uint8_t is_retry_posted;
	struct sd_job job;			/**< the service thread posts retry_event */
	uint8_t has_service;
	uint8_t is_scheduled;
};

struct graph_step {
	struct sd_event event;			/**< GRAPH_NODE_USER: the program's turn */
	struct sd_task_pool lent;		/**< GRAPH_NODE_CTX: the task's pool while it runs, with callbacks of the graph's */
	struct sd_task_pool *pool;		/**< and its own */
	struct doca_graph_instance *instance;
	const struct doca_graph_node *node;
	struct doca_task *task;
	void *cookie;
	struct doca_graph_instance *sub_instance;
	uint32_t num_waiting;			/**< parents that have not ended */
	uint8_t is_claimed;			/**< its task or instance is this submission's, and has not begun */
	struct graph_step *refused_next;
};

struct doca_graph_instance {
	struct sd_event event;			/**< its end */
	struct doca_graph *graph;
	struct doca_graph_instance *next;	/**< free list */
	union doca_data user_data;
	uint8_t is_out, is_submitted, is_failed;
	uint32_t num_active;			/**< steps that have begun and not ended */
	struct graph_step *parent;		/**< it runs as this step; NULL: it was submitted by the program */
	struct graph_step steps[];		/**< one per node */
};

/** Drop a reference; the last one frees the graph and its nodes. */
void graph_release(struct doca_graph *graph);
/** Make, or free, the memory of all instances. NO_MEMORY. */
doca_error_t graph_make_instances(struct doca_graph *graph);
void graph_free_instances(struct doca_graph *graph);
/** Whether there is such an instance of the graph, now. */
uint8_t graph_has_instance(const struct doca_graph *graph, const struct doca_graph_instance *instance);

/** @name The run of an instance; run.c */
/** @{ */
/** Begin a claimed instance, whose parent is set. */
void graph_begin(struct doca_graph_instance *instance);
/** A step that began has ended. */
void graph_step_ended(struct graph_step *step, doca_error_t status);
/** Give up the tasks and instances that have not begun. */
void graph_unclaim(struct doca_graph_instance *instance);
/** @} */

/** @name Trying again; retry.c */
/** @{ */
/** Submit the task of a step; later, if it is refused. */
void graph_submit_task(struct graph_step *step);
/** Submit the tasks that were refused. */
void graph_retry(struct doca_graph *graph);
/** The program does not poll: have the service thread see to it. */
void graph_retry_later(struct doca_graph *graph);
/** The graph stops: nothing is to be tried again. */
void graph_forget_retry(struct doca_graph *graph);
/** @} */

#endif
