/*
 * Graphs. An instance has one step per node. A step begins when all steps before it have ended:
 *
 *   node of a context: the graph borrows the task, replaces its callbacks and submits it; after AGAIN it submits it again
 *   node of the user:  an event that calls the program
 *   node of a graph:   the instance of that graph begins, with this step as its parent
 *
 * The graph has an internal context, which puts its events into the engine. The end of an instance is an event too, so
 * that a submission calls no callback.
 *
 * Thread: that of the progress engine. For programs that do not poll, the service thread posts the retry event.
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
	uint32_t index;				/**< index of the step in an instance */
	uint32_t num_parents;
	struct graph_edge *children;
	const struct doca_ctx *ctx;		/**< GRAPH_NODE_CTX */
	doca_graph_user_node_cb_t call;		/**< GRAPH_NODE_USER */
	struct doca_graph *sub_graph;		/**< GRAPH_NODE_GRAPH; holds a reference */
	uint64_t visit;				/**< number of the last search that visited the node */
};

struct doca_graph {
	struct doca_ctx ctx;
	uint32_t num_references;		/**< one until destroy, and one per node of another graph */
	struct doca_graph_node *nodes, *last_node;
	uint32_t num_nodes;
	uint64_t num_visits;
	union doca_data user_data;
	doca_graph_completion_cb_t completed, failed;
	uint32_t num_instances;			/**< 0: not configured */
	uint8_t is_started;
	uint32_t num_parents;			/**< started graphs that contain this graph as a node */
	uint8_t *instances;			/**< memory of num_instances, from start to stop */
	size_t stride;
	struct doca_graph_instance *free_list;
	uint32_t num_out;			/**< instances in use by the program */

	struct graph_step *refused_head, *refused_tail;	/**< steps to submit again */
	struct sd_event retry_event;
	_Atomic uint8_t is_retry_posted;
	struct sd_job job;			/**< on the service thread: posts retry_event */
	uint8_t has_service;
	uint8_t is_scheduled;
};

struct graph_step {
	struct sd_event event;			/**< GRAPH_NODE_USER: calls the program */
	struct sd_task_pool lent;		/**< GRAPH_NODE_CTX: pool of the task while it runs, with the graph's callbacks */
	struct sd_task_pool *pool;		/**< original pool of the task */
	struct doca_graph_instance *instance;
	const struct doca_graph_node *node;
	struct doca_task *task;
	void *cookie;
	struct doca_graph_instance *sub_instance;
	uint32_t num_waiting;			/**< parents that have not ended */
	uint8_t is_claimed;			/**< this submission owns the task or instance, which has not begun */
	struct graph_step *refused_next;
	void (*ended)(struct graph_step *step, doca_error_t status);	/**< GRAPH_NODE_CTX: reports the end of the task */
};

struct doca_graph_instance {
	struct sd_event event;			/**< end of the instance */
	struct doca_graph *graph;
	struct doca_graph_instance *next;	/**< free list */
	union doca_data user_data;
	uint8_t is_out, is_submitted, is_failed;
	uint32_t num_active;			/**< steps that have begun and not ended */
	struct graph_step *parent;		/**< the step that this instance implements; NULL: the program submitted it */
	struct graph_step steps[];		/**< one per node */
};

/** Drops a reference; the last one frees the graph and its nodes. */
void graph_release(struct doca_graph *graph);
/** Allocates or frees the memory of all instances. Errors: NO_MEMORY. */
doca_error_t graph_make_instances(struct doca_graph *graph);
void graph_free_instances(struct doca_graph *graph);
/** Returns whether the graph currently has this instance. */
uint8_t graph_has_instance(const struct doca_graph *graph, const struct doca_graph_instance *instance);

/** @name The run of an instance; run.c */
/** @{ */
/** Begins a claimed instance whose parent is set. */
void graph_begin(struct doca_graph_instance *instance);
/** Returns the tasks and instances that have not begun. */
void graph_unclaim(struct doca_graph_instance *instance);
/** @} */

/** @name Retries; retry.c */
/** @{ */
/** Submits the task of a step, later if the context refuses it. */
void graph_submit_task(struct graph_step *step);
/** Submits the refused tasks again. */
void graph_retry(struct doca_graph *graph);
/** Makes the service thread post the retry event, for a program that does not poll. */
void graph_retry_later(struct doca_graph *graph);
/** Cancels all retries, because the graph stops. */
void graph_forget_retry(struct doca_graph *graph);
/** @} */

#endif
